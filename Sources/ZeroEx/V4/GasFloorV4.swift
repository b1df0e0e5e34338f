import Ethereum

/// The gas that is enough for a v4 call whose orders are all fresh and filled, or all cancelled.
///
/// The contracts of 2021, with plain tokens and no balance that starts at zero, used 108,000 for
/// one order alone, 125,000, 176,000, 330,000 and 585,000 for 1, 2, 5 and 10 orders of one maker in
/// a batch, and 25,000 for a fee whose recipient had nothing. The same calls on our own contracts,
/// with ZRX for wrapped ether and allowances that are reduced, take up to 5,400 more for the call,
/// 4,800 more for each further maker and 1,400 more for a fee. The figures here are enough for
/// both; `NativeGasTests` sends each kind of call with at most this gas.
enum GasFloorV4 {
    /// The properties of an order's fill that decide its gas.
    struct Fill {
        let maker: Address
        /// nil if no fee is paid.
        let feeRecipient: Address?
        /// The pool whose collector gets the protocol fee.
        var pool = Bytes32.zero
    }

    /// `fillLimitOrder`.
    static func fill(_ fill: Fill, withProtocolFee: Bool) -> GasFloor {
        floor(112_500, [fill], withProtocolFee: withProtocolFee)
    }

    /// `batchFillLimitOrders`.
    static func batchFill(_ fills: [Fill], withProtocolFee: Bool) -> GasFloor {
        var gas: UInt64 = 81_000
        var seen: Set<Address> = []
        for fill in fills {
            gas += 51_100
            // Another maker's two balances and an allowance are cold.
            if seen.insert(fill.maker).inserted, seen.count > 1 { gas += 17_000 }
        }
        return floor(gas, fills, withProtocolFee: withProtocolFee)
    }

    /// `cancelLimitOrder` and `batchCancelLimitOrders`.
    ///
    /// Measured 55,000 for one. Each further one writes a word that was zero (22,100), logs an
    /// event and passes 384 bytes.
    static func cancel(count: Int) -> GasFloor {
        GasFloor(
            count == 1 ? 55_000 : 35_000 + 30_000 * UInt64(count),
            newWords: count,
            accounts: 2
        )
    }

    /// `cancelPairLimitOrders` and `batchCancelPairLimitOrders`.
    ///
    /// Measured 53,000 for one. Each further one costs the same without the transaction's base
    /// cost.
    static func cancelPairs(count: Int) -> GasFloor {
        GasFloor(
            count == 1 ? 53_000 : 36_000 + 29_000 * UInt64(count),
            newWords: count,
            accounts: 2
        )
    }

    /// The fills with their fees.
    private static func floor(
        _ measured: UInt64,
        _ fills: [Fill],
        withProtocolFee: Bool
    ) -> GasFloor {
        let makers = Set(fills.map(\.maker)).count
        let recipients = Set(fills.compactMap(\.feeRecipient)).count
        let pools = Set(fills.map(\.pool)).count
        return GasFloor(
            measured + fees(fills, withProtocolFee: withProtocolFee),
            // What is filled of each order, and a recipient's balance.
            newWords: fills.count + recipients,
            // Two balances of the taker and of each maker, and their allowances.
            changedWords: 3 + 3 * makers,
            // The proxy, its two parts, the tokens.
            accounts: 5 + (withProtocolFee ? pools : 0),
            payments: withProtocolFee ? fills.count + 1 : 0,
            newAccounts: withProtocolFee ? pools : 0
        )
    }

    private static func fees(_ fills: [Fill], withProtocolFee: Bool) -> UInt64 {
        // A recipient's second fee writes to a non-zero balance: 8,000.
        var recipients: Set<Address> = []
        var gas: UInt64 = 0
        for recipient in fills.compactMap(\.feeRecipient) {
            gas += recipients.insert(recipient).inserted ? 27_000 : 8_000
        }
        guard withProtocolFee, !fills.isEmpty else { return gas }
        // For each order, ether to the fee's collector (9,000 and a warm account); once, the change
        // to the sender. Each pool has its own collector, which may be new (25,000) and is cold at
        // first (2,500). These follow Ethereum's gas rules, since the measurements took no fee.
        let pools = UInt64(Set(fills.map(\.pool)).count)
        return gas + 9_100 * UInt64(fills.count) + 27_500 * pools + 9_100
    }
}

extension GasFloorV4.Fill {
    init(_ terms: LimitOrderV4) {
        maker = terms.maker
        feeRecipient = terms.takerTokenFeeAmount == 0 ? nil : terms.feeRecipient
        pool = terms.pool
    }
}
