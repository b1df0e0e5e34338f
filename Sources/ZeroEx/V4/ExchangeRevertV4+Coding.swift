import Ethereum

extension ExchangeRevertV4 {
    private static let transferFailedTypes: [ABIType] = [
        .address, .address, .address, .uint(256), .bytes,
    ]

    /// The contract's revert data.
    public var data: [UInt8] {
        var writer = ContractDataWriter(selector: kind.selector)
        switch self {
        case .orderNotFillable(let hash, let status):
            writer.put([hash.word, UInt256(UInt64(status)).word])
        case .orderNotFillableByTaker(let hash, let first, let second),
            .orderNotFillableBySender(let hash, let first, let second),
            .orderNotFillableByOrigin(let hash, let first, let second),
            .orderNotSignedByMaker(let hash, let first, let second),
            .onlyOrderMakerAllowed(let hash, let first, let second):
            writer.put([hash.word, first.word, second.word])
        case .signatureValidation(let code, let hash):
            writer.put([UInt256(UInt64(code)).word, hash])
        case .fillOrKillFailed(let hash, let filled, let wanted),
            .batchFillIncomplete(let hash, let filled, let wanted):
            writer.put([hash.word, filled.word, wanted.word])
        case .cancelSaltTooLow(let salt, let oldSalt):
            writer.put([salt.word, oldSalt.word])
        case .invalidSigner(let maker, let signer):
            writer.put([maker.word, signer.word])
        case .protocolFeeRefundFailed(let receiver, let amount):
            writer.put([receiver.word, amount.word])
        case .notImplemented(let selector):
            writer.put([(UInt256(UInt64(selector)) &<< 224).word])
        case .words(let text):
            return Self.dynamic(writer, [.string(text)], [.string])
        case .transferFailed(let token, let from, let to, let amount, let inner):
            let values: [ABIValue] = [
                .address(token), .address(from), .address(to), .uint(amount), .bytes(inner),
            ]
            return Self.dynamic(writer, values, Self.transferFailedTypes)
        }
        return writer.finished
    }

    private static func dynamic(
        _ writer: ContractDataWriter,
        _ values: [ABIValue],
        _ types: [ABIType]
    ) -> [UInt8] {
        // Values and types match by construction, so nothing is thrown.
        writer.finished + ((try? ABI.encode(values, as: types)) ?? [])
    }

    /// Reads revert data; nil if it is malformed or not the contract's own, such as a token's
    /// error.
    public init?(_ data: [UInt8]) {
        guard let kind = data.selector.flatMap(Kind.init(selector:)) else { return nil }
        do throws(MalformedContractData) {
            self = try Self.read(kind, data[4...])
        } catch {
            return nil
        }
    }

    private static func read(
        _ kind: Kind,
        _ arguments: ArraySlice<UInt8>
    ) throws(MalformedContractData) -> ExchangeRevertV4 {
        switch kind {
        case .words:
            // Some token compilers omit the padding.
            guard
                case .string(let text)? = try? ABI.decode(  // nil: malformed
                    Array(arguments),
                    as: [.string],
                    allowsTrailingBytes: true
                ).first
            else { throw MalformedContractData() }
            return .words(text)
        case .transferFailed:
            guard
                let values = try? ABI.decode(Array(arguments), as: transferFailedTypes),  // or none
                values.count == 5, case .address(let token) = values[0],
                case .address(let from) = values[1], case .address(let to) = values[2],
                case .uint(let amount) = values[3], case .bytes(let inner) = values[4]
            else { throw MalformedContractData() }
            return .transferFailed(token: token, from: from, to: to, amount: amount, inner)
        default:
            var reader = ContractDataReader(arguments)
            let revert = try read(kind, from: &reader)
            try reader.finish()
            return revert
        }
    }

    /// An error whose arguments are words.
    private static func read(
        _ kind: Kind,
        from reader: inout ContractDataReader
    ) throws(MalformedContractData) -> ExchangeRevertV4 {
        switch kind {
        case .cancelSaltTooLow:
            return .cancelSaltTooLow(
                minValidSalt: try reader.number(),
                oldMinValidSalt: try reader.number()
            )
        case .invalidSigner:
            return .invalidSigner(maker: try reader.address(), signer: try reader.address())
        case .protocolFeeRefundFailed:
            return .protocolFeeRefundFailed(
                receiver: try reader.address(),
                amount: try reader.number()
            )
        case .signatureValidation:
            return .signatureValidation(code: try reader.byte(), try reader.word())
        case .notImplemented:
            let word = UInt256(try reader.word())
            guard word.trailingZeroBitCount >= 224 else { throw MalformedContractData() }
            return .notImplemented(selector: UInt32(truncatingIfNeeded: word.w3 >> 32))
        default: break
        }
        let hash = OrderHash(try reader.word())
        switch kind {
        case .orderNotFillable: return .orderNotFillable(hash, status: try reader.byte())
        case .fillOrKillFailed, .batchFillIncomplete:
            let (filled, wanted) = (try reader.number(), try reader.number())
            return kind == .fillOrKillFailed
                ? .fillOrKillFailed(hash, filled: filled, wanted: wanted)
                : .batchFillIncomplete(hash, filled: filled, wanted: wanted)
        default: break
        }
        let first = try reader.address()
        let second = try reader.address()
        switch kind {
        case .orderNotFillableByTaker:
            return .orderNotFillableByTaker(hash, taker: first, orderTaker: second)
        case .orderNotFillableBySender:
            return .orderNotFillableBySender(hash, sender: first, orderSender: second)
        case .orderNotFillableByOrigin:
            return .orderNotFillableByOrigin(hash, txOrigin: first, orderTxOrigin: second)
        case .orderNotSignedByMaker:
            return .orderNotSignedByMaker(hash, signer: first, maker: second)
        case .onlyOrderMakerAllowed:
            return .onlyOrderMakerAllowed(hash, sender: first, maker: second)
        default: throw MalformedContractData()
        }
    }
}
