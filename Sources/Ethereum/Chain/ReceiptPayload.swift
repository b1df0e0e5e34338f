/// A receipt as the trie of a block's receipts has it.
///
/// Source: EIP-658 (status) and EIP-2718 (types).
package struct ReceiptPayload: Hashable, Sendable {
    /// The type of the transaction.
    package let type: UInt8
    package let succeeded: Bool
    /// Of the block's transactions up to this one.
    package let cumulativeGasUsed: UInt64
    /// In order; of a log only contract, topics and data count.
    package let logs: [Log]
    /// Of the logs.
    package let bloom: Bloom

    package init(type: UInt8, succeeded: Bool, cumulativeGasUsed: UInt64, logs: [Log]) {
        (self.type, self.succeeded, self.logs) = (type, succeeded, logs)
        self.cumulativeGasUsed = cumulativeGasUsed
        bloom = logs.isEmpty ? .empty : Bloom(logs)
    }

    /// The value of the trie.
    package var encoded: [UInt8] {
        let receipt = RLP.list([
            .integer(succeeded ? 1 : 0),
            .integer(UInt256(cumulativeGasUsed)),
            .bytes(bloom.bytes),
            .list(logs.map(\.rlp)),
        ])
        return (type == 0 ? [] : [type]) + receipt.encoded
    }
}

extension Log {
    /// Contract, topics and data, as receipts have them.
    package var rlp: RLP {
        .list([
            .bytes(address.bytes), .list(topics.map { .bytes($0.bytes) }), .bytes(data),
        ])
    }

    /// A log from its RLP, without its place; nil for anything else.
    package init?(rlp: RLP) {
        guard case .list(let parts) = rlp, parts.count == 3, let address = parts[0].address,
            case .list(let items) = parts[1], case .bytes(let data) = parts[2]
        else { return nil }
        let topics = items.compactMap(\.word)
        guard topics.count == items.count else { return nil }
        self.init(address: address, topics: topics, data: data)
    }
}
