import DexCore
import Glibc
import SandboxHost

/// A sandbox that does not run, start, end or obey.
enum SandboxUseError: ErrorArea {
    static func badState(_ error: SandboxHostError) -> DexError {
        row(.configuration("sandbox-state"), error.description)
    }

    static func notRunning(so consequence: String) -> DexError {
        row(
            .unreachable("sandbox-not-running"),
            "The sandbox is not running, so \(consequence).",
            hint: "Start it: dex sandbox up --detach"
        )
    }

    /// It would be used because no network was chosen.
    static let nothingSetUp = row(
        .unreachable("sandbox-not-running"),
        "No network is set up, and the sandbox is not running.",
        hint: "Set up a network and a wallet: dex init\n"
            + "Or start the sandbox: dex sandbox up --detach"
    )

    static func endedAtStart(lastWords: String, log: String) -> DexError {
        row(
            .configuration("sandbox-start"),
            "The sandbox ended while starting." + lastWords,
            hint: "The whole log is in \(log)."
        )
    }

    static func noAnswerAtStart(seconds: Int, log: String) -> DexError {
        row(
            .unreachable("sandbox-start"),
            "The sandbox did not answer within \(seconds) s; it was stopped.",
            hint: "The log is in \(log).",
            retryable: true
        )
    }

    static func cannotStart(code: Int32) -> DexError {
        row(
            .fault("sandbox-start"),
            "The sandbox cannot be started: \(String(cString: strerror(code)))."
        )
    }

    static func notStopped(pid: Int32, code: Int32) -> DexError {
        row(
            .configuration("sandbox-kill"),
            "The sandbox (process \(pid)) cannot be stopped: "
                + String(cString: strerror(code)) + "."
        )
    }

    static func hangs(pid: Int32) -> DexError {
        row(
            .unreachable("sandbox-hangs"),
            "The sandbox (process \(pid)) has not ended within 10 s.",
            hint: "End it with: kill -9 \(pid)",
            retryable: true
        )
    }

    static func badFault(message: String) -> DexError {
        row(.usage("bad-fault"), PlainText.sentence(message, limit: 300))
    }

    static func silent(reason: String) -> DexError {
        row(
            .unreachable("node-unreachable"),
            "The sandbox's node does not answer: \(PlainText.sentence(reason))",
            hint: "Look with: dex sandbox status",
            retryable: true
        )
    }

    static let unreadableFaults = row(
        .unreachable("node-nonsense"),
        "The sandbox's node does not report its faults in a way that this dex knows.",
        hint: "Start it again with this one: dex sandbox down, then dex sandbox up --detach"
    )

    static func running(pid: Int32) -> DexError {
        row(
            .refused("sandbox-running"),
            "The sandbox is running (process \(pid)).",
            hint: "Stop it with dex sandbox down, or run: dex sandbox reset --yes"
        )
    }

    /// There is only one network `sandbox`: the own sandbox, or a copy of another.
    static func ownRuns(pid: Int32) -> DexError {
        row(
            .refused("sandbox-running"),
            "This machine's own sandbox is running (process \(pid)), and the networks sandbox "
                + "and sandbox-v4 are its.",
            hint: "Stop it first; it is kept: dex sandbox down"
        )
    }

    static func copyRuns(pid: Int32) -> DexError {
        row(
            .refused("sandbox-running"),
            "A copy of another machine's sandbox is running (process \(pid)), and the networks "
                + "sandbox and sandbox-v4 are its.",
            hint: "Stop it first; it is kept: dex sandbox down"
        )
    }

    static let isCopy = row(
        .refused("sandbox-is-copy"),
        "This is a copy of another machine's sandbox, which only that machine steers.",
        hint: "Run the command over there, or stop the copy: dex sandbox down"
    )

    /// What a fork does not have: `faults`, `relay`.
    static func isFork(lacks what: String) -> DexError {
        row(
            .refused("sandbox-is-fork"),
            "This sandbox is a fork of a live chain. It has a node alone, and no \(what).",
            hint: what == "relay"
                ? "Trade at the pools with --via pools, or name a relay of the live chain: --relay URL"
                : "Use a sandbox of its own: dex sandbox reset --yes, then dex sandbox up"
        )
    }

    /// An option that a fork does not have.
    static func notOfFork(_ option: String) -> DexError {
        row(
            .usage("sandbox-settings"),
            "A fork of a live chain is kept here, and \(option) does not go with it: a fork "
                + "has a node alone.",
            hint: "Leave it out, or begin a sandbox of its own: dex sandbox reset"
        )
    }

    static let nothingFollowed = row(
        .usage("usage"),
        "No sandbox was followed before, so its node has to be named.",
        hint: "Name it: dex sandbox follow http://HOST:8545"
    )

    /// Accounts of a fork are funded, and there is none.
    static let noFork = row(
        .usage("sandbox-settings"),
        "--fund ACCOUNT=AMOUNT is for a fork of a live chain, and no fork is kept here.",
        hint: "Give --fork URL, or --fund ADDRESS."
    )

    /// A signature of the sandbox would count on a real chain.
    static func publicChain(id: UInt64, network: String) -> DexError {
        row(
            .usage("sandbox-public-chain"),
            "Chain \(id) is that of the network \"\(network)\": what is signed for the sandbox "
                + "would be valid there.",
            hint: "Take an id that no network uses, such as: --chain-id 1338"
        )
    }
}
