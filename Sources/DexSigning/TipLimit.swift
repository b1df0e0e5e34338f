package import Ethereum

/// The most that a unit of gas may pay to those who make blocks.
///
/// A tip is ether that leaves: who makes the block may be the one who asked for the signature. A
/// key that reads no chain does not know the base fee, so it bounds what the bytes say.
package struct TipLimit: Hashable, Sendable {
    /// Of a transaction with a tip of its own (EIP-1559), in wei.
    package let tip: Wei
    /// The whole price of any other transaction, in wei: all above the base fee is a tip.
    package let price: Wei

    package init(tip: Wei, price: Wei) {
        self.tip = tip
        self.price = price
    }

    /// What a transaction offers for a unit of gas.
    struct Offer: Hashable, Sendable {
        let amount: Wei
        /// It is the price, of which any part may be a tip.
        let isPrice: Bool

        init(_ fee: Transaction.Fee) {
            switch fee {
            case .legacy(let price), .accessList(let price): (amount, isPrice) = (price, true)
            case .dynamic(let maximum, let tip): (amount, isPrice) = (min(maximum, tip), false)
            }
        }
    }

    func maximum(of offer: Offer) -> Wei { offer.isPrice ? price : tip }
}
