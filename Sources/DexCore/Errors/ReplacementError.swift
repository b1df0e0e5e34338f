package import DexStore
package import Ethereum

/// A transaction that cannot be replaced, or not at this price.
package enum ReplacementError: ErrorArea {
    case feeCap(cost: Wei, budget: Wei, coin: CoinSymbol)
    case tooOften(most: Int)
    case tooLow(Wei, least: Wei, isTip: Bool)
    /// The limits leave less for a unit of gas than the user's tip.
    case tipBeyond(Wei, most: Wei, isBudget: Bool)
    /// No block takes it at the base fee of now.
    case belowBaseFee(Wei, base: Wei, isBudget: Bool)
    case aboveCap(Wei, isExact: Bool, percent: UInt64, first: Wei)
    case unknownPurpose(TransactionHash, purpose: String)
    case wouldFillNothing(TransactionHash)
    case unknown(TransactionHash, network: String)
    case otherAccount(TransactionHash, sender: Address, account: Address)
    case hasSuccessor(TransactionHash, successor: TransactionHash)
    case mined(TransactionHash)
    case neverMined(TransactionHash, TransactionStage)
    /// Its nonce is used, and no node shows yet whether by it.
    case undecided(TransactionHash)
    case badJournal(TransactionHash, error: TransactionError)
    /// It fails in the simulation with another error.
    case fails(DexError, TransactionHash)

    package var report: ErrorReport {
        switch self {
        case .fails(let error, let hash):
            ErrorReport(
                error.kind,
                error.code,
                error.message,
                hint: "It would fail in a block too, and cost gas. Take its nonce instead: "
                    + "dex tx cancel \(hash)"
            )
        case .feeCap(let cost, let budget, let coin):
            ErrorReport(
                .refused,
                "fee-cap",
                "The gas would cost up to \(coin.amount(cost)), more than the "
                    + "\(coin.amount(budget)) that are allowed.",
                hint: "Allow more with --max-gas-cost, or wait for it: it is still in flight."
            )
        case .tooOften(let most):
            ErrorReport(
                .refused,
                "replaced-too-often",
                "It was replaced \(most) times already; nothing was signed.",
                hint: "Wait for it, or replace it once more with --beyond-limits."
            )
        case .tipBeyond(let tip, let most, let isBudget):
            ErrorReport(
                .refused,
                "replacement-cap",
                "The limits leave at most \(GasPricing.gwei(most)) for a unit of gas, less than the "
                    + "tip of \(GasPricing.gwei(tip)) (--priority-fee); nothing was signed.",
                hint: "Wait for it, or pay more with "
                    + (isBudget ? "--max-gas-cost and " : "") + "--beyond-limits."
            )
        case .tooLow(let price, let least, let isTip):
            ErrorReport(
                .refused,
                "replacement-too-low",
                "Nodes take no replacement below "
                    + (isTip ? "a tip of " : "")
                    + "\(GasPricing.gwei(least)) for a unit of gas, "
                    + "and \(GasPricing.gwei(price)) were asked for; nothing was signed.",
                hint: "Pay at least that, or leave the price to dex."
            )
        case .belowBaseFee(let price, let base, let isBudget):
            ErrorReport(
                .refused,
                "replacement-too-low",
                "The limits leave at most \(GasPricing.gwei(price)) for a unit of gas, and the base "
                    + "fee is \(GasPricing.gwei(base)): no block would take it now. Nothing was "
                    + "signed.",
                hint: "Wait for a cheaper block, or pay more with "
                    + (isBudget ? "--max-gas-cost and " : "") + "--beyond-limits."
            )
        case .aboveCap(let price, let isExact, let percent, let first):
            ErrorReport(
                .refused,
                "replacement-cap",
                (isExact
                    ? "\(GasPricing.gwei(price)) for a unit of gas are "
                    : "Nodes take no replacement below \(GasPricing.gwei(price)) for a unit of gas, "
                        + "which is ")
                    + "over \(percent) % of the \(GasPricing.gwei(first)) that were "
                    + "confirmed first; nothing was signed.",
                hint: "Wait for it, or pay more with --beyond-limits."
            )
        case .unknownPurpose(let hash, let purpose):
            ErrorReport(
                .refused,
                "not-replaceable",
                "A later version of dex sent \(hash), for "
                    + "\(PlainText.clean(purpose, limit: 40)); this one does not know "
                    + "what it does.",
                hint: "Update dex, or take its nonce: dex tx cancel \(hash)"
            )
        case .wouldFillNothing(let hash):
            ErrorReport(
                .simulationFailed,
                "would-fill-nothing",
                "The simulation filled nothing: the orders of the fill \(hash) were "
                    + "taken, cancelled or expired meanwhile; nothing was signed."
            )
        case .unknown(let hash, let network):
            ErrorReport(
                .usage,
                "unknown-transaction",
                "The journal of the network \"\(network)\" does not have the "
                    + "transaction \(hash); only what dex sent can be replaced.",
                hint: "See what it has: dex tx list. An order is cancelled with dex cancel."
            )
        case .otherAccount(let hash, let sender, let account):
            ErrorReport(
                .wallet,
                "wrong-account",
                "The transaction \(hash) is of \(sender.checksummed), and "
                    + "\(account.checksummed) is to sign.",
                hint: "Name its account: --wallet \(sender.checksummed)"
            )
        case .hasSuccessor(let hash, let successor):
            ErrorReport(
                .refused,
                "has-successor",
                "The transaction \(hash) was replaced already, by \(successor); nothing "
                    + "was signed.",
                hint: "Replace that one, or follow it: dex status \(successor) --wait"
            )
        case .mined(let hash):
            ErrorReport(
                .refused,
                "already-mined",
                "The transaction \(hash) is mined, so nothing can take its place; nothing "
                    + "was signed.",
                hint: "See what it did: dex status \(hash)"
            )
        case .neverMined(let hash, let stage):
            ErrorReport(
                .refused,
                "not-replaceable",
                "The transaction \(hash) is \(stage.rawValue) and will never be mined; nothing "
                    + "was signed.",
                hint: "See what became of it: dex status \(hash)"
            )
        case .undecided(let hash):
            ErrorReport(
                .notMinedYet,
                "pending-transaction",
                "The nonce of the transaction \(hash) is used, and no node shows yet whether by it "
                    + "or by another one: it may be mined. Nothing was signed.",
                hint: "A node may lag behind. Ask again in a minute: dex status \(hash)",
                retryable: true
            )
        case .badJournal(let hash, let error):
            ErrorReport(
                .fault,
                "bad-journal",
                "The journal's bytes of \(hash) are no transaction: "
                    + error.description
            )
        }
    }
}
