package import Ethereum

/// How soon a transaction should be mined: which of the recent tips of others it pays.
package enum FeePriority: String, CaseIterable, Sendable {
    /// May wait for a quiet block.
    case low
    /// The default.
    case market
    /// Within about one block.
    case high

    /// The percentile of a block's tips by gas; the median over the last blocks is paid.
    var percentile: Int {
        switch self {
        case .low: 5
        case .market: 20
        case .high: 75
        }
    }

    /// The request to a node: the number of blocks, and the ascending percentiles of all
    /// priorities.
    static let read = Read.feeHistory(blocks: 10, percentiles: allCases.map(\.percentile))

    /// The tips by priority, from the answer to `read`; empty if no block has any.
    static func tips(_ history: FeeHistory) -> [FeePriority: Wei] {
        let rows = history.rewards.filter { $0.count == allCases.count }
        guard !rows.isEmpty else { return [:] }
        var tips: [FeePriority: Wei] = [:]
        for (column, priority) in allCases.enumerated() {
            tips[priority] = rows.map { $0[column] }.sorted()[rows.count / 2]
        }
        return tips
    }
}

/// The user's wishes for gas: the price of a unit, and the limit.
package struct FeeOverrides: Hashable, Sendable {
    /// Used if no flag is given.
    package var usual = FeePriority.market
    /// The priority in a flag; then its tip is paid or nothing is sent.
    package var priority: FeePriority?
    /// The maximum for a unit of gas, base fee and tip together.
    package var maxFee: Wei?
    /// The tip for a unit of gas, in place of what others pay; it is paid, or nothing is sent.
    package var tip: Wei?
    /// The price of a unit of gas on a chain without a base fee.
    package var gasPrice: Wei?
    /// The gas limit of each transaction, in place of the estimate with its margin.
    package var gasLimit: UInt64?

    package init() {}

    /// The priority that decides the tip.
    var wanted: FeePriority { priority ?? usual }

    /// The tip is the user's wish, and is not cut.
    var keepsTip: Bool { priority != nil || tip != nil }

    /// The user set the price, and no other is paid.
    var isExact: Bool { maxFee != nil || gasPrice != nil }

    /// A gas price in gwei, in the form that users type.
    ///
    /// - Throws: `DexError`, exit 2, `bad-gas-price`, for anything but digits with at most one
    ///   point and nine digits after it.
    package static func gwei(_ text: String) throws(DexError) -> Wei {
        do {
            return Wei(try DecimalNumber(text).units(decimals: 9))
        } catch {
            throw GasError.badPrice(text)
        }
    }

    /// Checks that the flags suit a chain or transaction with or without a base fee.
    ///
    /// - Parameter thing: the subject of the message: `The chain`.
    /// - Throws: `DexError`, exit 2: `no-base-fee`, `has-base-fee`.
    func check(hasBaseFee: Bool, _ thing: String) throws(DexError) {
        if hasBaseFee, gasPrice != nil {
            throw GasError.hasBaseFee(thing: thing)
        }
        let flag =
            maxFee.map { _ in "--max-fee" } ?? tip.map { _ in "--priority-fee" }
            ?? priority.map { _ in "--priority" }
        if !hasBaseFee, let flag {
            throw GasError.noBaseFee(thing: thing, flag: flag)
        }
    }
}
