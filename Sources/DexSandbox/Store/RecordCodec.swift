import Ethereum

/// The chain's records as RLP, for the store and for the receipts' root.
enum RecordCodec {
    /// A receipt as the receipts' trie has it (EIP-2718).
    ///
    /// - Parameter bloom: of its logs.
    static func receipt(
        _ outcome: TransactionOutcome,
        type: UInt64,
        cumulativeGasUsed: UInt64,
        bloom: Bloom
    ) -> [UInt8] {
        let receipt = RLP.list([
            .integer(outcome.succeeded ? 1 : 0),
            .integer(UInt256(cumulativeGasUsed)),
            .bytes(bloom.bytes),
            logs(outcome),
        ])
        return (type == 0 ? [] : [UInt8(truncatingIfNeeded: type)]) + receipt.encoded
    }

    private static func logs(_ outcome: TransactionOutcome) -> RLP {
        .list(
            outcome.logs.map { log in
                .list([
                    .bytes(log.address.bytes),
                    .list(log.topics.map { .bytes($0.bytes) }),
                    .bytes(log.data),
                ])
            }
        )
    }

    static func rlp(_ outcome: TransactionOutcome) -> RLP {
        .list([
            .integer(outcome.succeeded ? 1 : 0),
            .integer(UInt256(outcome.gasUsed)),
            .integer(UInt256(outcome.gasPrice)),
            logs(outcome),
        ])
    }

    /// A transaction's outcome from its RLP; nil for anything else.
    static func outcome(_ rlp: RLP) -> TransactionOutcome? {
        guard case .list(let fields) = rlp, fields.count == 4, let status = fields[0].uint64,
            status <= 1, let gasUsed = fields[1].uint64, let gasPrice = fields[2].uint64,
            case .list(let items) = fields[3]
        else { return nil }
        var logs: [Log] = []
        for item in items {
            guard case .list(let parts) = item, parts.count == 3, let address = parts[0].address,
                case .list(let topicItems) = parts[1], case .bytes(let data) = parts[2]
            else { return nil }
            let topics = topicItems.compactMap(\.word)
            guard topics.count == topicItems.count else { return nil }
            logs.append(Log(address: address, topics: topics, data: data))
        }
        return TransactionOutcome(
            succeeded: status == 1,
            gasUsed: gasUsed,
            gasPrice: gasPrice,
            logs: logs
        )
    }

    /// Values by their keys, in the order of the keys.
    static func rlp(_ values: [StorageKey: UInt256]) -> RLP {
        .list(
            values.map { (key: $0.key.encoded, value: $0.value) }
                .sorted { $0.key.lexicographicallyPrecedes($1.key) }
                .map { .list([.bytes($0.key), .integer($0.value)]) }
        )
    }

    /// Values by their keys from their RLP; nil for anything else.
    static func values(_ rlp: RLP) -> [StorageKey: UInt256]? {
        guard case .list(let items) = rlp else { return nil }
        var values: [StorageKey: UInt256] = [:]
        for item in items {
            guard case .list(let parts) = item, parts.count == 2,
                case .bytes(let encoded) = parts[0], let key = StorageKey(encoded: encoded),
                let value = parts[1].number
            else { return nil }
            values[key] = value
        }
        return values
    }
}

/// A recoverer for transactions that were checked before they were stored.
struct KnownSender: SignatureRecovering {
    let sender: Address

    func recover(digest: Bytes32, signature: Signature) throws(SignatureError) -> Address {
        sender
    }
}
