import Ethereum

/// What a v4 call can do with where its orders are all fresh and filled, or all cancelled.
///
/// The contracts of 2021 used, with plain tokens and no balance that goes from zero, 108,000 for one
/// order by itself, 125,000, 176,000, 330,000 and 585,000 for 1, 2, 5 and 10 orders of one maker in
/// a batch, and 25,000 for a fee whose recipient had nothing. The same calls on our own contracts,
/// with ZRX for wrapped ether and allowances that are reduced, take up to 5,400 more by themselves,
/// 4,800 more for each further maker and 1,400 more for a fee. The figures here are enough for both;
/// `NativeGasTests` sends each kind of call with no more gas than that.
enum GasFloorV4 {
    /// One order of a fill: what decides its gas.
    struct Fill {
        let maker: Address
        /// nil where no fee is paid.
        let feeRecipient: Address?
        /// Whose collector gets the exchange's own fee.
        let pool: Bytes32

        init(maker: Address, feeRecipient: Address?, pool: Bytes32 = .zero) {
            self.maker = maker
            self.feeRecipient = feeRecipient
            self.pool = pool
        }

        init(_ terms: LimitOrderV4) {
            self.init(
                maker: terms.maker,
                feeRecipient: terms.takerTokenFeeAmount == 0 ? nil : terms.feeRecipient,
                pool: terms.pool
            )
        }
    }

    /// `fillLimitOrder`.
    static func fill(_ fill: Fill, withProtocolFee: Bool) -> UInt64 {
        112_500 + fees([fill], withProtocolFee: withProtocolFee)
    }

    /// `batchFillLimitOrders`.
    static func batchFill(_ fills: [Fill], withProtocolFee: Bool) -> UInt64 {
        var gas: UInt64 = 81_000
        var seen: Set<Address> = []
        for fill in fills {
            gas += 51_100
            // Another maker's two balances and an allowance are cold.
            if seen.insert(fill.maker).inserted, seen.count > 1 { gas += 17_000 }
        }
        return gas + fees(fills, withProtocolFee: withProtocolFee)
    }

    /// `cancelLimitOrder` and `batchCancelLimitOrders`.
    ///
    /// 55,000 were measured for one. Each further one writes a word that was zero (22,100), logs an
    /// event and passes 384 bytes.
    static func cancel(count: Int) -> UInt64 {
        count == 1 ? 55_000 : 35_000 + 30_000 * UInt64(count)
    }

    /// `cancelPairLimitOrders` and `batchCancelPairLimitOrders`.
    ///
    /// 53,000 were measured for one. Each further one does the same beside what a transaction costs.
    static func cancelPairs(count: Int) -> UInt64 {
        count == 1 ? 53_000 : 36_000 + 29_000 * UInt64(count)
    }

    private static func fees(_ fills: [Fill], withProtocolFee: Bool) -> UInt64 {
        // A recipient's second fee writes to a balance that is there: 8,000.
        var recipients: Set<Address> = []
        var gas: UInt64 = 0
        for recipient in fills.compactMap(\.feeRecipient) {
            gas += recipients.insert(recipient).inserted ? 27_000 : 8_000
        }
        guard withProtocolFee, !fills.isEmpty else { return gas }
        // Ether to the fee's collector for each order (9,000 and a warm account), and once what is
        // left to the sender. Each pool has a collector of its own, which may be new (25,000) and is
        // cold at first (2,500). By the rules of Ethereum, since no fee was taken when the rest was
        // measured.
        let pools = UInt64(Set(fills.map(\.pool)).count)
        return gas + 9_100 * UInt64(fills.count) + 27_500 * pools + 9_100
    }
}
