import ArgumentParser
import DexCore
import DexSettings
import DexTerminal
import Ethereum
import SandboxHost
import StrictJSON

struct SandboxUpCommand: DexCommand {
    static var answer: Answer? { .sandboxUp }
    static let configuration = CommandConfiguration(
        commandName: "up",
        abstract: "Start the sandbox; Ctrl-C stops it and everything is kept.",
        discussion: """
            A chain on an EVM of its own: transactions, blocks and fees are Ethereum's, and anybody \
            can deploy contracts. Its tokens, 0x exchanges and Uniswap pools are contracts of this \
            program that do what the genuine ones do, as far as dex uses them. The market, the relay \
            and 0x's Swap API are simulated. Its keys are public.

            With --listen other machines trade here, too. Begin such a sandbox with --accounts \
            none and --fund ADDRESS: then only wallets of yours own anything, and dex send hands \
            it on. Without it everybody who can connect can spend what alice to dave have.

            With --fork the sandbox goes on from a block of a live chain: its contracts, pools and \
            balances are there, fetched once as they are needed and kept, and trades cost play \
            money. Start it again without --fork, and it goes on offline. What is not the live \
            chain's is listed: on a fork of a rollup (OP Stack, Arbitrum) base fees follow Ethereum's \
            rule, and no fee of the L1 is charged.
            """
    )
    static let examples: Examples = [
        "In the background": "dex sandbox up --detach",
        "On a live chain's contracts and pools, with play money":
            "dex sandbox up --fork mainnet --fund alice=10000:USDC",
        "For a group on a local network":
            "dex sandbox up --listen 0.0.0.0 --chain-id 5555 --coin LAB --accounts none --fund 0x2b1858a6a83931237070a1a10b0dF600E528e7d7",
    ]

    @OptionGroup var options: GlobalOptions

    @Flag(name: .customLong("detach"), help: "Go on in the background.")
    var isDetached = false

    @Option(
        help: .of(
            "address",
            "Let other machines connect: an IP address of this one, or 0.0.0.0."
        )
    )
    var listen: String?

    @Option(help: .of("port", "The node's port (default: any free one, or 8545 with --listen)."))
    var rpcPort: Int?

    @Option(help: .of("port", "The relay's port (default: any free one, or 8546)."))
    var relayPort: Int?

    @Option(help: .of("port", "The swap API's port (default: any free one, or 8547)."))
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

    @Option(help: .of("n", "The chain's id (default 1337); none of a public network."))
    var chainId: UInt64?

    @Option(help: .of("symbol", "The coin that pays for gas (default ETH)."))
    var coin: String?

    @Option(help: .of("which", "Who owns something: named (alice, bob, ...; default) or none."))
    var accounts: NamedAccounts?

    @Option(
        help: .of(
            "account",
            "Give this address a thousand times what alice has; on a fork ACCOUNT=AMOUNT:TOKEN."
        )
    )
    var fund: [String] = []

    @Option(
        help: .of(
            "url",
            "Go on from a live chain: its node's URL, a network of config.toml, or - for DEX_FORK_URL."
        )
    )
    var fork: String?

    @Option(help: .of("n", "The block to fork (default: 16 behind the newest)."))
    var block: UInt64?

    @Flag(name: .customLong("memory"), help: "Keep nothing: all is gone when it stops.")
    var isInMemory = false

    mutating func validate() throws {
        var taken: [Int: String] = [:]
        if let listen, ListenAddress(listen) == nil {
            throw ValidationError(
                "--listen takes an IP address of this machine, or 0.0.0.0 for all of them."
            )
        }
        if let chainId, !(1...SandboxSettings.maximumChainID).contains(chainId) {
            throw ValidationError(
                "--chain-id takes 1 to \(SandboxSettings.maximumChainID), not \(chainId)."
            )
        }
        if let coin, SandboxSettings.coin(coin) == nil {
            throw ValidationError(
                "--coin takes 1 to \(CoinSymbol.maximumCharacters) letters and digits, and no symbol "
                    + "of one of the sandbox's tokens."
            )
        }
        for text in fund where !Self.isFunding(text) {
            throw ValidationError(
                "--fund takes addresses of accounts, and no contract's; on a fork ACCOUNT=AMOUNT or "
                    + "ACCOUNT=AMOUNT:TOKEN, such as alice=5000:USDC."
            )
        }
        try checkFork()
        if fund.count > SandboxSettings.maximumFunded {
            throw ValidationError(
                "--fund takes at most \(SandboxSettings.maximumFunded) addresses."
            )
        }
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

    /// An option of a sandbox of its own alone, or of a fork alone, does not go with the other.
    private func checkFork() throws {
        guard fork != nil else {
            if block != nil { throw ValidationError("--block goes with --fork.") }
            return
        }
        if let foreign {
            throw ValidationError("\(foreign) does not go with --fork: a fork has a node alone.")
        }
        for text in fund where SandboxForkRun.parts(text) == nil {
            throw ValidationError(
                "With --fork, --fund takes ACCOUNT=AMOUNT or ACCOUNT=AMOUNT:TOKEN."
            )
        }
    }

    /// A given option that a fork does not have.
    private var foreign: String? {
        let given = [
            ("--orders", orders != nil), ("--protocol-fee", protocolFee != nil),
            ("--relay-port", relayPort != nil), ("--swap-port", swapPort != nil),
        ]
        return given.first { $0.1 }?.0
    }

    private static func isFunding(_ text: String) -> Bool {
        SandboxForkRun.parts(text) != nil
            || Address(ifValid: text).map(SandboxSettings.canFund) == true
    }

    func execute(_ context: CommandContext) async throws -> CommandReport {
        let folder = SandboxFolder(try context.home().sandbox)
        let kept = try ForkSettings.kept(in: folder)
        let isFork = fork != nil || kept != nil
        if kept != nil, let foreign { throw SandboxUseError.notOfFork(foreign) }
        if !isFork {
            try refusePublicChain(context)
            if fund.contains(where: { SandboxForkRun.parts($0) != nil }) {
                throw SandboxUseError.noFork
            }
        }
        if let copy = try SandboxState.read(SandboxFolder(try context.home().sandboxCopy)) {
            throw SandboxUseError.copyRuns(pid: copy.pid)
        }
        if isDetached { return try await detach(folder, context) }
        return try await isFork
            ? forkHere(folder, kept, context) : runHere(folder, context)
    }

    private func forkHere(
        _ folder: SandboxFolder,
        _ kept: ForkSettings?,
        _ context: CommandContext
    ) async throws -> CommandReport {
        let run = SandboxForkRun(folder: folder, context: context)
        var forkOptions = SandboxFork.Options(folder: folder)
        forkOptions.isInMemory = isInMemory
        if let listen = listen.flatMap({ ListenAddress($0) }) { forkOptions.listen = listen }
        forkOptions.rpcPort = rpcPort ?? (forkOptions.listen.isOpen ? 8_545 : 0)
        forkOptions.blockTime = blockTime
        forkOptions.block = block
        forkOptions.chainID = chainId
        forkOptions.coin = coin.flatMap(SandboxSettings.coin)
        forkOptions.seed = seed
        forkOptions.hasNamedAccounts = accounts.map { $0 == .named }
        forkOptions.fundingRequests = try run.fundingRequests(
            fund,
            seed: seed ?? kept?.seed ?? SandboxSettings.standardSeed
        )
        let node = try fork.map { text in try SandboxForkRun.node(text, context) }
        return try await run.run(forkOptions, node: node)
    }

    private func runHere(
        _ folder: SandboxFolder,
        _ context: CommandContext
    ) async throws -> CommandReport {
        var sandboxOptions = Sandbox.Options(folder: folder)
        sandboxOptions.isInMemory = isInMemory
        if let listen = listen.flatMap({ ListenAddress($0) }) { sandboxOptions.listen = listen }
        // Other machines have to know them, also after a restart.
        let isOpen = sandboxOptions.listen.isOpen
        sandboxOptions.rpcPort = rpcPort ?? (isOpen ? 8_545 : 0)
        sandboxOptions.relayPort = relayPort ?? (isOpen ? 8_546 : 0)
        sandboxOptions.swapPort = swapPort ?? (isOpen ? 8_547 : 0)
        sandboxOptions.choices = choices
        sandboxOptions.blockTime = blockTime
        sandboxOptions.version = Dex.version
        context.console.progress("Making the chain and the market")
        try await Sandbox(options: sandboxOptions).run { report in
            context.console.endProgress()
            let reading = SandboxReading(block: nil, orders: report.orders, followers: nil)
            let view = SandboxView(state: report.state, folder: folder, reading: reading)
            _ = context.emit(
                CommandReport(
                    data: view.json,
                    warnings: view.warnings,
                    lines: { screen in
                        view.lines(screen)
                            + view.hints(stop: SandboxEnd(isInMemory).hint("Ctrl-C"))
                    }
                )
            )
        }
        return SandboxEnd(isInMemory).report
    }

    private func detach(
        _ folder: SandboxFolder,
        _ context: CommandContext
    ) async throws -> CommandReport {
        var isNew = false
        var state = try SandboxState.read(folder)
        if state == nil {
            context.console.progress("Starting the sandbox")
            state = try await SandboxLauncher(folder: folder).launch(
                arguments,
                variables: try forkVariables(context)
            )
            isNew = true
        }
        guard let state else { throw SandboxHostError.alreadyRunning(folder: folder.path) }
        // Of one that ran before it is not known.
        let hint = SandboxEnd(isNew ? isInMemory : nil).hint("dex sandbox down")
        guard state.fork == nil else {
            return try await SandboxForkView.report(
                state,
                folder,
                context,
                warnings: isNew ? [] : [Self.unused],
                hint: hint
            )
        }
        let reading = await SandboxReading.read(state)
        let view = SandboxView(state: state, folder: folder, reading: reading)
        return CommandReport(
            data: view.json,
            warnings: (isNew ? [] : [Self.unused]) + view.warnings,
            lines: { screen in
                view.lines(screen)
                    + view.hints(stop: hint)
            }
        )
    }

    /// What was given of what defines the chain; `validate` has checked it.
    private var choices: SandboxSettings.Choices {
        var choices = SandboxSettings.Choices()
        choices.seed = seed
        choices.orders = orders
        choices.protocolFee = protocolFee
        choices.chainID = chainId
        choices.coin = coin.flatMap(SandboxSettings.coin)
        choices.hasNamedAccounts = accounts.map { $0 == .named }
        choices.funded = fund.compactMap(Address.init(ifValid:))
        return choices
    }

    /// Refuses the chain id of a bundled network or one of config.toml.
    ///
    /// - Throws: `DexError`, exit 2 or 3.
    private func refusePublicChain(_ context: CommandContext) throws(DexError) {
        guard let chainId else { return }
        try SandboxChainID.refusePublic(chainId, context)
    }

    /// The ports that were given.
    private var ports: [(name: String, port: Int)] {
        [("--rpc-port", rpcPort), ("--relay-port", relayPort), ("--swap-port", swapPort)]
            .compactMap { name, port in port.map { (name, $0) } }
    }

    private static let unused =
        "A sandbox was running already; the options of this command are not used."

    /// The URL of `--fork` for the background process: its arguments are seen by everybody.
    private func forkVariables(_ context: CommandContext) throws -> [String] {
        guard let fork, fork.contains("://") || fork == SandboxForkRun.fromVariable else {
            return []
        }
        let node = try SandboxForkRun.node(fork, context)
        return node.urls.map { "\(SandboxForkRun.variable)=\($0)" }
    }

    /// The same command for the background process.
    private var arguments: [String] {
        var arguments = SandboxLauncher.usual
        for (name, port) in ports { arguments += [name, "\(port)"] }
        if let seed { arguments += ["--seed", "\(seed)"] }
        if let blockTime { arguments += ["--block-time", "\(blockTime)"] }
        if let orders { arguments += ["--orders", "\(orders)"] }
        if let protocolFee { arguments += ["--protocol-fee", "\(protocolFee)"] }
        if let listen { arguments += ["--listen", listen] }
        if let chainId { arguments += ["--chain-id", "\(chainId)"] }
        if let coin { arguments += ["--coin", coin] }
        if let accounts { arguments += ["--accounts", accounts.rawValue] }
        for address in fund { arguments += ["--fund", address] }
        if let fork {
            arguments += ["--fork", fork.contains("://") ? SandboxForkRun.fromVariable : fork]
        }
        if let block { arguments += ["--block", "\(block)"] }
        if isInMemory { arguments.append("--memory") }
        return arguments
    }
}

/// The value of `--accounts`.
enum NamedAccounts: String, CaseIterable, ExpressibleByArgument {
    /// alice to dave, the makers and the relay own something; their keys are public.
    case named
    /// Only the addresses of --fund do.
    case none
}

/// The chain ids that a sandbox may have.
enum SandboxChainID {
    /// Refuses the id of another network's chain: a signature for the sandbox would be valid there.
    ///
    /// - Throws: `DexError`, exit 2; or exit 3 if config.toml cannot be read.
    static func refusePublic(_ id: UInt64, _ context: CommandContext) throws(DexError) {
        let networks = try NetworkCatalog.bundled() + (try context.settings().networks())
        if let taken = networks.first(where: { !$0.isSandbox && $0.chainID == id }) {
            throw SandboxUseError.publicChain(id: id, network: taken.name)
        }
    }
}
