package import Ethereum

/// How soon a transaction is to be mined: which of the tips that others paid lately it pays.
package enum FeePriority: String, CaseIterable, Sendable {
    /// May wait for a quiet block.
    case low
    /// The usual.
    case market
    /// In the next block or so.
    case high

    /// Of the tips in a block by gas; the median over the last blocks is what is paid.
    var percentile: Int {
        switch self {
        case .low: 5
        case .market: 20
        case .high: 75
        }
    }

    /// What a node is asked for: how many blocks, and the percentiles of all priorities, which
    /// ascend.
    static let read = Read.feeHistory(blocks: 10, percentiles: allCases.map(\.percentile))

    /// The tips by priority, from the answer to `read`; empty where no block tells.
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

/// What somebody wants to pay for a unit of gas.
package struct FeeOverrides: Hashable, Sendable {
    /// Where no flag says otherwise.
    package var usual = FeePriority.market
    /// As asked for by a flag; then its tip is paid or nothing is sent.
    package var priority: FeePriority?
    /// The most for a unit of gas, base fee and tip together.
    package var maxFee: Wei?
    /// What a unit of gas costs on a chain without a base fee.
    package var gasPrice: Wei?

    package init() {}

    /// What a tip goes by.
    var wanted: FeePriority { priority ?? usual }

    /// The price is told, and no other is paid.
    var isExact: Bool { maxFee != nil || gasPrice != nil }

    /// A price of gas in gwei as people write it.
    ///
    /// - Throws: `DexError`, exit 2, `bad-gas-price`, for anything but digits with at most one
    ///   point and nine digits behind it.
    package static func gwei(_ text: String) throws(DexError) -> Wei {
        do {
            return Wei(try DecimalText.parse(text, decimals: 9))
        } catch {
            throw DexError(GasError.badPrice(text))
        }
    }

    /// What was asked for can be done on a chain, or for a transaction, with a base fee or without.
    ///
    /// - Parameter thing: what has none, in a sentence: `The chain`.
    /// - Throws: `DexError`, exit 2: `no-base-fee`, `has-base-fee`.
    func check(hasBaseFee: Bool, _ thing: String) throws(DexError) {
        if hasBaseFee, gasPrice != nil {
            throw DexError(GasError.hasBaseFee(thing: thing))
        }
        if !hasBaseFee, maxFee != nil || priority != nil {
            let flag = maxFee == nil ? "--priority" : "--max-fee"
            throw DexError(GasError.noBaseFee(thing: thing, flag: flag))
        }
    }
}
