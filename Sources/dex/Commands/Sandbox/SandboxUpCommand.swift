import ArgumentParser
import DexCore
import DexTerminal
import SandboxHost
import StrictJSON

struct SandboxUpCommand: DexCommand {
    static let reportedName = "sandbox up"
    static let configuration = CommandConfiguration(
        commandName: "up",
        abstract: "Start the sandbox; Ctrl-C stops it and everything is kept.",
        discussion: """
            What is simulated: Ethereum's transactions, blocks and fees, ERC-20 tokens, wrapped \
            ether, the 0x v1 exchange, the Exchange Proxy of 0x v4, and 0x's Swap API over pools \
            of its own. It is not an EVM. Its keys are public.
            """
    )

    @OptionGroup var options: GlobalOptions

    @Flag(name: .customLong("detach"), help: "Go on in the background.")
    var isDetached = false

    @Option(help: .of("port", "The node's port (default: any free one)."))
    var rpcPort: Int?

    @Option(help: .of("port", "The relay's port (default: any free one)."))
    var relayPort: Int?

    @Option(help: .of("port", "The swap API's port (default: any free one)."))
    var swapPort: Int?

    @Option(help: .of("n", "What accounts and market follow from (default 1)."))
    var seed: UInt64?

    @Option(
        help: .of(
            "seconds",
            "Seconds between blocks (default: a block for each transaction at once)."
        )
    )
    var blockTime: UInt64?

    @Option(help: .of("n", "The size of the ZRX/WETH books, for measurements."))
    var orders: Int?

    @Option(help: .of("gas", "What 0x v4 takes for each fill, as an amount of gas (default 0)."))
    var protocolFee: UInt32?

    @Flag(name: .customLong("memory"), help: "Keep nothing: all is gone when it stops.")
    var isInMemory = false

    mutating func validate() throws {
        var taken: [Int: String] = [:]
        for (name, port) in ports {
            guard (0...65_535).contains(port) else {
                throw ValidationError("\(name) takes 0 to 65535, not \(port).")
            }
            if port > 0, let other = taken.updateValue(name, forKey: port) {
                throw ValidationError("\(other) and \(name) are the same: \(port).")
            }
        }
        if let blockTime, !(1...3600).contains(blockTime) {
            throw ValidationError("--block-time takes 1 to 3600 seconds, not \(blockTime).")
        }
        if let orders, !(2...SandboxMarket.maximumOrders).contains(orders) {
            throw ValidationError(
                "--orders takes 2 to \(SandboxMarket.maximumOrders), not \(orders)."
            )
        }
    }

    func execute(_ context: CommandContext) async throws -> CommandReport {
        let folder = SandboxFolder(try context.home().sandbox)
        return isDetached
            ? try await detach(folder, context) : try await runHere(folder, context)
    }

    private func runHere(
        _ folder: SandboxFolder,
        _ context: CommandContext
    ) async throws -> CommandReport {
        var sandboxOptions = Sandbox.Options(folder: folder)
        sandboxOptions.isInMemory = isInMemory
        sandboxOptions.rpcPort = rpcPort ?? 0
        sandboxOptions.relayPort = relayPort ?? 0
        sandboxOptions.swapPort = swapPort ?? 0
        sandboxOptions.seed = seed
        sandboxOptions.orders = orders
        sandboxOptions.protocolFee = protocolFee
        sandboxOptions.blockTime = blockTime
        sandboxOptions.version = Dex.version
        context.console.progress("Making the chain and the market")
        try await Sandbox(options: sandboxOptions).run { report in
            context.console.endProgress()
            let reading = SandboxReading(block: nil, orders: report.orders)
            let view = SandboxView(state: report.state, folder: folder, reading: reading)
            _ = context.emit(
                CommandReport(
                    data: view.json,
                    lines: { screen in
                        view.lines(screen)
                            + view.hints(stop: "Ctrl-C stops it; everything is kept.")
                    }
                )
            )
        }
        let isKept = !isInMemory
        return CommandReport(
            data: ["running": false, "kept": .bool(isKept)],
            lines: { _ in
                [isKept ? "Stopped; everything is kept for the next time." : "Stopped."]
            }
        )
    }

    private func detach(
        _ folder: SandboxFolder,
        _ context: CommandContext
    ) async throws -> CommandReport {
        var isNew = false
        var state = try SandboxState.read(folder)
        if state == nil {
            context.console.progress("Starting the sandbox")
            state = try await SandboxLauncher(folder: folder).launch(arguments)
            isNew = true
        }
        guard let state else { throw SandboxHostError.alreadyRunning(folder: folder.path) }
        let reading = await SandboxReading.read(state)
        let view = SandboxView(state: state, folder: folder, reading: reading)
        return CommandReport(
            data: view.json,
            warnings: isNew
                ? [] : ["A sandbox was running already; the options of this command are not used."],
            lines: { screen in
                view.lines(screen)
                    + view.hints(stop: "dex sandbox down stops it; everything is kept.")
            }
        )
    }

    /// The ports that were given.
    private var ports: [(name: String, port: Int)] {
        [("--rpc-port", rpcPort), ("--relay-port", relayPort), ("--swap-port", swapPort)]
            .compactMap { name, port in port.map { (name, $0) } }
    }

    /// The same command for the background process.
    private var arguments: [String] {
        var arguments = ["sandbox", "up", "--json"]
        for (name, port) in ports { arguments += [name, "\(port)"] }
        if let seed { arguments += ["--seed", "\(seed)"] }
        if let blockTime { arguments += ["--block-time", "\(blockTime)"] }
        if let orders { arguments += ["--orders", "\(orders)"] }
        if let protocolFee { arguments += ["--protocol-fee", "\(protocolFee)"] }
        if isInMemory { arguments.append("--memory") }
        return arguments
    }
}
