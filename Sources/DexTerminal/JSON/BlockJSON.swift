package import DexCore
import Ethereum
package import StrictJSON

/// `data` of `block`.
package enum BlockJSON {
    package static func block(_ state: BlockState) -> JSONValue {
        let block = state.block
        return [
            "number": JSONFormat.integer(block.number),
            "hash": JSONFormat.hash(block.hash),
            "parentHash": JSONFormat.hash(block.parentHash),
            "timestamp": JSONFormat.integer(block.timestamp),
            "latest": JSONFormat.integer(state.latest),
            "baseFeePerGas": block.baseFeePerGas.map { .string($0.description) } ?? .null,
            "gasUsed": JSONFormat.integer(block.gasUsed),
            "gasLimit": JSONFormat.integer(block.gasLimit),
            "transactions": .list(state.rows) { row in
                [
                    "hash": JSONFormat.hash(row.hash),
                    "from": JSONFormat.address(row.from.address),
                    "fromName": JSONFormat.text(row.from.name),
                    "to": row.to.map { JSONFormat.address($0.address) } ?? .null,
                    "toName": JSONFormat.text(row.to?.name),
                    "value": JSONFormat.ether(row.value, row.coin),
                    "function": JSONFormat.text(row.method?.function),
                    "selector": JSONFormat.text(row.method?.unknownSelector),
                    "status": JSONFormat.text(
                        row.succeeded.map { $0 ? "succeeded" : "reverted" }
                    ),
                    "gasUsed": JSONFormat.integer(row.gasUsed),
                ]
            },
        ]
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
