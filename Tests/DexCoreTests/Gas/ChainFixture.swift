import DexSandbox
import Ethereum
import EthereumWallet
import Testing

@testable import DexCore
@testable import DexCoreTestSupport

extension LiveMarket {
    static let gwei: UInt256 = 1_000_000_000

    /// A market on a chain with rules of its own.
    static func on(_ change: (inout FeeRules) -> Void) throws -> LiveMarket {
        var market = try LiveMarket()
        change(&market.network.fees)
        return market
    }

    /// On the chain of a bundled network: the sandbox with that network's rules.
    static func on(chainOf name: String) throws -> LiveMarket {
        let bundled = try #require(try NetworkCatalog.bundled().first { $0.name == name })
        return try on { $0 = bundled.fees }
    }

    /// What the transaction that was sent last pays.
    func sentFee() throws -> Transaction.Fee {
        let raw = try #require(node.sent.last)
        return try SignedTransaction(raw: raw, recoverer: Secp256k1()).transaction.fee
    }
}

extension TamperedNode {
    typealias Answer = Result<ChainAnswer, ChainError>

    /// Changes answers one by one; nil leaves an answer as it is.
    func change(_ change: @escaping @Sendable (ChainRead, Answer) -> Answer?) {
        onRead { reads, answers throws(ChainError) in
            zip(reads, answers).map { change($0, $1) ?? $1 }
        }
    }

    /// Fees as a node of some chain tells them.
    ///
    /// - Parameters:
    ///   - base: of each block and of the next one, in wei.
    ///   - history: the fee history; nil: the node has none.
    ///   - gasPrice: eth_gasPrice in wei; nil: it fails.
    static func fees(
        _ read: ChainRead,
        _ answer: Answer,
        base: UInt256,
        history: Answer? = nil,
        gasPrice: UInt256?
    ) -> Answer? {
        switch (read, answer) {
        case (.feeHistory, _):
            return history ?? .failure(.rpc(code: -32_000, message: "Unsupported method"))
        case (.gasPrice, _):
            return gasPrice.map { .success(.wei(Wei($0))) }
                ?? .failure(.rpc(code: -32_000, message: "no price"))
        case (_, .success(.block(let block?))):
            return .success(
                .block(
                    Block(
                        number: block.number,
                        hash: block.hash,
                        parentHash: block.parentHash,
                        timestamp: block.timestamp,
                        baseFeePerGas: Wei(base),
                        gasLimit: block.gasLimit,
                        gasUsed: block.gasUsed
                    )
                )
            )
        default: return nil
        }
    }

    static func history(base: [UInt256], rewards: [[UInt256]]) -> Answer {
        .success(
            .feeHistory(
                FeeHistory(
                    oldestBlock: 0,
                    baseFeePerGas: base.map { Wei($0) },
                    rewards: rewards.map { $0.map { Wei($0) } }
                )
            )
        )
    }
}
