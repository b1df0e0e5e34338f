import ArgumentParser
import DexCore
import DexRelay
import DexSandbox
import Glibc
import SandboxHost

/// `dex sandbox`: a local relay and chain.
struct SandboxCommand: DescribedCommand {
    static let configuration = CommandConfiguration(
        commandName: "sandbox",
        abstract: "Run a relay and a chain on this machine, offline, to try everything.",
        discussion: """
            A chain on an EVM of its own, with contracts like those of 0x v1, of 0x v4's native \
            orders and of Uniswap's pools, tokens and the wrapped coin, spoken to over HTTP and \
            JSON-RPC as real ones are. Anybody can deploy more. It is two networks, with a simulated \
            market each: sandbox speaks 0x v1, sandbox-v4 speaks 0x v4.

            The accounts alice, bob, carol and dave are funded; use them with --wallet alice. \
            Their keys follow from the seed and are public: never send anything of worth to them.
            """,
        subcommands: [
            SandboxUpCommand.self, SandboxStatusCommand.self, SandboxDownCommand.self,
            SandboxResetCommand.self, SandboxFollowCommand.self, SandboxFaultCommand.self,
        ]
    )
    static let examples: Examples = [
        "Start it in the background": "dex sandbox up --detach",
        "Let the next fill be overtaken": "dex sandbox fault collision",
        "Stop it": "dex sandbox down",
    ]
    static let process: CommandProcess? = .server
}

/// Why a sandbox cannot start, stop or be read.
extension SandboxHostError: ReportedError {
    var report: DexError {
        let code: ErrorCode =
            switch self {
            case .file: .configuration("file")
            case .copyStopped: .refused("copy-stopped")
            case .notOurAddress: .usage("sandbox-listen")
            case .alreadyRunning: .configuration("sandbox-running")
            case .unreadable: .configuration("sandbox-unreadable")
            case .otherSettings, .keptHere, .nobodyFunded, .ownKept, .noFork:
                .usage("sandbox-settings")
            case .portTaken: .configuration("port-taken")
            case .seedingFailed: .fault("sandbox-market")
            }
        return Self.row(code, description)
    }
}

/// Why a copy of another machine's sandbox stops.
extension CopyRefusal: ReportedError {
    var report: DexError {
        Self.row(.refused("copy-stopped"), description)
    }
}

/// The machine whose sandbox is to be copied gave no usable answer.
extension LeaderSilence: ReportedError {
    var report: DexError {
        Self.row(
            .unreachable("sandbox-leader-silent"),
            "The other machine's sandbox does not answer: "
                + PlainText.sentence(reason, limit: 300),
            hint: "Look over there: dex sandbox status. It has to run with --listen.",
            retryable: true
        )
    }
}

extension SandboxError: ReportedError {
    var report: DexError {
        switch self {
        case .fork(let error): error.report
        case .badFunding: Self.row(.refused("fork-funding"), description)
        default: Self.row(.configuration("sandbox-chain"), description)
        }
    }
}

extension OrderStoreError: ReportedError {
    var report: DexError {
        Self.row(.configuration("sandbox-relay"), description)
    }
}

/// Finds and stops a running sandbox.
enum SandboxStop {
    /// The sandbox of a folder; waits for one that is starting.
    ///
    /// - Returns: nil if none runs.
    /// - Throws: `SandboxHostError`, `CancellationError`.
    static func running(in folder: SandboxFolder) async throws -> SandboxState? {
        let clock = ContinuousClock()
        let deadline = clock.now + .seconds(5)
        while true {
            let isInUse = folder.isInUse
            if let state = try SandboxState.read(folder) { return state }
            guard isInUse, clock.now < deadline else { return nil }
            try await clock.sleep(for: .milliseconds(20))
        }
    }

    /// Asks the process to end and waits until it releases the folder.
    ///
    /// - Throws: `DexError` if it does not end in time.
    static func stop(_ state: SandboxState, in folder: SandboxFolder) async throws {
        guard kill(state.pid, SIGTERM) == 0 || errno == ESRCH else {
            throw SandboxUseError.notStopped(pid: state.pid, code: errno)
        }
        let clock = ContinuousClock()
        let deadline = clock.now + .seconds(10)
        while folder.isInUse {
            guard clock.now < deadline else {
                throw SandboxUseError.hangs(pid: state.pid)
            }
            try await clock.sleep(for: .milliseconds(20))
        }
    }
}
