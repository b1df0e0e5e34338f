import Ethereum

/// What gas costs: the fee fields of transactions, their limits, and the cap over all of them.
enum GasPricing {
    /// `2 x base + tip` with the median of the recent low tips, or the node's gas price on a chain
    /// without a base fee.
    ///
    /// - Throws: `DexError`, exit 4, where the node tells neither.
    static func fee(_ fees: FeeSnapshot) throws(DexError) -> Transaction.Fee {
        guard let base = fees.baseFee else {
            guard let price = fees.gasPrice else {
                throw DexError(ChainError.nonsense("the node tells no price of gas"))
            }
            return .legacy(gasPrice: price)
        }
        let sorted = fees.tips.sorted()
        let tip = sorted.isEmpty ? Wei.zero : sorted[sorted.count / 2]
        guard let double = base.multiplied(by: 2), let most = double.adding(tip) else {
            throw DexError(ChainError.nonsense("the base fee exceeds 256 bits"))
        }
        return .dynamic(maxFeePerGas: most, maxPriorityFeePerGas: tip)
    }

    /// Fee fields whose cost over so much gas stays within a budget; the second value tells that
    /// they were cut.
    ///
    /// - Throws: `DexError`, exit 6, `fee-cap`, where the budget does not even pay the present
    ///   base fee, or the gas price of a chain without one.
    static func fee(
        _ fees: FeeSnapshot,
        limit: UInt64,
        budget: Wei
    ) throws(DexError) -> (fee: Transaction.Fee, isCapped: Bool) {
        let wanted = try fee(fees)
        let price = wanted.maximum
        if let cost = price.multiplied(by: UInt256(limit)), cost <= budget {
            return (wanted, false)
        }
        let affordable = Wei(budget.rawValue / UInt256(max(limit, 1)))
        guard case .dynamic(_, let tip) = wanted, let base = fees.baseFee, affordable >= base
        else {
            let least = fees.baseFee ?? price
            let cost = least.multiplied(by: UInt256(limit))?.rawValue ?? .max
            throw DexError(
                .refused,
                code: "fee-cap",
                message: "The gas would cost at least \(ether(Wei(cost))) ETH, more than the "
                    + "\(ether(budget)) ETH that are allowed.",
                hint: "Wait until gas is cheaper, or allow more with --max-gas-cost.",
                retryable: true
            )
        }
        return (
            .dynamic(maxFeePerGas: affordable, maxPriorityFeePerGas: min(tip, affordable)), true
        )
    }

    /// A gas limit from an estimate: in percent of it, at least the floor, at most a block's.
    ///
    /// - Throws: `DexError`, exit 6, where a block does not hold as much as is needed.
    static func limit(
        estimate: UInt64,
        percent: UInt64,
        floor: UInt64 = 0,
        block: Block
    ) throws(DexError) -> UInt64 {
        let needed = max(estimate, floor)
        guard needed <= block.gasLimit else {
            throw DexError(
                .refused,
                code: "block-gas-limit",
                message: "The transaction needs \(needed) gas, and a block holds "
                    + "\(block.gasLimit).",
                hint: "Try a smaller amount."
            )
        }
        let (product, overflow) = needed.multipliedReportingOverflow(by: percent)
        return min(overflow ? .max : product / 100, block.gasLimit)
    }

    /// What all steps may cost; the account must own that much ether.
    ///
    /// - Parameter value: ether that goes along.
    /// - Throws: `DexError`, exit 6: `fee-cap`, `insufficient-ether`.
    static func plan(
        _ limits: [UInt64],
        fees: FeeSnapshot,
        ether: Wei,
        value: Wei = .zero,
        settings: TradeSettings
    ) throws(DexError) -> GasPlan {
        let total = limits.reduce(UInt64(0)) { $0.addingSaturating($1) }
        let (fee, isCapped) = try fee(fees, limit: total, budget: settings.feeCap)
        let cost = fee.maximum.multiplied(by: UInt256(total)) ?? Wei(.max)
        guard let needed = cost.adding(value), ether >= needed else {
            throw insufficient(ether, value: value, gas: cost)
        }
        return GasPlan(
            limit: total,
            maxFeePerGas: fee.maximum,
            maxPriorityFeePerGas: fee.tip,
            maxCost: cost,
            isCapped: isCapped
        )
    }

    /// The account has too little ether.
    ///
    /// - Parameters:
    ///   - value: ether that goes along.
    ///   - gas: what the gas may cost; nil where that was not even asked.
    static func insufficient(_ ether: Wei, value: Wei, gas: Wei?) -> DexError {
        var needs: [String] = []
        if value != .zero { needs.append("\(self.ether(value)) ETH go along") }
        if let gas { needs.append("the gas may cost \(self.ether(gas)) ETH") }
        return DexError(
            .refused,
            code: "insufficient-ether",
            message: "The account has \(self.ether(ether)) ETH; "
                + needs.joined(separator: " and ") + ".",
            hint: value == .zero
                ? "Send some ether to the account first."
                : "Choose a smaller amount, or send some ether to the account first."
        )
    }

    /// What to tell where the fee was cut to the cap.
    static func capWarning(_ gas: GasPlan, _ settings: TradeSettings) -> String? {
        guard gas.isCapped else { return nil }
        return "The fee was cut to the cap of \(ether(settings.feeCap)) ETH: the transaction may "
            + "have to wait for a cheaper block."
    }

    /// A price of gas as gwei, in decimal.
    static func gwei(_ price: Wei) -> String {
        "\(DecimalText.format(price.rawValue, decimals: 9)) gwei"
    }

    /// Why a transaction waits for gas to get cheaper; nil where what it pays suffices.
    ///
    /// - Parameters:
    ///   - cap: the most that it pays for a unit of gas.
    ///   - baseFee: of the next block.
    static func waiting(cap: Wei?, baseFee: Wei?) -> String? {
        guard let cap, let baseFee, cap < baseFee else { return nil }
        return "It pays at most \(gwei(cap)) for a unit of gas, and the base fee is "
            + "\(gwei(baseFee)) now: it waits until gas is that cheap again."
    }

    /// Wei as ether, in decimal.
    static func ether(_ amount: Wei) -> String {
        DecimalText.format(amount.rawValue, decimals: 18)
    }
}

extension Transaction.Fee {
    /// The most that one unit of gas may cost.
    var maximum: Wei {
        switch self {
        case .legacy(let price), .accessList(let price): price
        case .dynamic(let most, _): most
        }
    }

    /// The most that goes to the block's producer; nil on a chain without a base fee.
    var tip: Wei? {
        if case .dynamic(_, let tip) = self { tip } else { nil }
    }
}
