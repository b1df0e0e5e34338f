package import DexStore
package import Ethereum
package import ZeroEx

/// The reason why a plan of `dex mcp` is not carried out.
package enum AgentPlanError: ErrorArea {
    /// - Parameter text: as it was given.
    package static func noSuchPlan(text: String) -> DexError {
        row(
            .usage("no-such-plan"),
            "There is no plan \(PlainText.clean(text, limit: 40)).",
            hint: "A plan is forgotten a day after its end. See them with `dex approve list`."
        )
    }

    /// Several plans begin with these digits.
    package static func severalPlans(digits: String, _ plans: [PlanID]) -> DexError {
        row(
            .usage("no-such-plan"),
            "\(plans.count) plans begin with \(PlainText.clean(digits, limit: 16)): "
                + plans.map(\.description).joined(separator: ", ") + ".",
            hint: "Give more digits."
        )
    }

    /// The market, or what it costs, is outside the plan's bounds by now; a sentence.
    package static func moved(_ id: PlanID, reason: String) -> DexError {
        row(
            .refused("plan-moved"),
            "The plan \(id) does not hold any more: \(reason)",
            hint: "Nothing was signed. Make a new plan.",
            concerns: .movedPlan
        )
    }

    package static func declined(_ id: PlanID) -> DexError {
        row(
            .refused("plan-declined"),
            "A person declined the plan \(id).",
            hint: "Nothing was signed."
        )
    }

    package static func expired(_ id: PlanID) -> DexError {
        row(
            .refused("plan-expired"),
            "The plan \(id) is more than \(AgentPlanLife.seconds / 60) minutes old.",
            hint: "Nothing was signed. Make a new plan."
        )
    }

    package static func interrupted(_ id: PlanID) -> DexError {
        row(
            .refused("plan-interrupted"),
            "The process that carried out the plan \(id) ended before it signed what the plan "
                + "is for.",
            hint: "Make a new plan."
        )
    }

    /// It was carried out, or could not be.
    package static func ended(_ id: PlanID) -> DexError {
        row(
            .refused("plan-ended"),
            "The plan \(id) has ended.",
            hint: "See what came of it with `dex approve show \(id)`."
        )
    }

    /// A process signs, sends or waits for it.
    package static func running(_ id: PlanID) -> DexError {
        row(
            .refused("plan-ended"),
            "The plan \(id) is carried out already.",
            hint: "See what comes of it with `dex approve show \(id)`."
        )
    }

    /// The key that would sign for the server is locked.
    package static func locked(_ address: Address, wallet: String?) -> DexError {
        row(
            .wallet("locked"),
            "The key of \(address.checksummed) is locked, and agents sign with an unlocked one "
                + "alone.",
            hint: "A person can unlock it within limits: dex unlock "
                + "\(wallet.map { PlainText.clean($0, limit: 64) } ?? "WALLET") --max AMOUNT",
            retryable: true
        )
    }

    /// Its price is far from the market: only a person takes it.
    package static let farPrice = row(
        .refused("needs-person"),
        "Its price is far from what the market shows, and only a person may take it.",
        hint: "Nothing was signed. A person can say yes: dex approve"
    )

    /// The key is no unlocked wallet's: agents never sign with it.
    package static func personalKey(_ address: Address) -> DexError {
        row(
            .refused("needs-person"),
            "The key of \(address.checksummed) is not one that dex unlock keeps, and agents sign "
                + "with no other.",
            hint: "Nothing was signed. A person can say yes: dex approve"
        )
    }

    /// The end of a plan that failed before anything was sent, as the journal has it.
    package static func recorded(
        code: String,
        _ kind: ErrorKind,
        message: String,
        hint: String?
    ) -> DexError {
        row(ErrorCode(kind, recorded: code), message, hint: hint)
    }

    /// `dex approve` asks a person, and there is no terminal.
    package static let needsTerminal = row(
        .usage("needs-terminal"),
        "dex approve asks a person, and there is no terminal to ask at.",
        hint: "Run it in a terminal of your own. `dex approve show ID` only shows a plan."
    )

    /// An order that a plan signed, and that no relay has.
    package static func notPosted(_ hash: OrderHash) -> DexError {
        row(
            .relayRefused("order-not-posted"),
            "The order \(hash) was signed, and no relay has it.",
            hint: "See whether it can still be filled: dex why \(hash)"
        )
    }

    /// A plan has nothing that would be signed.
    package static func nothing(reason: String) -> DexError {
        row(.refused("nothing-to-do"), reason, hint: "Nothing was planned.")
    }

    /// The plan is of another network or account than the command's.
    package static func elsewhere(_ id: PlanID, network: String, account: Address) -> DexError {
        row(
            .usage("no-such-plan"),
            "The plan \(id) is of \(account.checksummed) on the network "
                + "\(PlainText.clean(network, limit: 40)).",
            hint: "Name them: --network, --wallet."
        )
    }
}
