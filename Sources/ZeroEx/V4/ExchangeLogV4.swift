public import Ethereum

/// An event of the v4 contract's native orders.
///
/// No argument is indexed, so the first topic is the only one.
public enum ExchangeLogV4: Hashable, Sendable {
    /// A fill; the amounts are zero if the call moved nothing.
    public struct Fill: Hashable, Sendable {
        public var orderHash: OrderHash
        public var maker: Address
        public var taker: Address
        public var makerToken: Address
        public var takerToken: Address
        public var amounts: FillAmountsV4
        public var pool: Bytes32

        /// A fill from its fields.
        public init(
            orderHash: OrderHash,
            maker: Address,
            taker: Address,
            makerToken: Address,
            takerToken: Address,
            amounts: FillAmountsV4,
            pool: Bytes32
        ) {
            self.orderHash = orderHash
            self.maker = maker
            self.taker = taker
            self.makerToken = makerToken
            self.takerToken = takerToken
            self.amounts = amounts
            self.pool = pool
        }
    }

    /// The fees of a limit order's fill, in addition to the taker amount.
    public struct Fees: Hashable, Sendable {
        public var recipient: Address
        /// Base units of taker token.
        public var takerTokenFee: UInt128
        /// Wei.
        public var protocolFee: UInt256

        /// Fees of a fill.
        public init(recipient: Address, takerTokenFee: UInt128, protocolFee: UInt256) {
            self.recipient = recipient
            self.takerTokenFee = takerTokenFee
            self.protocolFee = protocolFee
        }
    }

    case limitOrderFilled(Fill, Fees)
    case rfqOrderFilled(Fill)
    /// May also be of an order that was filled or cancelled before.
    case orderCancelled(OrderHash, maker: Address)
    case pairCancelledLimitOrders(maker: Address, PairCancelV4)
    case pairCancelledRfqOrders(maker: Address, PairCancelV4)
    case rfqOrderOriginsAllowed(origin: Address, [Address], allowed: Bool)
    case orderSignerRegistered(maker: Address, signer: Address, allowed: Bool)

    /// An event kind, by the signature that hashes to its topic.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case limitOrderFilled = """
            LimitOrderFilled(bytes32,address,address,address,address,address,uint128,uint128,\
            uint128,uint256,bytes32)
            """
        case rfqOrderFilled =
            "RfqOrderFilled(bytes32,address,address,address,address,uint128,uint128,bytes32)"
        case orderCancelled = "OrderCancelled(bytes32,address)"
        case pairCancelledLimitOrders = "PairCancelledLimitOrders(address,address,address,uint256)"
        case pairCancelledRfqOrders = "PairCancelledRfqOrders(address,address,address,uint256)"
        case rfqOrderOriginsAllowed = "RfqOrderOriginsAllowed(address,address[],bool)"
        case orderSignerRegistered = "OrderSignerRegistered(address,address,bool)"

        /// The first topic.
        public var topic: Bytes32 {
            Self.topics[self] ?? Keccak256.hash(rawValue.utf8)
        }

        /// The event kind of a topic; nil if it is not a native order event.
        public init?(topic: Bytes32) {
            guard let kind = Self.kinds[topic] else { return nil }
            self = kind
        }

        private static let topics = Dictionary(
            uniqueKeysWithValues: allCases.map { ($0, Keccak256.hash($0.rawValue.utf8)) }
        )
        private static let kinds = Dictionary(
            uniqueKeysWithValues: topics.map { ($0.value, $0.key) }
        )
    }

    /// The kind of event.
    public var kind: Kind {
        switch self {
        case .limitOrderFilled: .limitOrderFilled
        case .rfqOrderFilled: .rfqOrderFilled
        case .orderCancelled: .orderCancelled
        case .pairCancelledLimitOrders: .pairCancelledLimitOrders
        case .pairCancelledRfqOrders: .pairCancelledRfqOrders
        case .rfqOrderOriginsAllowed: .rfqOrderOriginsAllowed
        case .orderSignerRegistered: .orderSignerRegistered
        }
    }

    /// The topics and the data of the emitted log.
    public var encoded: (topics: [Bytes32], data: [UInt8]) {
        var writer = ContractDataWriter()
        switch self {
        case .limitOrderFilled(let fill, let fees):
            writer.put([fill.orderHash.word, fill.maker.word, fill.taker.word])
            writer.put([fees.recipient.word, fill.makerToken.word, fill.takerToken.word])
            writer.put(UInt256(fill.amounts.taker))
            writer.put(UInt256(fill.amounts.maker))
            writer.put(UInt256(fees.takerTokenFee))
            writer.put([fees.protocolFee.word, fill.pool])
        case .rfqOrderFilled(let fill):
            writer.put([fill.orderHash.word, fill.maker.word, fill.taker.word])
            writer.put([fill.makerToken.word, fill.takerToken.word])
            writer.put(UInt256(fill.amounts.taker))
            writer.put(UInt256(fill.amounts.maker))
            writer.put([fill.pool])
        case .orderCancelled(let hash, let maker):
            writer.put([hash.word, maker.word])
        case .pairCancelledLimitOrders(let maker, let pair),
            .pairCancelledRfqOrders(let maker, let pair):
            writer.put([maker.word] + pair.words)
        case .rfqOrderOriginsAllowed(let origin, let addresses, let allowed):
            writer.put([origin.word])
            writer.put(array: addresses.map(\.word))
            writer.put(allowed)
        case .orderSignerRegistered(let maker, let signer, let allowed):
            writer.put([maker.word, signer.word])
            writer.put(allowed)
        }
        return ([kind.topic], writer.finished)
    }

    /// Reads a log of the contract; nil if its first topic is not a native order event.
    ///
    /// - Throws: `ExchangeError.unreadableAnswer` if the rest does not fit the first topic.
    public init?(topics: [Bytes32], data: [UInt8]) throws(ExchangeError) {
        guard let first = topics.first, let kind = Kind(topic: first) else { return nil }
        do throws(MalformedContractData) {
            guard topics.count == 1 else { throw MalformedContractData() }
            // The origins are the second of three arguments.
            var reader = ContractDataReader(data[...], headWords: 3)
            self = try Self.read(kind, from: &reader)
            try reader.finish()
        } catch {
            throw .unreadableAnswer("a \(kind.rawValue.prefix { $0 != "(" }) is malformed")
        }
    }

    private static func read(
        _ kind: Kind,
        from reader: inout ContractDataReader
    ) throws(MalformedContractData) -> ExchangeLogV4 {
        switch kind {
        case .limitOrderFilled: return try limitOrderFilled(&reader)
        case .rfqOrderFilled:
            return .rfqOrderFilled(
                Fill(
                    orderHash: OrderHash(try reader.word()),
                    maker: try reader.address(),
                    taker: try reader.address(),
                    makerToken: try reader.address(),
                    takerToken: try reader.address(),
                    amounts: try reader.fillAmounts(),
                    pool: try reader.word()
                )
            )
        case .orderCancelled:
            return .orderCancelled(OrderHash(try reader.word()), maker: try reader.address())
        case .pairCancelledLimitOrders:
            return .pairCancelledLimitOrders(
                maker: try reader.address(),
                try reader.pairCancel()
            )
        case .pairCancelledRfqOrders:
            return .pairCancelledRfqOrders(maker: try reader.address(), try reader.pairCancel())
        case .rfqOrderOriginsAllowed:
            return .rfqOrderOriginsAllowed(
                origin: try reader.address(),
                try reader.addressList(),
                allowed: try reader.flag()
            )
        case .orderSignerRegistered:
            return .orderSignerRegistered(
                maker: try reader.address(),
                signer: try reader.address(),
                allowed: try reader.flag()
            )
        }
    }

    private static func limitOrderFilled(
        _ reader: inout ContractDataReader
    ) throws(MalformedContractData) -> ExchangeLogV4 {
        let hash = OrderHash(try reader.word())
        let maker = try reader.address()
        let taker = try reader.address()
        let recipient = try reader.address()
        let makerToken = try reader.address()
        let takerToken = try reader.address()
        let amounts = try reader.fillAmounts()
        let fees = Fees(
            recipient: recipient,
            takerTokenFee: try reader.uint128(),
            protocolFee: try reader.number()
        )
        let fill = Fill(
            orderHash: hash,
            maker: maker,
            taker: taker,
            makerToken: makerToken,
            takerToken: takerToken,
            amounts: amounts,
            pool: try reader.word()
        )
        return .limitOrderFilled(fill, fees)
    }
}

extension ContractDataReader {
    mutating func fillAmounts() throws(MalformedContractData) -> FillAmountsV4 {
        FillAmountsV4(taker: try uint128(), maker: try uint128())
    }
}
