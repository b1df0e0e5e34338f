import ArgumentParser
import DexCore
import DexSettings
import DexTerminal
import Ethereum
import SandboxHost
import StrictJSON

struct SandboxFollowCommand: DexCommand {
    static var answer: Answer? { .sandboxFollow }
    static let configuration = CommandConfiguration(
        commandName: "follow",
        abstract: "Keep a verified copy of another machine's sandbox, and trade on it.",
        discussion: """
            Every block of the other machine is executed here again: its parent, its hash, the \
            signatures, and the roots of state, transactions and receipts have to be the same. The \
            networks sandbox and sandbox-v4 read from the copy; transactions and orders are passed \
            on. At the first block that does not verify, the copy says so and serves nothing more.

            Without URL it goes on with the sandbox that it has followed before.
            """
    )
    static let examples: Examples = [
        "Keep a copy of the sandbox at 192.168.1.5":
            "dex sandbox follow http://192.168.1.5:8545 --detach",
        "Go on with it": "dex sandbox follow --detach",
        "How far it is": "dex sandbox status",
    ]

    @Argument(help: "The node of the other machine's sandbox: http://HOST:8545.")
    var url: String?

    @Option(help: .of("hash", "The hash of block 0, as sandbox status shows it over there."))
    var genesis: String?

    @OptionGroup var options: GlobalOptions

    @Flag(name: .customLong("detach"), help: "Go on in the background.")
    var isDetached = false

    @Option(help: .of("address", "Let other machines connect, as with sandbox up."))
    var listen: String?

    @Option(help: .of("port", "The node's port (default: any free one, or 8545 with --listen)."))
    var rpcPort: Int?

    @Option(help: .of("port", "The relay's port (default: any free one, or 8546)."))
    var relayPort: Int?

    mutating func validate() throws {
        if let listen, ListenAddress(listen) == nil {
            throw ValidationError(
                "--listen takes an IP address of this machine, or 0.0.0.0 for all of them."
            )
        }
        if let url, !WebAddress.isValid(url) {
            throw ValidationError("The URL of a node is expected, such as http://192.168.1.5:8545.")
        }
        if let genesis, BlockHash(ifHex: genesis) == nil {
            throw ValidationError("--genesis takes a block's hash: 0x and 64 hexadecimal digits.")
        }
        for (name, port) in [("--rpc-port", rpcPort), ("--relay-port", relayPort)] {
            guard let port, !(0...65_535).contains(port) else { continue }
            throw ValidationError("\(name) takes 0 to 65535, not \(port).")
        }
    }

    func execute(_ context: CommandContext) async throws -> CommandReport {
        let own = SandboxFolder(try context.home().sandbox)
        if let state = try SandboxState.read(own) {
            throw SandboxUseError.ownRuns(pid: state.pid)
        }
        let folder = SandboxFolder(try context.home().sandboxCopy)
        let leader = try leader(of: folder)
        return isDetached
            ? try await detach(folder, leader, context)
            : try await runHere(folder, leader, context)
    }

    /// The node that is named, or the one that was followed before.
    ///
    /// - Throws: `DexError`, exit 2; `SandboxHostError`.
    private func leader(of folder: SandboxFolder) throws -> String {
        let kept = try SandboxCopy.leader(of: folder)
        guard let leader = url ?? kept else { throw SandboxUseError.nothingFollowed }
        return leader
    }

    private func runHere(
        _ folder: SandboxFolder,
        _ leader: String,
        _ context: CommandContext
    ) async throws -> CommandReport {
        var copy = SandboxCopy.Options(folder: folder, leader: leader)
        if let listen = listen.flatMap({ ListenAddress($0) }) { copy.listen = listen }
        copy.rpcPort = rpcPort ?? (copy.listen.isOpen ? 8_545 : 0)
        copy.relayPort = relayPort ?? (copy.listen.isOpen ? 8_546 : 0)
        copy.genesis = genesis.flatMap { BlockHash(ifHex: $0) }
        copy.version = Dex.version
        context.console.progress("Asking \(PlainText.origin(of: leader)) how its sandbox began")
        let sandbox = SandboxCopy(
            options: copy,
            leader: LeaderClient(node: leader),
            check: { try SandboxChainID.refusePublic($0.chainID, context) }
        )
        let end = try await sandbox.run(onChange: { Self.show($0, context.console) }) { report in
            context.console.endProgress()
            let view = SandboxCopyView(state: report.state, folder: folder, status: report.status)
            _ = context.emit(
                CommandReport(
                    data: view.json,
                    lines: { screen in
                        view.lines(screen)
                            + ["", "Ctrl-C stops it; the copy is kept and goes on the next time."]
                    }
                )
            )
        }
        return CommandReport(
            data: ["running": false, "kept": true],
            error: end.stop.map { DexError(SandboxHostError.copyStopped($0)) },
            lines: { _ in ["Stopped; the copy is kept for the next time."] }
        )
    }

    /// A line on stderr when the copy is cut off, follows again, or stops.
    private static func show(_ status: CopyStatus, _ console: Console) {
        let block = "block \(status.block)"
        switch status.condition {
        case .connecting: break
        case .following: console.note("Following; verified to \(block).")
        case .cutOff(let reason):
            console.warn(
                "Cut off: \(PlainText.sentence(reason, limit: 200)) Verified to \(block), which is "
                    + "served on."
            )
        case .stopped(let reason):
            console.failure(DexError(SandboxHostError.copyStopped(reason)))
            console.note("Nothing is served any more; verified to \(block).")
        }
    }

    private func detach(
        _ folder: SandboxFolder,
        _ leader: String,
        _ context: CommandContext
    ) async throws -> CommandReport {
        var warnings: [String] = []
        var state = try SandboxState.read(folder)
        if state == nil {
            context.console.progress("Starting the copy")
            state = try await SandboxLauncher(folder: folder).launch(arguments(leader))
        } else {
            warnings = ["A copy was running already; the options of this command are not used."]
        }
        guard let state else { throw SandboxHostError.alreadyRunning(folder: folder.path) }
        try await catchUp(state, context.console)
        return try await SandboxCopyView.report(state, folder, warnings: warnings)
    }

    /// Waits until the copy has the blocks and orders that the other machine had, so that the next
    /// command finds them; cut off or stopped, it says so instead.
    ///
    /// - Throws: `CancellationError`; the copy goes on.
    private func catchUp(_ state: SandboxState, _ console: Console) async throws {
        while let status = await SandboxCopyView.status(of: state), status.condition == .connecting
        {
            let newest = status.leaderBlock.map { " of \($0)" } ?? ""
            console.progress("Verified to block \(status.block)\(newest)")
            try await ContinuousClock().sleep(for: .milliseconds(50))
        }
    }

    /// The same command for the background process.
    private func arguments(_ leader: String) -> [String] {
        var arguments = CommandPath.words(of: Self.self) + [leader, "--json"]
        if let genesis { arguments += ["--genesis", genesis] }
        if let listen { arguments += ["--listen", listen] }
        if let rpcPort { arguments += ["--rpc-port", "\(rpcPort)"] }
        if let relayPort { arguments += ["--relay-port", "\(relayPort)"] }
        return arguments
    }
}
