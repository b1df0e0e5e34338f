import Ethereum

/// The least gas of a v1 call whose orders are all filled or cancelled.
///
/// Measured by executing the contracts of 2017 under today's gas rules, with plain tokens,
/// distinct makers, unlimited allowances and no balance that goes from or to zero. Taken a tenth
/// lower, since a token may be leaner than those. An estimate below it was made of a call in which
/// something was skipped.
enum GasFloorV1 {
    /// One order of a fill: what decides its gas.
    struct Fill {
        let maker: Address
        let paysFees: Bool
    }

    /// `fillOrder`, which is a batch of one without the batch's own cost.
    static func fillOrder(_ fill: Fill, mode: FillMode) -> UInt64 {
        reduced(total([fill], mode: mode) - 3_092)
    }

    /// `fillOrdersUpTo` over the orders that it reaches.
    static func fillOrdersUpTo(_ fills: [Fill], mode: FillMode) -> UInt64 {
        guard !fills.isEmpty else { return 21_000 }
        return reduced(total(fills, mode: mode))
    }

    /// `cancelOrder` for one order, `batchCancelOrders` for more.
    static func cancel(count: Int) -> UInt64 {
        switch count {
        case ...0: 21_000
        case 1: reduced(55_639)
        default: reduced(22_950 + 34_630 * UInt64(count))
        }
    }

    private static func total(_ fills: [Fill], mode: FillMode) -> UInt64 {
        var gas: UInt64 = 47_130
        if fills.contains(where: \.paysFees) { gas += 16_080 }
        var seen: Set<Address> = []
        for fill in fills {
            switch (mode, fill.paysFees) {
            case (.throwing, false): gas += 64_930
            case (.throwing, true): gas += 85_050
            case (.skipping, false): gas += 71_740
            case (.skipping, true): gas += 99_230
            }
            // A maker's second order finds its balances warm.
            if !seen.insert(fill.maker).inserted { gas -= fill.paysFees ? 18_400 : 11_600 }
        }
        return gas
    }

    private static func reduced(_ gas: UInt64) -> UInt64 {
        gas / 10 * 9
    }
}
