import Ethereum
import ZeroEx

/// The filters of GET /orders; like the published server, it has none for expiry.
struct RecordFilterV4: Sendable {
    static let kinds: [String: QueryV4.Kind] = [
        "makerToken": .address, "takerToken": .address, "maker": .address, "taker": .address,
        "trader": .address, "sender": .address, "feeRecipient": .address,
        "verifyingContract": .address, "pool": .word, "hash": .word, "makerAmount": .number,
        "takerAmount": .number, "salt": .number, "takerTokenFeeAmount": .number,
        "remainingFillableTakerAmount": .number, "unfillable": .flag, "chainId": .never,
    ]

    let shared: OrderFilter
    private let sender: Address?
    private let pool: Bytes32?
    private let hash: Bytes32?
    private let makerAmount: UInt256?
    private let takerAmount: UInt256?
    private let salt: UInt256?
    private let takerFee: UInt256?

    init(_ query: QueryV4) {
        shared = OrderFilter(
            makerToken: "makerToken",
            takerToken: "takerToken",
            exchange: "verifyingContract",
            query.address
        )
        sender = query.address("sender")
        pool = query.word("pool")
        hash = query.word("hash")
        makerAmount = query.number("makerAmount")
        takerAmount = query.number("takerAmount")
        salt = query.number("salt")
        takerFee = query.number("takerTokenFeeAmount")
    }

    /// The order matches the request, regardless of the amount left.
    func matches(_ entry: OrderEntry) -> Bool {
        guard shared.matches(entry) else { return false }
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
