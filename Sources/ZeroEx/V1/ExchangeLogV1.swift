public import Ethereum

/// An event of the v1 exchange contract; converts between fields and a log's topics and data.
public enum ExchangeLogV1: Hashable, Sendable {
    /// The fields of LogCancel.
    public struct Cancel: Hashable, Sendable {
        public var event: CancelEvent
        public var feeRecipient: Address
    }

    case fill(FillEvent)
    case cancel(Cancel)
    /// The contract skipped an order, for this reason.
    case error(SkipReason, OrderHash)

    /// The first topic of LogFill.
    public static let fillTopic = Bytes32(
        limbs: (
            0x0d0b_9391_970d_9a25, 0x552f_37d4_36d2_aae2, 0x925e_2bfe_1b2a_9237,
            0x54ba_da03_0c49_8cb3
        )
    )
    /// The first topic of LogCancel.
    public static let cancelTopic = Bytes32(
        limbs: (
            0x67d6_6f16_0bc9_3d92, 0x5d05_dae1_794c_90d2, 0xd6d6_688b_29b8_4ff0,
            0x6939_8a9b_0458_7131
        )
    )
    /// The first topic of LogError.
    public static let errorTopic = Bytes32(
        limbs: (
            0x36d8_6c59_e00b_d73d, 0xc19b_a3ad_fe06_8e4b, 0x64ac_7e92_be35_546a,
            0xdedd_f1b9_56a8_7e90
        )
    )

    /// The topic of a pair in the events of both contracts.
    ///
    /// It is a hash over the maker token and the taker token, 40 bytes.
    public static func tokensTopic(makerToken: Address, takerToken: Address) -> Bytes32 {
        Keccak256.hash(makerToken.bytes + takerToken.bytes)
    }

    /// The topics and the data of the emitted log.
    public var encoded: (topics: [Bytes32], data: [UInt8]) {
        var writer = ContractDataWriter()
        switch self {
        case .fill(let fill):
            let topics = [
                Self.fillTopic, fill.maker.word, fill.feeRecipient.word,
                Self.tokensTopic(makerToken: fill.makerToken, takerToken: fill.takerToken),
            ]
            writer.put([
                fill.taker.word, fill.makerToken.word, fill.takerToken.word,
                fill.makerAmount.word, fill.takerAmount.word, fill.makerFee.word,
                fill.takerFee.word, fill.orderHash.word,
            ])
            return (topics, writer.finished)
        case .cancel(let cancel):
            let event = cancel.event
            let topics = [
                Self.cancelTopic, event.maker.word, cancel.feeRecipient.word,
                Self.tokensTopic(makerToken: event.makerToken, takerToken: event.takerToken),
            ]
            writer.put([
                event.makerToken.word, event.takerToken.word, event.makerAmount.word,
                event.takerAmount.word, event.orderHash.word,
            ])
            return (topics, writer.finished)
        case .error(let reason, let hash):
            // A reason that v1 lacks gets an id that it lacks.
            let id = UInt256(UInt64(reason.errorID ?? .max))
            return ([Self.errorTopic, id.word, hash.word], [])
        }
    }

    /// Reads a log of the exchange contract; nil if its first topic is not one of the contract's.
    ///
    /// - Throws: `ExchangeError.unreadableAnswer` if the rest does not fit the first topic.
    public init?(topics: [Bytes32], data: [UInt8]) throws(ExchangeError) {
        var reader = ContractDataReader(data[...])
        var name = "LogError"
        do throws(MalformedContractData) {
            switch topics.first {
            case Self.fillTopic?:
                name = "LogFill"
                self = .fill(try Self.fill(topics: topics, &reader))
            case Self.cancelTopic?:
                name = "LogCancel"
                self = .cancel(try Self.cancel(topics: topics, &reader))
            case Self.errorTopic?: self = try Self.error(topics: topics)
            default: return nil
            }
            try reader.finish()
        } catch {
            throw .unreadableAnswer("a \(name) is malformed")
        }
    }

    private static func fill(
        topics: [Bytes32],
        _ reader: inout ContractDataReader
    ) throws(MalformedContractData) -> FillEvent {
        let taker = try reader.address()
        let (maker, feeRecipient, makerToken, takerToken) = try addresses(topics, &reader)
        let values = try reader.words(5)
        return FillEvent(
            orderHash: OrderHash(values[4]),
            maker: maker,
            taker: taker,
            feeRecipient: feeRecipient,
            makerToken: makerToken,
            takerToken: takerToken,
            makerAmount: UInt256(values[0]),
            takerAmount: UInt256(values[1]),
            makerFee: UInt256(values[2]),
            takerFee: UInt256(values[3])
        )
    }

    private static func cancel(
        topics: [Bytes32],
        _ reader: inout ContractDataReader
    ) throws(MalformedContractData) -> Cancel {
        let (maker, feeRecipient, makerToken, takerToken) = try addresses(topics, &reader)
        let values = try reader.words(3)
        let event = CancelEvent(
            orderHash: OrderHash(values[2]),
            maker: maker,
            makerToken: makerToken,
            takerToken: takerToken,
            makerAmount: UInt256(values[0]),
            takerAmount: UInt256(values[1])
        )
        return Cancel(event: event, feeRecipient: feeRecipient)
    }

    private static func error(
        topics: [Bytes32]
    ) throws(MalformedContractData) -> ExchangeLogV1 {
        guard topics.count == 3, let id = UInt256(topics[1]).uint64,
            let reason = SkipReason(errorID: id)
        else { throw MalformedContractData() }
        return .error(reason, OrderHash(topics[2]))
    }

    /// The indexed addresses, and the pair in the data, which a topic must match.
    private static func addresses(
        _ topics: [Bytes32],
        _ reader: inout ContractDataReader
    ) throws(MalformedContractData)
        -> (maker: Address, feeRecipient: Address, makerToken: Address, takerToken: Address)
    {
        let (makerToken, takerToken) = (try reader.address(), try reader.address())
        guard topics.count == 4, let maker = Address(ifWord: topics[1]),
            let feeRecipient = Address(ifWord: topics[2]),
            topics[3] == tokensTopic(makerToken: makerToken, takerToken: takerToken)
        else { throw MalformedContractData() }
        return (maker, feeRecipient, makerToken, takerToken)
    }
}

extension SkipReason {
    /// The reasons by the contract's `errorId`.
    private static let ofErrors: [SkipReason] = [
        .expired, .filledOrCancelled, .roundingError, .insufficientFunds,
    ]

    /// The contract's `errorId`; nil for a reason without one.
    public var errorID: UInt8? { Self.ofErrors.firstIndex(of: self).map { UInt8($0) } }

    /// The reason of a contract's `errorId`; nil for an unknown id.
    init?(errorID: UInt64) {
        guard errorID < Self.ofErrors.count else { return nil }
        self = Self.ofErrors[Int(errorID)]
    }
}
