import Ethereum

/// What a v4 fill uses whose orders are all fresh and filled.
///
/// Measured by executing the contracts of 2021 with plain tokens and no balance that goes from
/// zero: 108,000 for one order by itself, 125,000, 176,000, 330,000 and 585,000 for 1, 2, 5 and 10
/// orders of one maker in a batch, 25,000 for a fee whose recipient had nothing.
enum GasFloorV4 {
    /// One order of a fill: what decides its gas.
    struct Fill {
        let maker: Address
        /// nil where no fee is paid.
        let feeRecipient: Address?

        init(maker: Address, feeRecipient: Address?) {
            self.maker = maker
            self.feeRecipient = feeRecipient
        }

        init(_ terms: LimitOrderV4) {
            self.init(
                maker: terms.maker,
                feeRecipient: terms.takerTokenFeeAmount == 0 ? nil : terms.feeRecipient
            )
        }
    }

    /// `fillLimitOrder`.
    static func fill(_ fill: Fill, withProtocolFee: Bool) -> UInt64 {
        108_000 + fees([fill], withProtocolFee: withProtocolFee)
    }

    /// `batchFillLimitOrders`.
    static func batchFill(_ fills: [Fill], withProtocolFee: Bool) -> UInt64 {
        var gas: UInt64 = 74_000
        var seen: Set<Address> = []
        for fill in fills {
            gas += 51_100
            // Another maker's balances are cold: as v1 measured, 11,600 for the two.
            if seen.insert(fill.maker).inserted, seen.count > 1 { gas += 11_600 }
        }
        return gas + fees(fills, withProtocolFee: withProtocolFee)
    }

    private static func fees(_ fills: [Fill], withProtocolFee: Bool) -> UInt64 {
        // A recipient's second fee writes to a balance that is there: 8,000.
        var recipients: Set<Address> = []
        var gas: UInt64 = 0
        for recipient in fills.compactMap(\.feeRecipient) {
            gas += recipients.insert(recipient).inserted ? 25_000 : 8_000
        }
        guard withProtocolFee, !fills.isEmpty else { return gas }
        // Ether to the fee's collector for each order (9,000 and a warm account), which may be new
        // (25,000) and is cold at first (2,500), and once what is left to the sender: the rules of
        // Ethereum, since no fee was taken when the rest was measured.
        return gas + 9_100 * UInt64(fills.count) + 27_500 + 9_100
    }
}
