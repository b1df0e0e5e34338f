import Ethereum

/// The pricing of gas: the fee fields of transactions, and the cap over all of them.
enum GasPricing {
    /// The fee of a new transaction.
    ///
    /// It is `2 x base + tip`, or the node's gas price on a chain without a base fee, or the user's
    /// own price.
    ///
    /// - Throws: `DexError`: exit 4 if the node did not report what others pay; exit 2 if the flags
    ///   do not apply to this chain or contradict each other; exit 6, `max-fee-too-low`, if no block would accept it.
    static func fee(
        _ fees: FeeSnapshot,
        _ overrides: FeeOverrides = FeeOverrides()
    ) throws(DexError) -> Transaction.Fee {
        try overrides.check(hasBaseFee: fees.baseFee != nil, "The chain")
        guard let base = fees.baseFee else {
            guard let price = overrides.gasPrice ?? fees.gasPrice else {
                throw DexError(fees.unread ?? .nonsense("the node reports no gas price"))
            }
            return .legacy(gasPrice: price)
        }
        // No tips paid and no tips reported are different cases.
        if let unread = fees.unread { throw DexError(unread) }
        let tip = TipChoice(fees, base: base, overrides).tip
        if let maximum = overrides.maxFee {
            if let own = overrides.tip, own > maximum {
                throw GasError.tipAboveMaxFee(tip: own, maximum: maximum)
            }
            let minimum = fees.rules.minimumPrice(base: base)
            guard maximum >= minimum else {
                throw GasError.tooLow(maximum: maximum, minimum: minimum, base: base)
            }
            return .dynamic(maxFeePerGas: maximum, maxPriorityFeePerGas: tip)
        }
        let floor = max(base, fees.rules.minimumBaseFee)
        guard let maximum = max(base.multiplied(by: 2) ?? Wei(.max), floor).adding(tip) else {
            throw DexError(ChainError.nonsense("the base fee exceeds 256 bits"))
        }
        return .dynamic(maxFeePerGas: maximum, maxPriorityFeePerGas: tip)
    }

    /// Fee fields whose cost for this much gas stays within a budget, and whether they were cut.
    ///
    /// Only the part above the base fee is cut; with a requested tip, or one that the chain asks for,
    /// only the part above base fee and tip.
    ///
    /// - Parameter mayCut: also cuts a requested price.
    /// - Throws: `DexError`, exit 6, `fee-cap`, if the budget does not pay even that; also as
    ///   `fee`.
    static func fee(
        _ fees: FeeSnapshot,
        limit: UInt64,
        budget: Wei,
        overrides: FeeOverrides,
        mayCut: Bool
    ) throws(DexError) -> (fee: Transaction.Fee, isCapped: Bool) {
        let wanted = try fee(fees, overrides)
        let price = wanted.maximum
        if let cost = price.multiplied(by: UInt256(limit)), cost <= budget {
            return (wanted, false)
        }
        var minimum = price
        if case .dynamic(_, let tip) = wanted, let base = fees.baseFee, mayCut || !overrides.isExact
        {
            // Where the chain itself names the call's tip, it takes no less.
            let hasTip = overrides.keepsTip || fees.rules.market == .estimate
            minimum = max(
                fees.rules.minimumPrice(base: base),
                hasTip ? min(price, base.adding(tip) ?? price) : base
            )
            let affordable = Wei(budget.rawValue / UInt256(max(limit, 1)))
            if affordable >= minimum {
                return (
                    .dynamic(
                        maxFeePerGas: affordable,
                        maxPriorityFeePerGas: min(tip, affordable)
                    ), true
                )
            }
        }
        throw GasError.overCap(
            cost: minimum.multiplied(by: UInt256(limit)) ?? Wei(.max),
            budget: budget,
            overrides: overrides,
            coin: fees.coin
        )
    }

    /// The maximum cost of all steps; the account must own that much ether.
    ///
    /// - Parameters:
    ///   - protocolFeeGas: the exchange's own fee as an amount of gas, also within the cap.
    ///   - value: other ether that is sent along.
    ///   - moved: the ether or wrapped ether that the command moves, in wei; nil if it has no known
    ///     value in ether.
    /// - Throws: `DexError`, exit 6: `fee-cap`, `insufficient-ether`, `gas-above-value`.
    static func plan(
        _ limits: [GasLimit],
        protocolFeeGas: UInt64 = 0,
        fees: FeeSnapshot,
        ether: Wei,
        value: Wei = .zero,
        moved: Wei? = nil,
        settings: TradeSettings
    ) throws(DexError) -> GasPlan {
        let overrides = settings.fees
        let total = limits.reduce(UInt64(0)) { $0.addingSaturating($1.units) }
        let allGas = total.addingSaturating(protocolFeeGas)
        let rollup = fees.rollup
        let cap = FeeBounds.cap(gas: allGas, rollup: rollup, settings)
        guard let budget = cap.subtracting(rollup.maximum) else {
            throw GasError.overCap(
                cost: rollup.maximum,
                budget: cap,
                overrides: overrides,
                coin: fees.coin
            )
        }
        let (fee, isCapped) = try fee(
            fees,
            limit: allGas,
            budget: budget,
            overrides: overrides,
            mayCut: false
        )
        let cost =
            fee.maximum.multiplied(by: UInt256(total))?.adding(rollup.maximum) ?? Wei(.max)
        let protocolFee = fee.maximum.multiplied(by: UInt256(protocolFeeGas)) ?? Wei(.max)
        let along = protocolFee.adding(value) ?? Wei(.max)
        switch fees.rules.paidIn {
        case .tokens:
            guard along == .zero else { throw GasError.noCoin }
            try FeeToken.check(fees.tokens, at: fee.maximum)
        case .coin:
            guard let needed = cost.adding(along), ether >= needed else {
                throw GasError.insufficient(ether: ether, value: along, gas: cost, coin: fees.coin)
            }
        }
        let price = present(fee, fees)
        let share = try FeeBounds.check(
            price.multiplied(by: UInt256(allGas))?.adding(rollup.present) ?? Wei(.max),
            moved: moved,
            fees.coin,
            settings
        )
        var warnings = limits.compactMap(\.warning)
        warnings += [tipWarning(fees, overrides), share].compactMap { $0 }
        warnings += self.warnings(fee, fees)
        if let reserve = reserveWarning(fees, ether: ether, along: along, cost: cost) {
            warnings.append(reserve)
        }
        if isCapped {
            warnings.append(
                "The fee was cut to the cap of \(fees.coin.amount(cap)): the transaction "
                    + "may have to wait for a cheaper block."
            )
        }
        return GasPlan(
            coin: fees.coin,
            limit: total,
            maxFeePerGas: fee.maximum,
            maxPriorityFeePerGas: fee.tip,
            maxCost: cost,
            presentCost: price.multiplied(by: UInt256(total))?.adding(rollup.present) ?? cost,
            priority: fee.tip == nil || overrides.tip != nil ? nil : overrides.wanted,
            isCapped: isCapped,
            protocolFee: protocolFee,
            rollup: rollup,
            privateNode: fees.privateNode,
            warnings: warnings + chargeWarnings(fees.rules, limits)
        )
    }

    /// What is to be said of the tip of a new transaction; nil on a chain without a base fee.
    static func tipWarning(_ fees: FeeSnapshot, _ overrides: FeeOverrides) -> String? {
        fees.baseFee.flatMap { TipChoice(fees, base: $0, overrides).warning }
    }

    static func present(_ fee: Transaction.Fee, _ fees: FeeSnapshot) -> Wei {
        guard let base = fees.baseFee, let tip = fee.tip, let price = base.adding(tip) else {
            return fee.maximum
        }
        return min(price, fee.maximum)
    }

    private static func warnings(_ fee: Transaction.Fee, _ fees: FeeSnapshot) -> [String] {
        switch fee {
        case .dynamic(let maximum, let tip):
            guard let base = fees.baseFee, let whole = base.adding(tip), maximum < whole else {
                return []
            }
            return [
                "At most \(gwei(maximum)) for a unit of gas leaves less than the tip of "
                    + "\(gwei(tip)) above the base fee of \(gwei(base)): it may have to wait "
                    + "for a cheaper block."
            ]
        case .legacy(let price), .accessList(let price):
            guard let usual = fees.gasPrice, price < usual else { return [] }
            return [
                "\(gwei(price)) for a unit of gas is less than the \(gwei(usual)) that the node "
                    + "suggests: it may have to wait long."
            ]
        }
    }

    /// What is to be said where the account keeps less than the chain asks it to.
    ///
    /// Whether it then waits depends on blocks that are not there yet.
    private static func reserveWarning(
        _ fees: FeeSnapshot,
        ether: Wei,
        along: Wei,
        cost: Wei
    ) -> String? {
        let (rules, coin) = (fees.rules, fees.coin)
        guard rules.reserve > .zero, rules.paidIn == .coin else { return nil }
        let left = along.adding(cost).flatMap { ether.subtracting($0) } ?? .zero
        guard left < rules.reserve else { return nil }
        return
            "IT LEAVES \(coin.amount(left)), and this chain keeps \(coin.amount(rules.reserve)) of an "
            + "account: the transaction waits, or fails and costs its gas, while another one of the "
            + "account is in the last blocks. An account with code of its own cannot make it."
    }

    /// What is to be said of a chain that charges gas otherwise than by its use.
    private static func chargeWarnings(_ rules: FeeRules, _ limits: [GasLimit]) -> [String] {
        guard rules.charged == .limit, limits.contains(where: { $0.units > $0.needed }) else {
            return []
        }
        return [
            "This chain charges the whole gas limit, used or not: the network fee is what the limit "
                + "costs, also if the transaction fails."
        ]
    }

    static func gwei(_ price: Wei) -> String {
        "\(DecimalText.format(price.rawValue, decimals: 9)) gwei"
    }

    /// Why a transaction waits for a lower gas price; nil if its price suffices.
    ///
    /// - Parameters:
    ///   - cap: its maximum price of a unit of gas.
    ///   - baseFee: of the next block.
    static func waiting(cap: Wei?, baseFee: Wei?) -> String? {
        guard let cap, let baseFee, cap < baseFee else { return nil }
        return "It pays at most \(gwei(cap)) for a unit of gas, and the base fee is "
            + "\(gwei(baseFee)) now: it waits until gas is that cheap again."
    }
}
