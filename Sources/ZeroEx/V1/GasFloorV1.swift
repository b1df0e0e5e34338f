import Ethereum

/// The gas of a v1 call whose orders are all fresh and filled, or cancelled.
///
/// Measured by executing the contracts of 2017 under today's gas rules, with plain tokens,
/// unlimited allowances and no balance that starts at zero; within 0.1 % of each measurement. An
/// order that is partly filled already uses 17,100 less, a balance that was zero 17,100 more.
enum GasFloorV1 {
    /// The properties of an order's fill that decide its gas.
    struct Fill {
        let maker: Address
        let paysFees: Bool
    }

    /// `fillOrder`: a batch of one without the batch overhead.
    static func fillOrder(_ fill: Fill, mode: FillMode) -> UInt64 {
        total([fill], mode: mode) - 3_090
    }

    /// `fillOrdersUpTo` over the orders that it fills.
    static func fillOrdersUpTo(_ fills: [Fill], mode: FillMode) -> UInt64 {
        guard !fills.isEmpty else { return 21_000 }
        return total(fills, mode: mode)
    }

    /// `cancelOrder` for one order, `batchCancelOrders` for more.
    static func cancel(count: Int) -> UInt64 {
        switch count {
        case ...0: 21_000
        case 1: 55_639
        default: 22_950 + 34_645 * UInt64(count)
        }
    }

    private static func total(_ fills: [Fill], mode: FillMode) -> UInt64 {
        var gas: UInt64 = 47_130
        if fills.contains(where: \.paysFees) { gas += 16_080 }
        var seen: Set<Address> = []
        for fill in fills {
            switch (mode, fill.paysFees) {
            case (.throwing, false): gas += 64_940
            case (.throwing, true): gas += 85_080
            case (.skipping, false): gas += 71_765
            case (.skipping, true): gas += 99_260
            }
            // A maker's second order finds its balances warm.
            if !seen.insert(fill.maker).inserted { gas -= fill.paysFees ? 18_400 : 11_600 }
        }
        return gas
    }
}
