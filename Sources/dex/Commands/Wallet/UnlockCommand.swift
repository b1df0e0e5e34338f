import ArgumentParser
import DexCore
import DexSettings
import DexSigning
import DexTerminal
import DexWallet
import Ethereum
import EthereumWallet
import StrictJSON

struct UnlockCommand: DexCommand {
    static var answer: Answer? { .unlock }
    static let configuration = CommandConfiguration(
        commandName: "unlock",
        abstract: "Keep a wallet's key in memory for a time, so that no password is asked for.",
        discussion: """
            A process of its own keeps the key, signs within the limits and on the network in use \
            only, and ends when the time is over or with dex lock. With any --max or --max-day, \
            tokens without a limit do not leave the account at all. The limits are fixed until it \
            is locked; policy.toml holds as always.
            """
    )
    static let examples: Examples = [
        "Ask for no password for 15 minutes": "dex unlock main",
        "Let at most 1 WETH out at once, and 3 in a day":
            "dex unlock main --for 8h --max WETH=1 --max-day WETH=3",
        "See what is unlocked": "dex unlock --status",
    ]

    @Argument(help: "The wallet's name or address; without it the one that is in use.")
    var name: String?

    @Option(name: .customLong("for"), help: .of("time", "How long, up to 24h."))
    var duration = "15m"

    @Option(
        parsing: .singleValue,
        help: .of("token=amount", "The most in one transaction or order.")
    )
    var max: [String] = []

    @Option(parsing: .singleValue, help: .of("token=amount", "The most in 24 hours."))
    var maxDay: [String] = []

    @Option(help: .of("amount", "The most of the coin that the gas of one transaction may cost."))
    var maxGasCost: String?

    @Option(help: .of("gwei", "The most tip for a unit of gas, usually 75."))
    var maxTip: String?

    @Option(parsing: .singleValue, help: .of("network", "Sign there too; repeat for several."))
    var alsoNetwork: [String] = []

    @Option(
        parsing: .singleValue,
        help: .of(
            "address",
            "Call only this contract, and give allowances only to it; repeat for several."
        )
    )
    var contract: [String] = []

    @Flag(help: "Only show what is unlocked.")
    var status = false

    @OptionGroup var options: GlobalOptions

    func execute(_ context: CommandContext) async throws -> CommandReport {
        if status { return UnlockedView.report(try context.unlockedKeys()) }
        let seconds = try Lifetime.seconds(duration)
        guard seconds <= AgentGrant.longest else {
            throw ArgumentError.unlockedTooLong
        }
        let settings = try context.settings()
        let network = try context.network(settings)
        var networks = [network]
        for name in alsoNetwork where !networks.contains(where: { $0.name == name }) {
            networks.append(try settings.network(name))
        }
        let places = try networks.map { try place($0, context) }
        let wallet = try context.wallet(toUnlock: name)
        if options.isDryRun {
            return context.changed(["unlockedKeys": []]) { _ in
                ["\(wallet.label) would be unlocked for \(TimeSpan.text(seconds))."]
            }
        }
        let key = try await context.unlocked(wallet)
        let grant = AgentGrant(account: key.address, seconds: seconds, places: places)
        _ = try context.agent(of: key.address).lock()
        let folder = try context.home().agents
        try AgentLauncher(folder: folder).launch(grant, key: key)
        let entries = try context.unlockedKeys().filter { $0.grant.account == key.address }
        return UnlockedView.report(
            entries.map { entry in
                var entry = entry
                entry.seconds = seconds
                return entry
            }
        )
    }

    private func place(
        _ network: Network,
        _ context: CommandContext
    ) throws -> AgentGrant.Place {
        let tokens = try context.tokenMap(network)
        let networks = try context.settings().networks()
        let assets = try LimitAssets(network, among: networks)
        var policy = Policy(source: Policy.unlockSource, coin: network.coin)
        policy.perTrade = try amounts(max, "--max", assets, &policy.tokenNames)
        policy.perDay = try amounts(maxDay, "--max-day", assets, &policy.tokenNames)
        for var chain in try OtherChain.chains(besides: network, among: networks) {
            let there = try LimitAssets(chain)
            let known = { (text: String) in
                // A symbol of the network may stand for nothing there, and then limits nothing.
                text.split(separator: "=").first.map {
                    (try? there.asset(String($0), beside: nil)) != nil  // nil: nothing there
                }
                    ?? false
            }
            chain.perTrade = try amounts(
                max.filter(known),
                "--max",
                there,
                &chain.tokenNames
            )
            chain.perDay = try amounts(
                maxDay.filter(known),
                "--max-day",
                there,
                &chain.tokenNames
            )
            policy.otherChains.append(chain)
        }
        policy.limitsEverything = !max.isEmpty || !maxDay.isEmpty
        policy.maximumFee = try context.tradeSettings().feeCap ?? TradeSettings.usualFeeCap
        if let maxGasCost {
            policy.maximumFee = Wei(try DecimalNumber(maxGasCost).units(decimals: 18))
        }
        let tip = try maxTip.map { text throws(DexError) in try FeeOverrides.gwei(text) }
        policy.maximumTip = TipLimit(
            tip: tip ?? TradeSettings.highestTip,
            price: Swift.max(tip ?? .zero, TradeSettings.highestPrice)
        )
        if !contract.isEmpty { policy.spenders = Set(try contract.map { try Address(party: $0) }) }
        return AgentGrant.Place(
            scope: try SigningScope(network, tokens: tokens),
            policy: policy
        )
    }

    private func amounts(
        _ texts: [String],
        _ option: String,
        _ assets: LimitAssets,
        _ names: inout [Address: Token]
    ) throws -> [Asset: UInt256] {
        var amounts: [Asset: UInt256] = [:]
        let limits = try texts.map { text in
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else {
                throw ArgumentError.badLimit(text, option: option)
            }
            return parts
        }
        for parts in limits {
            guard let (asset, token) = try assets.asset(parts[0], beside: limits.map { $0[0] })
            else { continue }
            if let token { names[token.address] = token }
            guard amounts[asset] == nil else {
                throw ArgumentError.limitTwice(token: parts[0], option: option)
            }
            amounts[asset] = try DecimalNumber(parts[1])
                .units(decimals: LimitAssets.decimals(asset, token))
        }
        return amounts
    }
}

struct LockCommand: DexCommand {
    static var answer: Answer? { .lock }
    static let configuration = CommandConfiguration(
        commandName: "lock",
        abstract: "Forget the keys that dex unlock keeps; without a name, all."
    )
    static let examples: Examples = [
        "Forget one key": "dex lock main",
        "Forget all": "dex lock",
    ]

    @Argument(help: "The wallet's name or address.")
    var name: String?

    @OptionGroup var options: GlobalOptions

    func execute(_ context: CommandContext) async throws -> CommandReport {
        var addresses = AgentSocket.accounts(in: try context.home().agents)
        if let name {
            let wanted = try Address(ifParty: name) ?? context.walletStore().wallet(name).address
            addresses.removeAll { $0 != wanted }
        }
        var locked: [Address] = []
        for address in addresses {
            let client = try context.agent(of: address)
            let isUnlocked = try options.isDryRun ? client.status() != nil : client.lock()
            if isUnlocked { locked.append(address) }
        }
        let names = locked.map(\.checksummed)
        let verb = options.isDryRun ? "would be" : "is"
        return context.changed(["locked": .array(names.map { .string($0) })]) { _ in
            guard !names.isEmpty else { return ["Nothing was unlocked."] }
            return names.map { "\($0) \(verb) locked." }
        }
    }
}

extension CommandContext {
    /// The wallet of a name, of `--wallet` or DEX_WALLET, or the default one.
    fileprivate func wallet(toUnlock name: String?) throws -> Wallet {
        let kept = try settings().text(["wallet"])
        guard let requested = name ?? options.wallet ?? environment["DEX_WALLET"] ?? kept else {
            throw AccountError.noneToUnlock
        }
        return try walletStore().wallet(requested)
    }

    /// The keys of all running agents.
    fileprivate func unlockedKeys() throws -> [UnlockedView] {
        let wallets = try walletStore().contents().wallets
        return try AgentSocket.accounts(in: try home().agents).compactMap { address in
            guard let status = try agent(of: address).status() else { return nil }
            guard let json = status["grant"], let isLocked = status["memoryLocked"]?.boolValue,
                let time = status["milliseconds"]?.numberText.flatMap({ UInt64($0) }),
                let confinement = status["confinement"]?.arrayValue,
                let grant = AgentGrant(
                    json,
                    implementation: Protocols.implementation(of:),
                    swapRules: Protocols.swapRules(chainID:)
                )
            else {
                throw AgentStartError.silent(address)
            }
            return UnlockedView(
                grant: grant,
                name: wallets.first { $0.address == address }?.name,
                seconds: time / 1_000,
                isMemoryLocked: isLocked,
                confinement: confinement.compactMap(\.stringValue)
            )
        }
    }
}
