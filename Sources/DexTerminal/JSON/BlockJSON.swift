package import DexCore
import Ethereum
import StrictJSON

/// `data` of `block`.
package enum BlockJSON {
    package static let block = Fields<BlockState> {
        Field("number", "Its number", \.block.number)
        Field("hash", "Its hash", \.block.hash)
        Field("parentHash", "That of the block before", \.block.parentHash)
        Field("time", "When it was made", as: .time, \.block.timestamp)
        Field("latest", "The number of the latest block", \.latest)
        Field("baseFeePerGas", "Wei a unit of gas; null before EIP-1559", \.block.baseFeePerGas)
        Field("gasUsed", "By all its transactions", \.block.gasUsed)
        Field("gasLimit", "The most that they may use", \.block.gasLimit)
        Field("transactions", "In the order of the block", list: transaction, \.rows)
    }

    private static let transaction = Fields<TransactionRow> {
        Field("hash", "The transaction", \.hash)
        Field("from", "Who sent it", \.from.address)
        Field("fromName", "The name by which you know it, or null", \.from.name)
        Field("to", "Null: it creates a contract", \.to?.address)
        Field(
            "toName",
            "A name of yours, a token's symbol, or a contract of the network; null if unknown",
            \.to?.name
        )
        Field("coinSent", "The coin sent along") { $0.coin.money($0.value) }
        Field("function", "Null: none that is known", \.method?.function)
        Field(
            "selector",
            "The first bytes of other call data, or null",
            as: .bytes,
            \.method?.unknownSelector
        )
        Field(
            "status",
            "Null: the node has no receipt",
            as: .words(["succeeded", "reverted"])
        ) { $0.succeeded.map { ExactText($0 ? "succeeded" : "reverted") } }
        Field("gasUsed", "Null: the node has no receipt", \.gasUsed)
    }
}

extension CallMethod {
    /// The name of a known function.
    fileprivate var function: String? {
        if case .function(let name) = self { name } else { nil }
    }

    /// The first bytes of other data.
    fileprivate var unknownSelector: String? {
        if case .selector(let bytes) = self { Hex.encode(bytes) } else { nil }
    }
}
