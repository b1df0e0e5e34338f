package import Ethereum

/// Gas that cannot be paid, or an invalid wish about its price.
package enum GasError: ErrorArea {
    case aboveValue(cost: Wei, moved: Wei, coin: CoinSymbol)
    case badPrice(String)
    case hasBaseFee(thing: String)
    case noBaseFee(thing: String, flag: String)
    case rose(left: Wei, coin: CoinSymbol)
    case overCap(cost: Wei, budget: Wei, wish: FeeOverrides, coin: CoinSymbol)
    /// Both are the user's.
    case tipAboveMaxFee(tip: Wei, most: Wei)
    /// `least` is what nodes of the chain take at this base fee.
    case tooLow(most: Wei, least: Wei, base: Wei)
    case overBlockLimit(needed: UInt64, block: UInt64)
    /// A gas limit of the user's that is below what every transaction of its data costs.
    case limitTooLow(limit: UInt64, least: UInt64)
    /// A gas limit of the user's that is more than a block holds.
    case limitOverBlock(limit: UInt64, block: UInt64)
    /// The account has too little ether for the value and, if included, the gas.
    case insufficient(ether: Wei, value: Wei, gas: Wei?, coin: CoinSymbol)
    case etherGone(CoinSymbol)
    /// Ether is to be sent along on a chain that has no coin.
    case noCoin
    /// Base units of the token that pays the gas, of six decimals.
    case shortFeeToken(Address, owned: UInt256, needed: UInt256)

    package var report: ErrorReport {
        switch self {
        case .aboveValue(let cost, let moved, let coin):
            ErrorReport(
                .refused,
                "gas-above-value",
                "The network fee is about \(coin.amount(cost)), more than the "
                    + "\(coin.amount(moved)) that are moved; nothing was signed.",
                hint: "Wait until gas is cheaper, ask another node with --rpc, or accept the fee "
                    + "with --allow-high-gas.",
                retryable: true
            )
        case .badPrice(let text):
            ErrorReport(
                .usage,
                "bad-gas-price",
                "\(PlainText.quoted(text, limit: 40)) is not a price of gas.",
                hint: "Write gwei, with at most nine digits behind the point, such as 1.5."
            )
        case .hasBaseFee(let thing):
            ErrorReport(
                .usage,
                "has-base-fee",
                "\(thing) has a base fee, which --gas-price knows nothing of.",
                hint: "Say the most that a unit of gas may cost with --max-fee, and how soon it is "
                    + "to be mined with --priority."
            )
        case .noBaseFee(let thing, let flag):
            ErrorReport(
                .usage,
                "no-base-fee",
                "\(thing) has no base fee and no tips, so \(flag) means nothing here.",
                hint: "Say what a unit of gas costs with --gas-price, or leave it to the node."
            )
        case .rose(let left, let coin):
            ErrorReport(
                .refused,
                "fees-rose",
                "Gas became more expensive than what was confirmed: of that "
                    + "\(coin.amount(left)) are left, too little for the present price of "
                    + "gas.",
                hint: "Run the command again to see the new plan.",
                retryable: true
            )
        case .overCap(let cost, let budget, let wish, let coin):
            ErrorReport(
                .refused,
                "fee-cap",
                "The gas would cost at least \(coin.amount(cost)), more than the "
                    + "\(coin.amount(budget)) that are allowed.",
                hint: Self.hint(wish),
                retryable: true
            )
        case .tipAboveMaxFee(let tip, let most):
            ErrorReport(
                .usage,
                "bad-gas-price",
                "A tip of \(GasPricing.gwei(tip)) (--priority-fee) is more than the "
                    + "\(GasPricing.gwei(most)) of --max-fee, which includes it.",
                hint: "Lower --priority-fee, raise --max-fee, or leave --max-fee out."
            )
        case .tooLow(let most, let least, let base):
            ErrorReport(
                .refused,
                "max-fee-too-low",
                "At most \(GasPricing.gwei(most)) for a unit of gas (--max-fee) is less than "
                    + (least > base
                        ? "the \(GasPricing.gwei(least)) that nodes of this chain ask for at a base "
                            + "fee of \(GasPricing.gwei(base)): they would refuse it."
                        : "the base fee, which is \(GasPricing.gwei(base)) now: it could not be "
                            + "mined."),
                hint: "Raise --max-fee, or wait until gas is cheaper.",
                retryable: true
            )
        case .overBlockLimit(let needed, let block):
            ErrorReport(
                .refused,
                "block-gas-limit",
                "The transaction needs \(needed) gas, and the chain takes at most "
                    + "\(block) in one.",
                hint: "Try a smaller amount."
            )
        case .limitTooLow(let limit, let least):
            ErrorReport(
                .refused,
                "gas-limit-too-low",
                "No node takes a gas limit of \(limit): the transaction costs \(least) gas before "
                    + "it does anything.",
                hint: "Leave --gas-limit out to go by the node's estimate."
            )
        case .limitOverBlock(let limit, let block):
            ErrorReport(
                .refused,
                "block-gas-limit",
                "A gas limit of \(limit) is more than the \(block) that the chain takes in one "
                    + "transaction.",
                hint: "Leave --gas-limit out to go by the node's estimate."
            )
        case .insufficient(let ether, let value, let gas, let coin):
            ErrorReport(
                .refused,
                "insufficient-ether",
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
        case .noCoin:
            ErrorReport(
                .refused,
                "no-coin",
                "This chain has no coin: a transaction cannot carry any.",
                hint: "Send or trade a token instead."
            )
        case .shortFeeToken(let token, let owned, let needed):
            ErrorReport(
                .refused,
                "insufficient-fee-token",
                "Gas is paid in the token \(token.checksummed) here: the account has "
                    + "\(DecimalText.format(owned, decimals: 6)), and the gas may cost "
                    + "\(DecimalText.format(needed, decimals: 6)).",
                hint: "Get some of it first, or choose another token for fees with the chain's "
                    + "setUserToken(address)."
            )
        case .etherGone(let coin):
            ErrorReport(
                .refused,
                "insufficient-ether",
                "The account no longer has the \(coin.noun) for the gas.",
                hint: "Send some \(coin.noun) to the account first."
            )
        }
    }

    private static func hint(_ wish: FeeOverrides) -> String {
        if wish.maxFee != nil { return "Lower --max-fee, or allow more with --max-gas-cost." }
        if wish.tip != nil { return "Lower --priority-fee, or allow more with --max-gas-cost." }
        if wish.gasPrice != nil { return "Lower --gas-price, or allow more with --max-gas-cost." }
        return wish.priority == .high || wish.priority == .market
            ? "Choose a lower --priority, wait until gas is cheaper, or allow more with "
                + "--max-gas-cost."
            : "Wait until gas is cheaper, or allow more with --max-gas-cost."
    }
}
