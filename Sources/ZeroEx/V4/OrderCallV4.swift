public import Ethereum

/// A call of the v4 contract about orders of one kind.
///
/// The arrays of a batch are unchanged from the call data: if their lengths differ, the contract
/// reverts.
public enum OrderCallV4<Order: NativeOrderV4>: Hashable, Sendable {
    /// Fill amounts are in taker token.
    case fill(Order, SignatureV4, amount: UInt128)
    case fillOrKill(Order, SignatureV4, amount: UInt128)
    case batchFill([Order], [SignatureV4], amounts: [UInt128], revertIfIncomplete: Bool)
    case cancel(Order)
    case batchCancel([Order])
    /// All of the sender's orders of a pair with a lower salt.
    case cancelPair(PairCancelV4)
    case batchCancelPair(makerTokens: [Address], takerTokens: [Address], minValidSalts: [UInt256])
    /// The same, sent by a signer that the maker registered.
    case cancelPairWithSigner(maker: Address, PairCancelV4)
    case info(Order)
    case relevantState(Order, SignatureV4)
    case batchRelevantStates([Order], [SignatureV4])
    case hash(Order)

    /// The operation.
    public var verb: OrderVerbV4 {
        switch self {
        case .fill: .fill
        case .fillOrKill: .fillOrKill
        case .batchFill: .batchFill
        case .cancel: .cancel
        case .batchCancel: .batchCancel
        case .cancelPair: .cancelPair
        case .batchCancelPair: .batchCancelPair
        case .cancelPairWithSigner: .cancelPairWithSigner
        case .info: .info
        case .relevantState: .relevantState
        case .batchRelevantStates: .batchRelevantStates
        case .hash: .hash
        }
    }
}

/// A cancel of a pair's orders below a minimum salt; an order with exactly that salt stays valid.
public struct PairCancelV4: Hashable, Sendable {
    public var makerToken: Address
    public var takerToken: Address
    public var minValidSalt: UInt256

    /// The arguments of a cancel by pair.
    public init(makerToken: Address, takerToken: Address, minValidSalt: UInt256) {
        self.makerToken = makerToken
        self.takerToken = takerToken
        self.minValidSalt = minValidSalt
    }

    var words: [Bytes32] {
        [makerToken.word, takerToken.word, minValidSalt.word]
    }
}

/// An operation of the v4 contract on orders of either kind.
public enum OrderVerbV4: Hashable, Sendable, CaseIterable {
    case fill, fillOrKill, batchFill
    case cancel, batchCancel, cancelPair, batchCancelPair, cancelPairWithSigner
    case info, relevantState, batchRelevantStates, hash

    /// The argument words before the first array; 0 if there is no array.
    var headWords: Int {
        switch self {
        case .batchFill: 4
        case .batchCancel: 1
        case .batchCancelPair: 3
        case .batchRelevantStates: 2
        case .fill, .fillOrKill, .cancel, .cancelPair, .cancelPairWithSigner, .info,
            .relevantState, .hash:
            0
        }
    }
}

extension OrderCallV4 {
    func write(to writer: inout ContractDataWriter) {
        switch self {
        case .fill(let order, let signature, let amount),
            .fillOrKill(let order, let signature, let amount):
            writer.put(order.words + signature.words)
            writer.put(UInt256(amount))
        case .batchFill(let orders, let signatures, let amounts, let revertIfIncomplete):
            writer.put(array: orders.flatMap(\.words), count: orders.count)
            writer.put(array: signatures.flatMap(\.words), count: signatures.count)
            writer.put(array: amounts.map { UInt256($0).word })
            writer.put(revertIfIncomplete)
        case .cancel(let order), .info(let order), .hash(let order):
            writer.put(order.words)
        case .batchCancel(let orders):
            writer.put(array: orders.flatMap(\.words), count: orders.count)
        case .cancelPair(let pair):
            writer.put(pair.words)
        case .batchCancelPair(let makerTokens, let takerTokens, let minValidSalts):
            writer.put(array: makerTokens.map(\.word))
            writer.put(array: takerTokens.map(\.word))
            writer.put(array: minValidSalts.map(\.word))
        case .cancelPairWithSigner(let maker, let pair):
            writer.put([maker.word] + pair.words)
        case .relevantState(let order, let signature):
            writer.put(order.words + signature.words)
        case .batchRelevantStates(let orders, let signatures):
            writer.put(array: orders.flatMap(\.words), count: orders.count)
            writer.put(array: signatures.flatMap(\.words), count: signatures.count)
        }
    }
}

extension OrderCallV4 {
    init(
        _ verb: OrderVerbV4,
        from reader: inout ContractDataReader
    ) throws(MalformedContractData) {
        switch verb {
        case .fill:
            self = .fill(
                try reader.order(),
                try reader.signatureV4(),
                amount: try reader.uint128()
            )
        case .fillOrKill:
            self = .fillOrKill(
                try reader.order(),
                try reader.signatureV4(),
                amount: try reader.uint128()
            )
        case .batchFill:
            self = .batchFill(
                try reader.orders(),
                try reader.signaturesV4(),
                amounts: try reader.uint128List(),
                revertIfIncomplete: try reader.flag()
            )
        case .cancel: self = .cancel(try reader.order())
        case .batchCancel: self = .batchCancel(try reader.orders())
        case .cancelPair: self = .cancelPair(try reader.pairCancel())
        case .batchCancelPair:
            self = .batchCancelPair(
                makerTokens: try reader.addressList(),
                takerTokens: try reader.addressList(),
                minValidSalts: try reader.numbers()
            )
        case .cancelPairWithSigner:
            self = .cancelPairWithSigner(maker: try reader.address(), try reader.pairCancel())
        case .info: self = .info(try reader.order())
        case .relevantState:
            self = .relevantState(try reader.order(), try reader.signatureV4())
        case .batchRelevantStates:
            self = .batchRelevantStates(try reader.orders(), try reader.signaturesV4())
        case .hash: self = .hash(try reader.order())
        }
    }
}

extension ContractDataReader {
    fileprivate mutating func order<Order: NativeOrderV4>()
        throws(MalformedContractData) -> Order
    {
        guard let order = Order(words: try words(Order.wordCount)) else {
            throw MalformedContractData()
        }
        return order
    }

    fileprivate mutating func orders<Order: NativeOrderV4>()
        throws(MalformedContractData) -> [Order]
    {
        try array(elementWords: Order.wordCount) { reader throws(MalformedContractData) in
            try reader.order()
        }
    }

    fileprivate mutating func signatureV4() throws(MalformedContractData) -> SignatureV4 {
        SignatureV4(type: try byte(), v: try byte(), r: try word(), s: try word())
    }

    fileprivate mutating func signaturesV4() throws(MalformedContractData) -> [SignatureV4] {
        try array(elementWords: 4) { reader throws(MalformedContractData) in
            try reader.signatureV4()
        }
    }

    mutating func pairCancel() throws(MalformedContractData) -> PairCancelV4 {
        PairCancelV4(
            makerToken: try address(),
            takerToken: try address(),
            minValidSalt: try number()
        )
    }

    mutating func uint128List() throws(MalformedContractData) -> [UInt128] {
        try array(elementWords: 1) { reader throws(MalformedContractData) in
            try reader.uint128()
        }
    }
}
