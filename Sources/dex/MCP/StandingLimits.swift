import DexCore
import DexSettings
import DexSigning
import DexTerminal
import Ethereum
import StrictJSON

/// What an agent may do now without a person: the tool `limits`.
struct StandingLimits {
    private let account: Account
    private let policy: Policy
    private let spent: [Asset: UInt256]
    /// Seconds until the key is locked again; nil for a key that never is.
    private let seconds: UInt64?
    private let isUnlocked: Bool

    /// - Throws: `DexError`, exit 3 or 5.
    init(_ context: CommandContext) async throws {
        let network = try context.network(try context.settings())
        account = try await context.account(network)
        policy = try context.policy(network)
        spent = try context.spending(policy, network).byAgents
        switch account.key {
        case .wallet:
            let status = try context.agent(of: account.address).status()
            let left = status?["milliseconds"]?.numberText.flatMap { UInt64($0) }
            isUnlocked = left.map { $0 > 0 } ?? false
            seconds = isUnlocked ? left.map { $0 / 1_000 } : nil
        default:
            isUnlocked = try context.isSandboxKey(account)
            seconds = nil
        }
    }

    func json(_ ring: ToolRing) -> JSONValue {
        [
            "allow": .string(ring.rawValue),
            "network": .string(account.network.name),
            "account": JSONFormat.address(account.address),
            "unlocked": .bool(isUnlocked),
            "seconds": JSONFormat.integer(seconds),
            "tokens": tokens,
        ]
    }

    private var tokens: JSONValue {
        guard case .limits(let limits) = policy.agents else { return [] }
        let assets = limits.perTrade.sorted { $0.key.text < $1.key.text }
        return .list(assets) { asset, perPlan in
            let perDay = limits.perDay[asset] ?? .zero
            let left = perDay - min(perDay, spent[asset] ?? .zero)
            return [
                "token": limits.json(asset),
                "perPlan": limits.json(perPlan, of: asset),
                "perDay": limits.json(perDay, of: asset),
                "left": limits.json(left, of: asset),
            ]
        }
    }

    static let answer = Answer(
        .init("allow", .words(of: ToolRing.self), "What the server may do"),
        .init("network", .text, "The server's network"),
        .init("account", .address, "The server's account"),
        .init("unlocked", .bool, "The key can sign without a person"),
        .init("seconds", Shape.integer.orNull, "Until the key is locked again, or null"),
        .init(
            "tokens",
            .list(
                .object([
                    .init("token", .currency, "The token, or the coin"),
                    .init("perPlan", .amount, "The most in one plan"),
                    .init("perDay", .amount, "The most in 24 hours, of all agents"),
                    .init("left", .amount, "What is left of that"),
                ])
            ),
            "What may leave without a person; empty without [mcp]"
        )
    )
}
