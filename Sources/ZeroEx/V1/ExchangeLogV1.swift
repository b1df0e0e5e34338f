public import Ethereum

/// An event of the v1 exchange contract; converts between fields and a log's topics and data.
public enum ExchangeLogV1: Hashable, Sendable {
    /// The fields of LogCancel.
    public struct Cancel: Hashable, Sendable {
        public var event: CancelEvent
        public var feeRecipient: Address

        /// A cancel from its fields.
        public init(event: CancelEvent, feeRecipient: Address) {
            self.event = event
            self.feeRecipient = feeRecipient
        }
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
        switch self {
        case .fill(let fill):
            let topics = [
                Self.fillTopic, fill.maker.word, fill.feeRecipient.word,
                Self.tokensTopic(makerToken: fill.makerToken, takerToken: fill.takerToken),
            ]
            let words = [
                fill.taker.word, fill.makerToken.word, fill.takerToken.word,
                fill.makerAmount.word, fill.takerAmount.word, fill.makerFee.word,
                fill.takerFee.word, fill.orderHash.word,
            ]
            return (topics, Self.bytes(words))
        case .cancel(let cancel):
            let event = cancel.event
            let topics = [
                Self.cancelTopic, event.maker.word, cancel.feeRecipient.word,
                Self.tokensTopic(makerToken: event.makerToken, takerToken: event.takerToken),
            ]
            let words = [
                event.makerToken.word, event.takerToken.word, event.makerAmount.word,
                event.takerAmount.word, event.orderHash.word,
            ]
            return (topics, Self.bytes(words))
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
        switch topics.first {
        case Self.fillTopic?: self = .fill(try Self.fill(topics: topics, data: data))
        case Self.cancelTopic?: self = .cancel(try Self.cancel(topics: topics, data: data))
        case Self.errorTopic?: self = try Self.error(topics: topics, data: data)
        default: return nil
        }
    }

    private static func fill(
        topics: [Bytes32],
        data: [UInt8]
    ) throws(ExchangeError) -> FillEvent {
        let failure = ExchangeError.unreadableAnswer("a LogFill is malformed")
        let words = try words(of: data, count: 8, or: failure)
        guard topics.count == 4,
            let maker = address(topics[1]), let feeRecipient = address(topics[2]),
            let taker = address(words[0]), let makerToken = address(words[1]),
            let takerToken = address(words[2]),
            topics[3] == tokensTopic(makerToken: makerToken, takerToken: takerToken)
        else { throw failure }
        return FillEvent(
            orderHash: OrderHash(words[7]),
            maker: maker,
            taker: taker,
            feeRecipient: feeRecipient,
            makerToken: makerToken,
            takerToken: takerToken,
            makerAmount: UInt256(words[3]),
            takerAmount: UInt256(words[4]),
            makerFee: UInt256(words[5]),
            takerFee: UInt256(words[6])
        )
    }

    private static func cancel(
        topics: [Bytes32],
        data: [UInt8]
    ) throws(ExchangeError) -> Cancel {
        let failure = ExchangeError.unreadableAnswer("a LogCancel is malformed")
        let words = try words(of: data, count: 5, or: failure)
        guard topics.count == 4,
            let maker = address(topics[1]), let feeRecipient = address(topics[2]),
            let makerToken = address(words[0]), let takerToken = address(words[1]),
            topics[3] == tokensTopic(makerToken: makerToken, takerToken: takerToken)
        else { throw failure }
        return Cancel(
            event: CancelEvent(
                orderHash: OrderHash(words[4]),
                maker: maker,
                makerToken: makerToken,
                takerToken: takerToken,
                makerAmount: UInt256(words[2]),
                takerAmount: UInt256(words[3])
            ),
            feeRecipient: feeRecipient
        )
    }

    private static func error(
        topics: [Bytes32],
        data: [UInt8]
    ) throws(ExchangeError) -> ExchangeLogV1 {
        guard topics.count == 3, data.isEmpty, let id = UInt256(topics[1]).uint64,
            let reason = SkipReason(errorID: id)
        else { throw .unreadableAnswer("a LogError is malformed") }
        return .error(reason, OrderHash(topics[2]))
    }

    private static func address(_ word: Bytes32) -> Address? {
        let address = Address(truncating: word)
        return address.word == word ? address : nil
    }

    private static func words(
        of data: [UInt8],
        count: Int,
        or failure: ExchangeError
    ) throws(ExchangeError) -> [Bytes32] {
        guard data.count == 32 * count else { throw failure }
        return stride(from: 0, to: data.count, by: 32).compactMap { start in
            Bytes32(bytes: data[start..<start + 32])
        }
    }

    private static func bytes(_ words: [Bytes32]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(32 * words.count)
        for word in words { word.append(to: &bytes) }
        return bytes
    }
}

extension SkipReason {
    /// The contract's `errorId`; nil for a reason without one.
    public var errorID: UInt8? {
        switch self {
        case .expired: 0
        case .filledOrCancelled: 1
        case .roundingError: 2
        case .insufficientFunds: 3
        case .nothingMoved: nil
        }
    }

    /// The reason of a contract's `errorId`; nil for an unknown id.
    init?(errorID: UInt64) {
        switch errorID {
        case 0: self = .expired
        case 1: self = .filledOrCancelled
        case 2: self = .roundingError
        case 3: self = .insufficientFunds
        default: return nil
        }
    }
}
