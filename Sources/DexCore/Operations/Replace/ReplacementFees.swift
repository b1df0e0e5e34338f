import Ethereum

/// What a transaction pays that takes the place of another in the pools.
///
/// Nodes want a tenth more of both prices; each replacement adds to what the first one was
/// confirmed at, so there are limits to how often and how far.
struct ReplacementFees: Hashable {
    /// How often one transaction is replaced unless more is asked for.
    static let mostReplacements = 3
    /// The most that a unit of gas may cost, in percent of the first transaction's, unless more is
    /// asked for.
    static let mostPercent: UInt64 = 150
    /// What nodes want, in percent of what is replaced.
    static let leastPercent: UInt64 = 110

    let fee: Transaction.Fee
    /// It pays less than the market does now, to keep within a limit.
    let isCut: Bool

    /// What is known of the line of transactions with one nonce.
    struct Line {
        /// Of the transaction that was confirmed first.
        let first: Transaction.Fee
        /// Of the one whose place is taken.
        let last: Transaction.Fee
        /// How many took another's place already.
        let count: Int
    }

    /// - Parameters:
    ///   - market: what a new transaction would pay.
    ///   - isExact: that price was asked for: it is paid, or nothing is sent.
    ///   - limit: the gas limit.
    ///   - budget: the most that the gas may cost.
    ///   - allowsMore: the limits of number and of percent are lifted.
    /// - Throws: `DexError`, exit 6: `replaced-too-often`, `replacement-cap`, `fee-cap`,
    ///   `replacement-too-low`.
    init(
        _ line: Line,
        market: Transaction.Fee,
        isExact: Bool = false,
        limit: UInt64,
        budget: Wei,
        allowsMore: Bool
    ) throws(DexError) {
        guard allowsMore || line.count < Self.mostReplacements else { throw Self.tooOften }
        var least = try Self.raised(line.last.maximum)
        if isExact {
            guard market.maximum >= least else { throw Self.tooLow(market.maximum, least) }
            least = market.maximum
        }
        let ceiling = allowsMore ? Wei(.max) : Self.percent(Self.mostPercent, of: line.first)
        guard least <= ceiling else { throw Self.tooDear(line.first.maximum, least, isExact) }
        let affordable = Wei(budget.rawValue / UInt256(max(limit, 1)))
        guard least <= affordable else {
            let cost = least.multiplied(by: UInt256(limit)) ?? Wei(.max)
            throw DexError(ReplacementError.feeCap(cost: cost, budget: budget))
        }
        let wanted = max(least, market.maximum)
        let most = min(wanted, ceiling, affordable)
        isCut = most < wanted
        switch line.last {
        case .legacy: fee = .legacy(gasPrice: most)
        case .accessList: fee = .accessList(gasPrice: most)
        case .dynamic(_, let tip):
            let leastTip = try Self.raised(tip)
            fee = .dynamic(
                maxFeePerGas: most,
                maxPriorityFeePerGas: max(leastTip, min(market.tip ?? leastTip, most))
            )
        }
    }

    /// A tenth more, rounded up, and more in any case.
    static func raised(_ price: Wei) throws(DexError) -> Wei {
        guard
            let product = UInt256.mulDiv(price.rawValue, UInt256(Self.leastPercent), 100),
            let up = Wei(product.quotient).adding(Wei(product.remainder == .zero ? 0 : 1)),
            let next = price.adding(Wei(1))
        else { throw tooDear(price, price, false) }
        return max(up, next)
    }

    private static func percent(_ percent: UInt64, of fee: Transaction.Fee) -> Wei {
        Wei(UInt256.mulDiv(fee.maximum.rawValue, UInt256(percent), 100)?.quotient ?? .max)
    }

    private static let tooOften = DexError(ReplacementError.tooOften(most: mostReplacements))

    private static func tooLow(_ price: Wei, _ least: Wei) -> DexError {
        DexError(ReplacementError.tooLow(price, least: least))
    }

    private static func tooDear(_ first: Wei, _ least: Wei, _ isExact: Bool) -> DexError {
        DexError(
            ReplacementError.aboveCap(least, isExact: isExact, percent: mostPercent, first: first)
        )
    }
}
