package import DexStore
package import Ethereum
package import ZeroEx

/// Why a plan of `dex mcp` is not carried out.
package enum AgentPlanError: ErrorArea {
    /// - Parameter text: as it was given.
    case noSuchPlan(text: String)
    /// Several plans begin with these digits.
    case severalPlans(digits: String, [PlanID])
    /// The market, or what it costs, is outside the plan's bounds by now; a sentence.
    case moved(PlanID, reason: String)
    case declined(PlanID)
    case expired(PlanID)
    case interrupted(PlanID)
    /// It was carried out, or could not be.
    case ended(PlanID)
    /// A process signs, sends or waits for it.
    case running(PlanID)
    /// The key that would sign for the server is locked.
    case locked(Address, wallet: String?)
    /// Its price is far from the market: only a person takes it.
    case farPrice
    /// The key is no unlocked wallet's: agents never sign with it.
    case personalKey(Address)
    /// The end of a plan that failed before anything was sent, as the journal has it.
    case recorded(code: String, ErrorKind, message: String, hint: String?)
    /// `dex approve` asks a person, and there is no terminal.
    case needsTerminal
    /// An order that a plan signed, and that no relay has.
    case notPosted(OrderHash)
    /// A plan has nothing that would be signed.
    case nothing(reason: String)
    /// The plan is of another network or account than the command's.
    case elsewhere(PlanID, network: String, account: Address)

    package var report: ErrorReport {
        switch self {
        case .noSuchPlan(let text):
            ErrorReport(
                .usage,
                "no-such-plan",
                "There is no plan \(PlainText.clean(text, limit: 40)).",
                hint: "A plan is forgotten a day after its end. See them with `dex approve list`."
            )
        case .severalPlans(let digits, let plans):
            ErrorReport(
                .usage,
                "no-such-plan",
                "\(plans.count) plans begin with \(PlainText.clean(digits, limit: 16)): "
                    + plans.map(\.description).joined(separator: ", ") + ".",
                hint: "Give more digits."
            )
        case .moved(let id, let reason):
            ErrorReport(
                .refused,
                "plan-moved",
                "The plan \(id) does not hold any more: \(reason)",
                hint: "Nothing was signed. Make a new plan."
            )
        case .declined(let id):
            ErrorReport(
                .refused,
                "plan-declined",
                "A person declined the plan \(id).",
                hint: "Nothing was signed."
            )
        case .expired(let id):
            ErrorReport(
                .refused,
                "plan-expired",
                "The plan \(id) is more than \(AgentPlanLife.seconds / 60) minutes old.",
                hint: "Nothing was signed. Make a new plan."
            )
        case .interrupted(let id):
            ErrorReport(
                .refused,
                "plan-interrupted",
                "The process that carried out the plan \(id) ended before it signed what the plan "
                    + "is for.",
                hint: "Make a new plan."
            )
        case .ended(let id):
            ErrorReport(
                .refused,
                "plan-ended",
                "The plan \(id) has ended.",
                hint: "See what came of it with `dex approve show \(id)`."
            )
        case .running(let id):
            ErrorReport(
                .refused,
                "plan-ended",
                "The plan \(id) is carried out already.",
                hint: "See what comes of it with `dex approve show \(id)`."
            )
        case .locked(let address, let wallet):
            ErrorReport(
                .wallet,
                "locked",
                "The key of \(address.checksummed) is locked, and agents sign with an unlocked one "
                    + "alone.",
                hint: "A person can unlock it within limits: dex unlock "
                    + "\(wallet.map { PlainText.clean($0, limit: 64) } ?? "WALLET") --max AMOUNT",
                retryable: true
            )
        case .farPrice:
            ErrorReport(
                .refused,
                "needs-person",
                "Its price is far from what the market shows, and only a person may take it.",
                hint: "Nothing was signed. A person can say yes: dex approve"
            )
        case .personalKey(let address):
            ErrorReport(
                .refused,
                "needs-person",
                "The key of \(address.checksummed) is not one that dex unlock keeps, and agents sign "
                    + "with no other.",
                hint: "Nothing was signed. A person can say yes: dex approve"
            )
        case .recorded(let code, let kind, let message, let hint):
            ErrorReport(kind, code, message, hint: hint)
        case .needsTerminal:
            ErrorReport(
                .usage,
                "needs-terminal",
                "dex approve asks a person, and there is no terminal to ask at.",
                hint: "Run it in a terminal of your own. `dex approve show ID` only shows a plan."
            )
        case .notPosted(let hash):
            ErrorReport(
                .relayRefused,
                "order-not-posted",
                "The order \(hash) was signed, and no relay has it.",
                hint: "See whether it can still be filled: dex why \(hash)"
            )
        case .nothing(let reason):
            ErrorReport(.refused, "nothing-to-do", reason, hint: "Nothing was planned.")
        case .elsewhere(let id, let network, let account):
            ErrorReport(
                .usage,
                "no-such-plan",
                "The plan \(id) is of \(account.checksummed) on the network "
                    + "\(PlainText.clean(network, limit: 40)).",
                hint: "Name them: --network, --wallet."
            )
        }
    }
}
