import DexCore
import Glibc
import SandboxHost

/// A sandbox that does not run, start, end or obey.
enum SandboxUseError: ErrorArea {
    case badState(SandboxHostError)
    case notRunning(so: String)
    /// It would be used because no network was chosen.
    case nothingSetUp
    case endedAtStart(lastWords: String, log: String)
    case noAnswerAtStart(seconds: Int, log: String)
    case cannotStart(code: Int32)
    case notStopped(pid: Int32, code: Int32)
    case hangs(pid: Int32)
    case badFault(message: String)
    case silent(reason: String)
    case unreadableFaults
    case running(pid: Int32)
    /// There is only one network `sandbox`: the own sandbox, or a copy of another.
    case ownRuns(pid: Int32)
    case copyRuns(pid: Int32)
    case isCopy
    /// What a fork does not have: `faults`, `relay`.
    case isFork(lacks: String)
    /// An option that a fork does not have.
    case notOfFork(String)
    case nothingFollowed
    /// Accounts of a fork are funded, and there is none.
    case noFork
    /// A signature of the sandbox would count on a real chain.
    case publicChain(id: UInt64, network: String)

    var report: ErrorReport {
        switch self {
        case .badState(let error):
            ErrorReport(.configuration, "sandbox-state", error.description)
        case .notRunning(let consequence):
            ErrorReport(
                .unreachable,
                "sandbox-not-running",
                "The sandbox is not running, so \(consequence).",
                hint: "Start it: dex sandbox up --detach"
            )
        case .nothingSetUp:
            ErrorReport(
                .unreachable,
                "sandbox-not-running",
                "No network is set up, and the sandbox is not running.",
                hint: "Set up a network and a wallet: dex init\n"
                    + "Or start the sandbox: dex sandbox up --detach"
            )
        case .endedAtStart(let lastWords, let log):
            ErrorReport(
                .configuration,
                "sandbox-start",
                "The sandbox ended while starting." + lastWords,
                hint: "The whole log is in \(log)."
            )
        case .noAnswerAtStart(let seconds, let log):
            ErrorReport(
                .unreachable,
                "sandbox-start",
                "The sandbox did not answer within \(seconds) s; it was "
                    + "stopped.",
                hint: "The log is in \(log).",
                retryable: true
            )
        case .cannotStart(let code):
            ErrorReport(
                .fault,
                "sandbox-start",
                "The sandbox cannot be started: \(String(cString: strerror(code)))."
            )
        case .notStopped(let pid, let code):
            ErrorReport(
                .configuration,
                "sandbox-kill",
                "The sandbox (process \(pid)) cannot be stopped: "
                    + String(cString: strerror(code)) + "."
            )
        case .hangs(let pid):
            ErrorReport(
                .unreachable,
                "sandbox-hangs",
                "The sandbox (process \(pid)) has not ended within 10 s.",
                hint: "End it with: kill -9 \(pid)",
                retryable: true
            )
        case .badFault(let message):
            ErrorReport(.usage, "bad-fault", PlainText.sentence(message, limit: 300))
        case .silent(let reason):
            ErrorReport(
                .unreachable,
                "node-unreachable",
                "The sandbox's node does not answer: \(PlainText.sentence(reason))",
                hint: "Look with: dex sandbox status",
                retryable: true
            )
        case .unreadableFaults:
            ErrorReport(
                .unreachable,
                "node-nonsense",
                "The sandbox's node does not report its faults in a way that this dex knows.",
                hint: "Start it again with this one: dex sandbox down, then dex sandbox up --detach"
            )
        case .publicChain(let id, let network):
            ErrorReport(
                .usage,
                "sandbox-public-chain",
                "Chain \(id) is that of the network \"\(network)\": what is signed for the sandbox "
                    + "would be valid there.",
                hint: "Take an id that no network uses, such as: --chain-id 1338"
            )
        case .ownRuns(let pid):
            ErrorReport(
                .refused,
                "sandbox-running",
                "This machine's own sandbox is running (process \(pid)), and the networks sandbox "
                    + "and sandbox-v4 are its.",
                hint: "Stop it first; it is kept: dex sandbox down"
            )
        case .copyRuns(let pid):
            ErrorReport(
                .refused,
                "sandbox-running",
                "A copy of another machine's sandbox is running (process \(pid)), and the networks "
                    + "sandbox and sandbox-v4 are its.",
                hint: "Stop it first; it is kept: dex sandbox down"
            )
        case .isCopy:
            ErrorReport(
                .refused,
                "sandbox-is-copy",
                "This is a copy of another machine's sandbox, which only that machine steers.",
                hint: "Run the command over there, or stop the copy: dex sandbox down"
            )
        case .isFork(let what):
            ErrorReport(
                .refused,
                "sandbox-is-fork",
                "This sandbox is a fork of a live chain. It has a node alone, and no \(what).",
                hint: what == "relay"
                    ? "Trade at the pools with --via pools, or name a relay of the live chain: --relay URL"
                    : "Use a sandbox of its own: dex sandbox reset --yes, then dex sandbox up"
            )
        case .notOfFork(let option):
            ErrorReport(
                .usage,
                "sandbox-settings",
                "A fork of a live chain is kept here, and \(option) does not go with it: a fork "
                    + "has a node alone.",
                hint: "Leave it out, or begin a sandbox of its own: dex sandbox reset"
            )
        case .noFork:
            ErrorReport(
                .usage,
                "sandbox-settings",
                "--fund ACCOUNT=AMOUNT is for a fork of a live chain, and no fork is kept here.",
                hint: "Give --fork URL, or --fund ADDRESS."
            )
        case .nothingFollowed:
            ErrorReport(
                .usage,
                "usage",
                "No sandbox was followed before, so its node has to be named.",
                hint: "Name it: dex sandbox follow http://HOST:8545"
            )
        case .running(let pid):
            ErrorReport(
                .refused,
                "sandbox-running",
                "The sandbox is running (process \(pid)).",
                hint: "Stop it with dex sandbox down, or run: dex sandbox reset --yes"
            )
        }
    }
}
