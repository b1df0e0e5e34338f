import Ethereum

/// The gas price for simulating a fill if the exchange's own fee depends on it.
///
/// Without a price the contract computes a fee of zero and makes no payment, so the same call needs
/// more gas in a block: 25,000 for each new fee collector, and 9,000 for each order. At any price
/// above zero it needs the same.
struct SimulatedPayment: Sendable {
    /// The highest price of a unit of gas, in wei.
    let gasPrice: Wei
    /// The account's ether in wei: nodes want it to cover all gas of a call.
    let ether: Wei
    /// The most gas of one transaction.
    let maximumGas: UInt64

    /// The same at another price.
    func at(_ gasPrice: Wei) -> Self {
        Self(gasPrice: gasPrice, ether: ether, maximumGas: maximumGas)
    }

    /// The fee for a simulation: every price up to this one costs the account less.
    var fee: Transaction.Fee? {
        gasPrice == .zero ? nil : .legacy(gasPrice: gasPrice)
    }

    /// The most gas that the account can pay besides a value, and that a transaction may have.
    func gas(besides value: Wei) -> UInt64? {
        guard gasPrice != .zero else { return nil }
        let left = ether.subtracting(value) ?? .zero
        let affordable = left.rawValue / gasPrice.rawValue
        return min(affordable.uint64 ?? .max, maximumGas)
    }
}
