import Ethereum
import ZeroEx

/// The filters of GET /orders; expiry is none, as the published server has it.
struct RecordFilterV4: Sendable {
    static let kinds: [String: QueryV4.Kind] = [
        "makerToken": .address, "takerToken": .address, "maker": .address, "taker": .address,
        "trader": .address, "sender": .address, "feeRecipient": .address,
        "verifyingContract": .address, "pool": .word, "hash": .word, "makerAmount": .number,
        "takerAmount": .number, "salt": .number, "takerTokenFeeAmount": .number,
        "remainingFillableTakerAmount": .number, "unfillable": .flag, "chainId": .never,
    ]

    let makerToken: Address?
    let takerToken: Address?
    let maker: Address?
    private let taker: Address?
    private let trader: Address?
    private let sender: Address?
    private let feeRecipient: Address?
    private let exchange: Address?
    private let pool: Bytes32?
    private let hash: Bytes32?
    private let makerAmount: UInt256?
    private let takerAmount: UInt256?
    private let salt: UInt256?
    private let takerFee: UInt256?

    init(_ query: QueryV4) {
        makerToken = query.address("makerToken")
        takerToken = query.address("takerToken")
        maker = query.address("maker")
        taker = query.address("taker")
        trader = query.address("trader")
        sender = query.address("sender")
        feeRecipient = query.address("feeRecipient")
        exchange = query.address("verifyingContract")
        pool = query.word("pool")
        hash = query.word("hash")
        makerAmount = query.number("makerAmount")
        takerAmount = query.number("takerAmount")
        salt = query.number("salt")
        takerFee = query.number("takerTokenFeeAmount")
    }

    /// The order is one of those that were asked for, whatever is left of it.
    func matches(_ entry: OrderEntry) -> Bool {
        if let makerToken, entry.direction.makerToken != makerToken { return false }
        if let takerToken, entry.direction.takerToken != takerToken { return false }
        if let maker, entry.maker != maker { return false }
        if let taker, entry.taker != taker { return false }
        if let trader, entry.maker != trader, entry.taker != trader { return false }
        if let feeRecipient, entry.feeRecipient != feeRecipient { return false }
        if let exchange, entry.exchange != exchange { return false }
        if let hash, entry.hash.word != hash { return false }
        if let makerAmount, entry.order.makerAmount != makerAmount { return false }
        if let takerAmount, entry.order.takerAmount != takerAmount { return false }
        if let salt, entry.order.salt != salt { return false }
        if let takerFee, entry.order.takerFee != takerFee { return false }
        if sender != nil || pool != nil {
            guard let terms = (entry.order as? SignedOrderV4)?.terms else { return false }
            if let sender, terms.sender != sender { return false }
            if let pool, terms.pool != pool { return false }
        }
        return true
    }
}
