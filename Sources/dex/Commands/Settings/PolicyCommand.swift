import ArgumentParser
import DexCore
import DexSettings
import DexSigning
import DexTerminal
import Ethereum
import StrictJSON

struct PolicyCommand: DescribedCommand {
    static let configuration = CommandConfiguration(
        commandName: "policy",
        abstract: "What may be signed: the rules of policy.toml.",
        discussion: """
            Every transaction, order and message is held against the rules before it is signed, \
            and written into the audit log.
            """,
        subcommands: [Show.self],
        defaultSubcommand: Show.self
    )
    static let examples: Examples = [
        "See what may be signed": "dex policy show",
        "On another network": "dex policy show --network mainnet",
    ]

    struct Show: DexCommand {
        static var answer: Answer? { .policy }
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Check the file, and show its rules and what the last 24 hours used up."
        )
        static let examples: Examples = [
            "The rules, and what they leave for today": "dex policy show",
            "Of another account": "dex policy show -w savings",
        ]
        @OptionGroup var options: GlobalOptions

        func execute(_ context: CommandContext) async throws -> CommandReport {
            let network = try context.network(try context.settings())
            let file = try context.policyFile()
            let policy = try file.policy(network, among: try context.settings().networks())
            let spending = try context.spending(policy, network)
            let view = PolicyView(
                policy: policy,
                spent: spending.byAll,
                agentSpent: spending.byAgents,
                network: network.name,
                auditLog: try context.auditLog().path,
                isThere: file.isThere
            )
            return CommandReport(data: view.json) { view.lines($0) }
        }
    }
}

/// The rules as text and as JSON.
struct PolicyView: Sendable {
    let policy: Policy
    let spent: [Asset: UInt256]
    /// What agents took in the last 24 hours.
    let agentSpent: [Asset: UInt256]
    let network: String
    let auditLog: String
    let isThere: Bool

    private static func assets(_ policy: Policy) -> [Asset] {
        Set(policy.perTrade.keys).union(policy.perDay.keys).sorted { $0.text < $1.text }
    }

    private static func limits(_ policy: Policy, _ spent: [Asset: UInt256]) -> JSONValue {
        func amount(_ raw: UInt256, _ asset: Asset) -> JSONValue { policy.json(raw, of: asset) }
        return .list(assets(policy)) { asset in
            [
                "symbol": .string(policy.name(asset)),
                "perTrade": policy.perTrade[asset].map { amount($0, asset) } ?? .null,
                "perDay": policy.perDay[asset].map { amount($0, asset) } ?? .null,
                "spent": policy.perDay[asset] == nil ? .null : amount(spent[asset] ?? .zero, asset),
            ]
        }
    }

    /// What agents may do without a person; null for nothing.
    private var agents: JSONValue {
        guard case .limits(let limits) = policy.agents else { return .null }
        return Self.limits(limits, agentSpent)
    }

    func lines(_ screen: Screen) -> [String] {
        guard isThere else {
            return screen.sentences(
                "There is no \(policy.source): everything may be signed that is confirmed."
            )
        }
        var facts = KeyValueList()
        facts.add("file", policy.source)
        facts.add("network", network)
        facts.add("networks", list(policy.networks))
        facts.add("tokens", list(policy.tokens?.map(policy.name).sorted()))
        facts.add("spenders", list(policy.spenders?.sorted().map(\.checksummed)))
        facts.add("recipients", list(policy.recipients?.sorted().map(\.checksummed)))
        facts.add("typed data", list(policy.typedData?.sorted().map(\.checksummed)))
        let fee = policy.maximumFee.map { policy.text($0.rawValue, .ether) }
        facts.add("max fee", fee.map { "\($0) a transaction" } ?? "any")
        facts.add("max slippage", percent.map { "\($0) %" } ?? "any")
        for asset in Self.assets(policy) {
            var parts: [String] = []
            if let limit = policy.perTrade[asset] {
                parts.append("\(policy.value(limit, asset)) at once")
            }
            if let limit = policy.perDay[asset] {
                let used = policy.value(spent[asset] ?? .zero, asset)
                parts.append("\(policy.value(limit, asset)) in 24 hours, \(used) used")
            }
            facts.add(policy.name(asset), parts.joined(separator: "; "))
        }
        switch policy.agents {
        case .elsewhere, .forbidden: facts.add("agents", "nothing without a person")
        case .limits(let limits):
            for asset in Self.assets(limits) {
                let amount = { limits.value($0 ?? .zero, asset) }
                facts.add(
                    "agents \(limits.name(asset))",
                    "\(amount(limits.perTrade[asset])) at once; \(amount(limits.perDay[asset])) in "
                        + "24 hours, \(amount(agentSpent[asset])) used"
                )
            }
        }
        facts.add("audit log", auditLog)
        return facts.lines(screen)
    }

    var json: JSONValue {
        [
            "path": .string(policy.source),
            "exists": .bool(isThere),
            "network": .string(network),
            "allowedNetworks": strings(policy.networks),
            "allowedTokens": strings(policy.tokens?.map(policy.name).sorted()),
            "allowedSpenders": strings(policy.spenders?.sorted().map(\.checksummed)),
            "allowedRecipients": strings(policy.recipients?.sorted().map(\.checksummed)),
            "allowedTypedData": strings(policy.typedData?.sorted().map(\.checksummed)),
            "maxFee": policy.maximumFee.map { policy.json($0.rawValue, of: .ether) } ?? .null,
            "maxSlippage": percent.map { .string($0) } ?? .null,
            "limits": Self.limits(policy, spent),
            "agents": agents,
            "auditLog": .string(auditLog),
        ]
    }

    private var percent: String? {
        policy.maximumSlippage.map { DecimalText.format(UInt256($0), decimals: 2) }
    }

    private func list(_ values: [String]?) -> String {
        values.map { $0.isEmpty ? "none" : $0.joined(separator: ", ") } ?? "any"
    }

    private func strings(_ values: [String]?) -> JSONValue {
        values.map { .array($0.map { .string($0) }) } ?? .null
    }
}

extension Policy {
    /// What a rule names.
    func json(_ asset: Asset) -> JSONValue {
        switch asset {
        case .ether: JSONFormat.coin(coin)
        case .token(let address): JSONFormat.token(token(address))
        }
    }

    /// An amount of what a rule names.
    func json(_ raw: UInt256, of asset: Asset) -> JSONValue {
        switch asset {
        case .ether: JSONFormat.ether(Wei(raw), coin)
        case .token(let address): JSONFormat.amount(TokenAmount(raw: raw, token: token(address)))
        }
    }

    private func token(_ address: Address) -> Token {
        tokenNames[address]
            ?? Token(address: address, symbol: address.checksummed, name: "", decimals: nil)
    }
}
