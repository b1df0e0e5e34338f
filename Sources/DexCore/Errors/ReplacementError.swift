package import DexStore
package import Ethereum

/// A transaction that cannot be replaced, or not at this price.
package enum ReplacementError: ErrorArea {
    package static func feeCap(cost: Wei, budget: Wei, coin: CoinSymbol) -> DexError {
        row(
            .refused("fee-cap"),
            "The gas would cost up to \(coin.amount(cost)), more than the "
                + "\(coin.amount(budget)) that are allowed.",
            hint: "Allow more with --max-gas-cost, or wait for it: it is still in flight."
        )
    }

    package static func tooOften(maximum: Int) -> DexError {
        row(
            .refused("replaced-too-often"),
            "It was replaced \(maximum) times already; nothing was signed.",
            hint: "Wait for it, or replace it once more with --beyond-limits."
        )
    }

    package static func tooLow(_ price: Wei, minimum: Wei, isTip: Bool) -> DexError {
        row(
            .refused("replacement-too-low"),
            "Nodes take no replacement below "
                + (isTip ? "a tip of " : "")
                + "\(GasPricing.gwei(minimum)) for a unit of gas, "
                + "and \(GasPricing.gwei(price)) were asked for; nothing was signed.",
            hint: "Pay at least that, or leave the price to dex."
        )
    }

    /// The limits leave less for a unit of gas than the user's tip.
    package static func tipBeyond(_ tip: Wei, maximum: Wei, isBudget: Bool) -> DexError {
        row(
            .refused("replacement-cap"),
            "The limits leave at most \(GasPricing.gwei(maximum)) for a unit of gas, less than the "
                + "tip of \(GasPricing.gwei(tip)) (--priority-fee); nothing was signed.",
            hint: "Wait for it, or pay more with "
                + (isBudget ? "--max-gas-cost and " : "") + "--beyond-limits."
        )
    }

    /// No block takes it at the base fee of now.
    package static func belowBaseFee(_ price: Wei, base: Wei, isBudget: Bool) -> DexError {
        row(
            .refused("replacement-too-low"),
            "The limits leave at most \(GasPricing.gwei(price)) for a unit of gas, and the base "
                + "fee is \(GasPricing.gwei(base)): no block would take it now. Nothing was "
                + "signed.",
            hint: "Wait for a cheaper block, or pay more with "
                + (isBudget ? "--max-gas-cost and " : "") + "--beyond-limits."
        )
    }

    package static func aboveCap(
        _ price: Wei,
        isExact: Bool,
        percent: UInt64,
        first: Wei
    ) -> DexError {
        row(
            .refused("replacement-cap"),
            (isExact
                ? "\(GasPricing.gwei(price)) for a unit of gas are "
                : "Nodes take no replacement below \(GasPricing.gwei(price)) for a unit of gas, "
                    + "which is ")
                + "over \(percent) % of the \(GasPricing.gwei(first)) that were "
                + "confirmed first; nothing was signed.",
            hint: "Wait for it, or pay more with --beyond-limits."
        )
    }

    package static func unknownPurpose(_ hash: TransactionHash, purpose: String) -> DexError {
        row(
            .refused("not-replaceable"),
            "A later version of dex sent \(hash), for \(PlainText.clean(purpose, limit: 40)); this "
                + "one does not know what it does.",
            hint: "Update dex, or take its nonce: dex tx cancel \(hash)"
        )
    }

    package static func wouldFillNothing(_ hash: TransactionHash) -> DexError {
        row(
            .simulationFailed("would-fill-nothing"),
            "The simulation filled nothing: the orders of the fill \(hash) were "
                + "taken, cancelled or expired meanwhile; nothing was signed."
        )
    }

    package static func unknown(_ hash: TransactionHash, network: String) -> DexError {
        row(
            .usage("unknown-transaction"),
            "The journal of the network \"\(network)\" does not have the "
                + "transaction \(hash); only what dex sent can be replaced.",
            hint: "See what it has: dex tx list. An order is cancelled with dex cancel."
        )
    }

    package static func otherAccount(
        _ hash: TransactionHash,
        sender: Address,
        account: Address
    ) -> DexError {
        row(
            .wallet("wrong-account"),
            "The transaction \(hash) is of \(sender.checksummed), and "
                + "\(account.checksummed) is to sign.",
            hint: "Name its account: --wallet \(sender.checksummed)"
        )
    }

    package static func hasSuccessor(
        _ hash: TransactionHash,
        successor: TransactionHash
    ) -> DexError {
        row(
            .refused("has-successor"),
            "The transaction \(hash) was replaced already, by \(successor); nothing was signed.",
            hint: "Replace that one, or follow it: dex status \(successor) --wait"
        )
    }

    package static func mined(_ hash: TransactionHash) -> DexError {
        row(
            .refused("already-mined"),
            "The transaction \(hash) is mined, so nothing can take its place; nothing was signed.",
            hint: "See what it did: dex status \(hash)"
        )
    }

    package static func neverMined(
        _ hash: TransactionHash,
        _ stage: TransactionStage
    ) -> DexError {
        row(
            .refused("not-replaceable"),
            "The transaction \(hash) is \(stage.rawValue) and will never be mined; nothing "
                + "was signed.",
            hint: "See what became of it: dex status \(hash)"
        )
    }

    /// Its nonce is used, and no node shows yet whether by it.
    package static func undecided(_ hash: TransactionHash) -> DexError {
        row(
            .notMinedYet("pending-transaction"),
            "The nonce of the transaction \(hash) is used, and no node shows yet whether by it "
                + "or by another one: it may be mined. Nothing was signed.",
            hint: "A node may lag behind. Ask again in a minute: dex status \(hash)",
            retryable: true
        )
    }

    package static func badJournal(_ hash: TransactionHash, error: TransactionError) -> DexError {
        row(
            .fault("bad-journal"),
            "The journal's bytes of \(hash) are no transaction: "
                + error.description
        )
    }

    /// It fails in the simulation with another error.
    package static func fails(_ error: DexError, _ hash: TransactionHash) -> DexError {
        row(
            ErrorCode(error.kind, recorded: error.code),
            error.message,
            hint: "It would fail in a block too, and cost gas. Take its nonce instead: "
                + "dex tx cancel \(hash)"
        )
    }
}
