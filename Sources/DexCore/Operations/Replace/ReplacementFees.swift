import Ethereum

/// The price of a replacement.
///
/// Nodes require a tenth more of both prices. Each replacement adds to the first confirmed price,
/// so number and price are limited.
struct ReplacementFees: Hashable {
    /// The usual maximum number of replacements of one transaction.
    static let maximumReplacements = 3
    /// The usual maximum price of a unit of gas, in percent of the first transaction's.
    static let maximumPercent: UInt64 = 150
    /// The nodes' minimum, in percent of the replaced transaction.
    static let minimumPercent: UInt64 = 110

    let fee: Transaction.Fee
    /// It pays less than the market price, to keep within a limit.
    let isCut: Bool

    /// The transactions with one nonce.
    struct Line {
        /// Of the first confirmed transaction.
        let first: Transaction.Fee
        /// Of the transaction to replace.
        let last: Transaction.Fee
        /// The number of replacements so far.
        let count: Int
    }

    /// - Parameters:
    ///   - market: the price of a new transaction.
    ///   - isExact: the user set that price: it is paid, or nothing is sent.
    ///   - tip: the user set that tip: it is paid, or nothing is sent; nil without.
    ///   - baseFee: of the next block; nil on a chain without one.
    ///   - limit: the gas limit.
    ///   - budget: the maximum gas cost.
    ///   - coin: of the budget.
    ///   - allowsMore: lifts the limits of number and percent.
    /// - Throws: `DexError`, exit 6: `replaced-too-often`, `replacement-cap`, `fee-cap`,
    ///   `replacement-too-low`, also where the limits leave less than the base fee.
    init(
        _ line: Line,
        market: Transaction.Fee,
        isExact: Bool = false,
        tip own: Wei? = nil,
        baseFee: Wei? = nil,
        limit: UInt64,
        budget: Wei,
        coin: CoinSymbol,
        allowsMore: Bool
    ) throws(DexError) {
        guard allowsMore || line.count < Self.maximumReplacements else { throw Self.tooOften }
        var minimum = try Self.raised(line.last.maximum)
        if isExact {
            guard market.maximum >= minimum else { throw Self.tooLow(market.maximum, minimum) }
            minimum = market.maximum
        }
        let ceiling = allowsMore ? Wei(.max) : Self.ceiling(of: line.first, limit: limit)
        guard minimum <= ceiling else {
            throw Self.feeBeyondCap(line.first.maximum, minimum, isExact)
        }
        let affordable = Wei(budget.rawValue / UInt256(max(limit, 1)))
        guard minimum <= affordable else {
            let cost = minimum.multiplied(by: UInt256(limit)) ?? Wei(.max)
            throw ReplacementError.feeCap(cost: cost, budget: budget, coin: coin)
        }
        let wanted = max(minimum, market.maximum)
        let maximum = min(wanted, ceiling, affordable)
        isCut = maximum < wanted
        if let baseFee, maximum < baseFee {
            throw ReplacementError.belowBaseFee(
                maximum,
                base: baseFee,
                isBudget: affordable < baseFee
            )
        }
        switch line.last {
        case .legacy: fee = .legacy(gasPrice: maximum)
        case .accessList: fee = .accessList(gasPrice: maximum)
        case .dynamic(_, let tip):
            let minimumTip = try Self.raised(tip)
            if let own {
                guard own >= minimumTip else { throw Self.tooLow(own, minimumTip, isTip: true) }
                guard own <= maximum else {
                    throw ReplacementError.tipBeyond(
                        own,
                        maximum: maximum,
                        isBudget: affordable < min(wanted, ceiling)
                    )
                }
            }
            fee = .dynamic(
                maxFeePerGas: maximum,
                maxPriorityFeePerGas: max(minimumTip, min(market.tip ?? minimumTip, maximum))
            )
        }
    }

    /// A tenth more, rounded up, and at least one more.
    static func raised(_ price: Wei) throws(DexError) -> Wei {
        guard
            let product = UInt256.mulDiv(price.rawValue, UInt256(Self.minimumPercent), 100),
            let up = Wei(product.quotient).adding(Wei(product.remainder == .zero ? 0 : 1)),
            let next = price.adding(Wei(1))
        else { throw feeBeyondCap(price, price, false) }
        return max(up, next)
    }

    /// The highest price of a unit of gas without a flag: 150 % of the first one.
    ///
    /// Of next to nothing, half as much more is next to nothing too, and the account would stand
    /// still: such a price may follow the market as long as all the gas costs at most
    /// `FeeBounds.smallCost`. 21,000 gas may so rise from 0 to 95 gwei.
    private static func ceiling(of first: Transaction.Fee, limit: UInt64) -> Wei {
        let usual = percent(maximumPercent, of: first)
        guard first.maximum < nextToNothing else { return usual }
        return max(usual, Wei(FeeBounds.smallCost.rawValue / UInt256(max(limit, 1))))
    }

    /// A price of a unit of gas that is next to nothing: below 1 gwei.
    private static let nextToNothing = Wei(1_000_000_000)

    private static func percent(_ percent: UInt64, of fee: Transaction.Fee) -> Wei {
        Wei(UInt256.mulDiv(fee.maximum.rawValue, UInt256(percent), 100)?.quotient ?? .max)
    }

    private static let tooOften = ReplacementError.tooOften(maximum: maximumReplacements)

    private static func tooLow(_ price: Wei, _ minimum: Wei, isTip: Bool = false) -> DexError {
        ReplacementError.tooLow(price, minimum: minimum, isTip: isTip)
    }

    private static func feeBeyondCap(_ first: Wei, _ minimum: Wei, _ isExact: Bool) -> DexError {
        ReplacementError.aboveCap(minimum, isExact: isExact, percent: maximumPercent, first: first)
    }
}
