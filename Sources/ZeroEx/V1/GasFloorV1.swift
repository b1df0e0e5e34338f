import Ethereum

/// The gas of a v1 call whose orders are all fresh and filled, or cancelled.
///
/// Measured by executing the contracts of 2017 under Osaka's gas rules, with plain tokens,
/// unlimited allowances and no balance that starts at zero; within 0.1 % of each measurement. An
/// order that is partly filled already uses 17,100 less, a balance that was zero 17,100 more.
enum GasFloorV1 {
    /// The properties of an order's fill that decide its gas.
    struct Fill {
        let maker: Address
        let paysFees: Bool
    }

    /// `fillOrder`: a batch of one without the batch overhead.
    static func fillOrder(_ fill: Fill, mode: FillMode) -> GasFloor {
        floor([fill], mode: mode, less: 3_090)
    }

    /// `fillOrdersUpTo` over the orders that it fills.
    static func fillOrdersUpTo(_ fills: [Fill], mode: FillMode) -> GasFloor {
        guard !fills.isEmpty else { return GasFloor(21_000) }
        return floor(fills, mode: mode)
    }

    /// `cancelOrder` for one order, `batchCancelOrders` for more.
    static func cancel(count: Int) -> GasFloor {
        let measured: UInt64 =
            switch count {
            case ...0: 21_000
            case 1: 55_639
            default: 22_950 + 34_645 * UInt64(count)
            }
        return GasFloor(measured, newWords: max(0, count), accounts: 1)
    }

    private static func floor(_ fills: [Fill], mode: FillMode, less: UInt64 = 0) -> GasFloor {
        let makers = Set(fills.map(\.maker)).count
        let payers = Set(fills.filter(\.paysFees).map(\.maker)).count
        return GasFloor(
            total(fills, mode: mode) - less,
            // What is filled of each order.
            newWords: fills.count,
            // Two balances of the taker and of each maker; of the fee's token one of each, and its
            // recipient's.
            changedWords: 2 + 2 * makers + (payers > 0 ? 1 + 2 * payers : 0),
            // The exchange, the proxy, the tokens.
            accounts: payers > 0 ? 5 : 4
        )
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
