import ArgumentParser
import CProcess
import DexCore
import DexSigning
import DexTerminal
import EthereumWallet
import Glibc
import PrivateFiles
import StrictJSON

/// The process behind `dex unlock`; users do not type this command.
struct AgentCommand: DexCommand {
    static var answer: Answer? { nil }
    static let name = "agent"
    static let process: CommandProcess? = .agent
    static let configuration = CommandConfiguration(
        commandName: name,
        abstract: "Keep a key that dex unlock hands over.",
        shouldDisplay: false
    )

    @OptionGroup var options: GlobalOptions

    /// The output of `dex unlock`: 32 bytes of the key, then JSON with socket folder and grant.
    struct Start: ~Copyable {
        let key: SecretBytes
        let folder: String
        let grant: AgentGrant

        /// nil for anything else.
        init?(_ bytes: UnsafeRawBufferPointer) {
            guard bytes.count > 32,
                let json = try? JSONParser.parse(Array(bytes.dropFirst(32))),  // nil: not JSON
                let folder = json["folder"]?.stringValue,
                let grant = json["grant"].flatMap({
                    AgentGrant(
                        $0,
                        implementation: Protocols.implementation(of:),
                        swapRules: Protocols.swapRules(chainID:)
                    )
                })
            else { return nil }
            key = SecretBytes(copying: bytes.prefix(32))
            self.folder = folder
            self.grant = grant
        }
    }

    /// Printed once the agent answers.
    static let ready = "ready"
    private static let longestStart = 1 << 20

    func execute(_ context: CommandContext) async throws -> CommandReport {
        CoreDumps.forbid()
        guard isatty(STDIN_FILENO) == 0 else { throw Self.notStarted }
        let content = try PrivateFiles.withContent(
            of: "-",
            from: .stream(stop: nil),
            limit: Self.longestStart
        ) {
            Start($0)
        }
        guard let content else { throw Self.notStarted }
        guard let start = content else { throw Self.notStarted }
        let (folder, grant) = (start.folder, start.grant)
        let key = try PrivateKeySigner(secret: start.intoKey())
        guard key.address == grant.account else { throw Self.notStarted }
        let rules = try context.rules(of: grant)
        let log = try context.auditLog()
        let isLocked = key.withSecret { $0.isLocked }
        let socket = AgentSocket(folder: folder, account: grant.account)
        guard let wake = ChildPipe() else { throw Self.notStarted }
        let listener = try socket.listen()
        defer {
            // First, so that no client finds a socket without a listener.
            socket.remove()
            close(listener)
        }
        _ = chdir("/")
        let confinement = AgentConfinement.confineCalls().map(\.name)
        context.console.result(Self.ready)
        Self.leaveTerminal()
        await withTaskCancellationHandler {
            let agent = SigningAgent(
                grant: grant,
                key: LocalKey(key),
                rules: rules,
                log: log,
                isLocked: isLocked,
                confinement: confinement,
                recoverer: Secp256k1(),
                clock: { Self.milliseconds() },
                now: { Console.now() }
            )
            let server = AgentServer(
                agent,
                listener: listener,
                wake: wake.reader,
                clock: { Self.milliseconds() },
                admits: AgentSocket.isOurUser
            )
            await server.run()
        } onCancel: {
            wake.wake()
        }
        return context.finished()
    }

    private static var notStarted: DexError {
        AgentStartError.noKey
    }

    /// Closes the pipes: the parent process waits for their end.
    private static func leaveTerminal() {
        let nowhere = open("/dev/null", O_RDWR | O_CLOEXEC)
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
            dup2(nowhere, descriptor)
        }
        close(nowhere)
    }

    /// Of a clock that includes the machine's sleep.
    private static func milliseconds() -> UInt64 {
        dex_clock_milliseconds(CLOCK_BOOTTIME)
    }
}

extension AgentCommand.Start {
    fileprivate consuming func intoKey() -> SecretBytes { key }
}
