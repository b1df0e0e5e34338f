package import Ethereum

/// Gas that cannot be paid, or an invalid wish about its price.
package enum GasError: ErrorArea {
    package static let concerns: ErrorConcerns = .market

    package static func aboveValue(cost: Wei, moved: Wei, coin: CoinSymbol) -> DexError {
        row(
            .refused("gas-above-value"),
            "The network fee is about \(coin.amount(cost)), more than the "
                + "\(coin.amount(moved)) that are moved; nothing was signed.",
            hint: "Wait until gas is cheaper, ask another node with --rpc, or accept the fee "
                + "with --allow-high-gas.",
            retryable: true
        )
    }

    package static func badPrice(_ text: String) -> DexError {
        row(
            .usage("bad-gas-price"),
            "\(PlainText.quoted(text, limit: 40)) is not a price of gas.",
            hint: "Write gwei, with at most nine digits behind the point, such as 1.5."
        )
    }

    package static func hasBaseFee(thing: String) -> DexError {
        row(
            .usage("has-base-fee"),
            "\(thing) uses EIP-1559 fees: --gas-price does not apply.",
            hint: "Say the most that a unit of gas may cost with --max-fee, and how soon it is "
                + "to be mined with --priority."
        )
    }

    package static func noBaseFee(thing: String, flag: String) -> DexError {
        row(
            .usage("no-base-fee"),
            "\(thing) has no base fee and no tips, so \(flag) means nothing here.",
            hint: "Say what a unit of gas costs with --gas-price, or leave it to the node."
        )
    }

    package static func rose(left: Wei, coin: CoinSymbol) -> DexError {
        row(
            .refused("fees-rose"),
            "Gas became more expensive than what was confirmed: of that \(coin.amount(left)) are "
                + "left, too little for the present price of gas.",
            hint: "Run the command again to see the new plan.",
            retryable: true
        )
    }

    package static func overCap(
        cost: Wei,
        budget: Wei,
        overrides: FeeOverrides,
        coin: CoinSymbol
    ) -> DexError {
        row(
            .refused("fee-cap"),
            "The gas would cost at least \(coin.amount(cost)), more than the "
                + "\(coin.amount(budget)) that are allowed.",
            hint: Self.hint(overrides),
            retryable: true,
            concerns: .gasCap
        )
    }

    /// Both are the user's.
    package static func tipAboveMaxFee(tip: Wei, maximum: Wei) -> DexError {
        row(
            .usage("bad-gas-price"),
            "A tip of \(GasPricing.gwei(tip)) (--priority-fee) is more than the "
                + "\(GasPricing.gwei(maximum)) of --max-fee, which includes it.",
            hint: "Lower --priority-fee, raise --max-fee, or leave --max-fee out."
        )
    }

    /// `minimum` is what nodes of the chain take at this base fee.
    package static func tooLow(maximum: Wei, minimum: Wei, base: Wei) -> DexError {
        row(
            .refused("max-fee-too-low"),
            "At most \(GasPricing.gwei(maximum)) for a unit of gas (--max-fee) is less than "
                + (minimum > base
                    ? "the \(GasPricing.gwei(minimum)) that nodes of this chain ask for at a base "
                        + "fee of \(GasPricing.gwei(base)): they would refuse it."
                    : "the base fee, which is \(GasPricing.gwei(base)) now: it could not be "
                        + "mined."),
            hint: "Raise --max-fee, or wait until gas is cheaper.",
            retryable: true
        )
    }

    package static func overBlockLimit(needed: UInt64, block: UInt64) -> DexError {
        row(
            .refused("block-gas-limit"),
            "The transaction needs \(needed) gas, and the chain takes at most \(block) in one.",
            hint: "Try a smaller amount."
        )
    }

    /// A gas limit of the user's that is below what every transaction of its data costs.
    package static func limitTooLow(limit: UInt64, minimum: UInt64) -> DexError {
        row(
            .refused("gas-limit-too-low"),
            "No node takes a gas limit of \(limit): the transaction costs \(minimum) gas before "
                + "it does anything.",
            hint: "Leave --gas-limit out to go by the node's estimate."
        )
    }

    /// A gas limit of the user's that is more than a block holds.
    package static func limitOverBlock(limit: UInt64, block: UInt64) -> DexError {
        row(
            .refused("block-gas-limit"),
            "A gas limit of \(limit) is more than the \(block) that the chain takes in one "
                + "transaction.",
            hint: "Leave --gas-limit out to go by the node's estimate."
        )
    }

    /// The account has too little ether for the value and, if included, the gas.
    package static func insufficient(
        ether: Wei,
        value: Wei,
        gas: Wei?,
        coin: CoinSymbol
    ) -> DexError {
        row(
            .refused("insufficient-ether"),
            "The account has \(coin.amount(ether)); "
                + [
                    value == .zero
                        ? nil : "\(coin.amount(value)) go along",
                    gas.map {
                        "the gas may cost \(coin.amount($0))"
                    },
                ].compactMap { $0 }.joined(separator: " and ") + ".",
            hint: value == .zero
                ? "Send some \(coin.noun) to the account first."
                : "Choose a smaller amount, or send some \(coin.noun) to the account first."
        )
    }

    package static func etherGone(_ coin: CoinSymbol) -> DexError {
        row(
            .refused("insufficient-ether"),
            "The account no longer has the \(coin.noun) for the gas.",
            hint: "Send some \(coin.noun) to the account first."
        )
    }

    /// Ether is to be sent along on a chain that has no coin.
    package static let noCoin = row(
        .refused("no-coin"),
        "This chain has no coin: a transaction cannot carry any.",
        hint: "Send or trade a token instead."
    )

    /// Base units of the token that pays the gas, of six decimals.
    package static func shortFeeToken(
        _ token: Address,
        owned: UInt256,
        needed: UInt256
    ) -> DexError {
        row(
            .refused("insufficient-fee-token"),
            "Gas is paid in the token \(token.checksummed) here: the account has "
                + "\(DecimalText.format(owned, decimals: 6)), and the gas may cost "
                + "\(DecimalText.format(needed, decimals: 6)).",
            hint: "Get some of it first, or choose another token for fees with the chain's "
                + "setUserToken(address)."
        )
    }

    private static func hint(_ overrides: FeeOverrides) -> String {
        if overrides.maxFee != nil { return "Lower --max-fee, or allow more with --max-gas-cost." }
        if overrides.tip != nil {
            return "Lower --priority-fee, or allow more with --max-gas-cost."
        }
        if overrides.gasPrice != nil {
            return "Lower --gas-price, or allow more with --max-gas-cost."
        }
        return overrides.priority == .high || overrides.priority == .market
            ? "Choose a lower --priority, wait until gas is cheaper, or allow more with "
                + "--max-gas-cost."
            : "Wait until gas is cheaper, or allow more with --max-gas-cost."
    }
}
