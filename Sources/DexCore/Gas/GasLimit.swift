import Ethereum

/// The gas limit of a transaction, beside the gas that it needs.
struct GasLimit: Hashable, Sendable {
    /// Units of gas.
    let units: UInt64
    /// By the node's estimate and the measured minimum, without a margin.
    let needed: UInt64

    /// The warning if the user's limit is too low; nil if it is not.
    var warning: String? {
        guard units < needed else { return nil }
        return "GAS LIMIT \(units) is below the \(needed) that the transaction needs by the node's "
            + "estimate: it is likely to run out of gas. It then does nothing and still costs its "
            + "gas."
    }

    /// The user's limit, else a percentage of what is needed, at most a block's limit.
    ///
    /// - Parameters:
    ///   - estimate: by the node.
    ///   - percent: the limit in percent of the estimate.
    ///   - floor: the minimum gas, if known.
    ///   - request: the call data and the access list decide what a node takes at all.
    /// - Throws: `DexError`, exit 6: `block-gas-limit` if the required gas or the user's limit is
    ///   more than a block holds, `gas-limit-too-low` if no node takes it.
    init(
        estimate: UInt64,
        percent: UInt64,
        floor: UInt64 = 0,
        of request: CallRequest,
        block: Block,
        wish: FeeOverrides
    ) throws(DexError) {
        needed = max(estimate, floor)
        guard needed <= block.gasLimit else {
            throw DexError(GasError.overBlockLimit(needed: needed, block: block.gasLimit))
        }
        guard let wanted = wish.gasLimit else {
            let (product, overflow) = needed.multipliedReportingOverflow(by: percent)
            units = min(overflow ? .max : product / 100, block.gasLimit)
            return
        }
        let least = Transaction.intrinsicGas(data: request.data, accessList: request.accessList)
        guard wanted >= least else {
            throw DexError(GasError.limitTooLow(limit: wanted, least: least))
        }
        guard wanted <= block.gasLimit else {
            throw DexError(GasError.limitOverBlock(limit: wanted, block: block.gasLimit))
        }
        units = wanted
    }

    init(units: UInt64, needed: UInt64) {
        self.units = units
        self.needed = needed
    }
}
