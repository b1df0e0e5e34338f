import Ethereum

/// The gas limit of a transaction, beside the gas that it needs.
struct GasLimit: Hashable, Sendable {
    /// Units of gas.
    let units: UInt64
    /// By the node's estimate and the measured minimum, without a margin.
    let needed: UInt64
    /// The call: rollups charge its bytes as well.
    let request: CallRequest

    /// The warning if the user's limit is too low; nil if it is not.
    var warning: String? {
        guard units < needed else { return nil }
        return "GAS LIMIT \(units) is below the \(needed) that the transaction needs by the node's "
            + "estimate: it is likely to run out of gas. It then does nothing and still costs its "
            + "gas."
    }

    /// The user's limit, else a percentage of what is needed, at most what the chain takes.
    ///
    /// - Parameters:
    ///   - estimate: by the node.
    ///   - percent: the limit in percent of the estimate, as far as the chain's charge allows.
    ///   - floor: the minimum gas, if known; an estimate above it wins.
    ///   - request: the call data and the access list decide what a node takes at all.
    /// - Throws: `DexError`: exit 6, `block-gas-limit` if the required gas or the user's limit is
    ///   more than a block or the chain's cap holds, `gas-limit-too-low` if no node takes it; exit
    ///   4 if the estimate is below what every such transaction costs.
    init(
        estimate: UInt64,
        percent: UInt64,
        floor: UInt64 = 0,
        of request: CallRequest,
        within bounds: GasBounds
    ) throws(DexError) {
        self.request = request
        let (rules, maximum, block) = (bounds.rules, bounds.maximum, bounds.block)
        let minimum = max(
            rules.minimumLimit(of: request, in: block),
            rules.gasForSize(of: request, in: block)
        )
        needed = max(estimate, floor, minimum)
        let minimumEstimate = rules.minimumEstimate(of: request, in: block)
        guard estimate >= minimumEstimate else {
            throw DexError(
                ChainError.nonsense(
                    "it estimates \(estimate) gas, and every such transaction costs "
                        + "\(minimumEstimate)"
                )
            )
        }
        guard needed <= maximum else {
            throw GasError.overBlockLimit(needed: needed, block: maximum)
        }
        guard let wanted = bounds.overrides.gasLimit else {
            let percent = rules.margin(percent, of: request, estimate: estimate)
            let (product, overflow) = needed.multipliedReportingOverflow(by: percent)
            units = min(overflow ? .max : product / 100, maximum)
            return
        }
        guard wanted >= minimum else {
            throw GasError.limitTooLow(limit: wanted, minimum: minimum)
        }
        guard wanted <= maximum else {
            throw GasError.limitOverBlock(limit: wanted, block: maximum)
        }
        units = wanted
    }

    init(units: UInt64, needed: UInt64, request: CallRequest) {
        self.units = units
        self.needed = needed
        self.request = request
    }

    /// The same call with another limit.
    init(units: UInt64, like limit: GasLimit) {
        self.units = units
        needed = limit.needed
        request = limit.request
    }
}
