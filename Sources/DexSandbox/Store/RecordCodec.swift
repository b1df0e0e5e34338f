import Ethereum

/// The chain's records as RLP, for the store.
enum RecordCodec {
    static func rlp(_ outcome: TransactionOutcome) -> RLP {
        .list([
            .integer(outcome.succeeded ? 1 : 0),
            .integer(UInt256(outcome.gasUsed)),
            .integer(UInt256(outcome.gasPrice)),
            .list(outcome.logs.map(\.rlp)),
        ])
    }

    /// A transaction's outcome from its RLP; nil for anything else.
    static func outcome(_ rlp: RLP) -> TransactionOutcome? {
        guard case .list(let fields) = rlp, fields.count == 4,
            let status = fields[0].unsignedInteger, status <= 1,
            let gasUsed = fields[1].unsignedInteger?.uint64,
            let gasPrice = fields[2].unsignedInteger?.uint64, case .list(let items) = fields[3]
        else { return nil }
        let logs = items.compactMap { Log(rlp: $0) }
        guard logs.count == items.count else { return nil }
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
                let value = parts[1].unsignedInteger
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
