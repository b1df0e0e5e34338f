import DexCore
import Ethereum
import ZeroEx

/// One sentence of what a plan does; tokens outside of the bundled map by their addresses.
struct PlanWords: Sendable {
    private let tokens: TokenMap
    private let decimals: [Address: UInt8]
    private let coin: CoinSymbol

    /// - Throws: `DexError`, exit 3, if the bundled map cannot be read.
    init(_ network: Network, _ bounds: PlanBounds) throws(DexError) {
        tokens = try TokenMap(
            chainID: network.chainID,
            listed: network.tokenChain,
            coin: network.coin
        )
        decimals = bounds.decimals
        coin = network.coin
    }

    func token(_ address: Address) -> Token {
        if let token = tokens.known(address) { return token }
        let native = Token.nativeCoin(coin)
        if address == native.address { return native }
        return Token(
            address: address,
            symbol: address.checksummed,
            name: "",
            decimals: decimals[address]
        )
    }

    private func text(_ amount: Limits.Amount?) -> String {
        guard let amount else { return "nothing" }
        let token = token(amount.token)
        let value = TokenAmount(raw: amount.raw, token: token).value
        return "\(value) \(PlainText.name(token.symbol))"
    }

    func summary(of request: AgentRequest, _ bounds: PlanBounds) -> String {
        let pays = text(bounds.limits.pays)
        let receives = text(bounds.limits.receives)
        return switch request {
        case .market(let market, _):
            market.side == .buy
                ? "Buy at least \(receives) for at most \(pays)."
                : "Sell at most \(pays) for at least \(receives)."
        case .limit: "Offer \(pays) for \(receives), as an order that others may fill."
        case .cancel(let orders):
            "Cancel \(orders.count) \(orders.count == 1 ? "order" : "orders") on chain."
        }
    }
}
