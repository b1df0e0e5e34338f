import Ethereum

/// The filters of GET /orders that every version of the API has.
struct OrderFilter: Sendable {
    let makerToken: Address?
    let takerToken: Address?
    let maker: Address?
    private let taker: Address?
    private let trader: Address?
    private let feeRecipient: Address?
    private let exchange: Address?

    /// - Parameters:
    ///   - makerToken: the name of that filter, like the next two.
    ///   - value: the address in a query for a name.
    init(
        makerToken: String,
        takerToken: String,
        exchange: String,
        _ value: (_ name: String) -> Address?
    ) {
        self.makerToken = value(makerToken)
        self.takerToken = value(takerToken)
        self.exchange = value(exchange)
        maker = value("maker")
        taker = value("taker")
        trader = value("trader")
        feeRecipient = value("feeRecipient")
    }

    func matches(_ entry: OrderEntry) -> Bool {
        if let makerToken, entry.direction.makerToken != makerToken { return false }
        if let takerToken, entry.direction.takerToken != takerToken { return false }
        if let maker, entry.maker != maker { return false }
        if let taker, entry.taker != taker { return false }
        if let trader, entry.maker != trader, entry.taker != trader { return false }
        if let feeRecipient, entry.feeRecipient != feeRecipient { return false }
        if let exchange, entry.exchange != exchange { return false }
        return true
    }
}
