import Ethereum
import ZeroEx

/// The value of gas in QUOTE, through the chain's own or wrapped coin in the pair.
struct GasValue {
    let network: Network
    let pair: Pair
    /// QUOTE per BASE, of the trade itself.
    let average: Price

    init(_ network: Network, pair: Pair, average: Price) {
        self.network = network
        self.pair = pair
        self.average = average
    }

    /// In base units of QUOTE, rounded up; nil without the coin in the pair, or if unknown.
    ///
    /// - Parameter rollupFee: what a rollup takes beside the gas.
    func value(of gas: UInt64?, at price: Wei?, rollupFee: Wei) -> UInt256? {
        guard let gas,
            let cost = price?.multiplied(by: UInt256(gas))?.adding(rollupFee)?.rawValue
        else { return nil }
        if isCoin(pair.quote) { return cost }
        guard isCoin(pair.base),
            let (quotient, remainder) = UInt256.mulDiv(cost, average.quote, average.base)
        else { return nil }
        return remainder == .zero ? quotient : quotient.addingSaturating(1)
    }

    private func isCoin(_ token: Token) -> Bool {
        token.isNativeCoin || token.address == network.weth
    }
}
