import DexCore
import DexSigning
import Ethereum
import Testing
import ZeroEx

@testable import DexSettings

@Suite("[mcp] in policy.toml")
struct AgentLimitTests {
    private static func network(_ name: String) throws -> Network {
        try #require(try NetworkCatalog.bundled().first { $0.name == name })
    }

    private static func policy(_ text: String, _ name: String = "base") throws -> Policy {
        try PolicyFile(content: Array(text.utf8), path: "policy.toml")
            .policy(network(name), among: [])
    }

    private static func failure(_ text: String) -> DexError? {
        do {
            _ = try policy(text)
            return nil
        } catch {
            return error as? DexError
        }
    }

    private static let table = """
        [mcp]
        networks = ["base"]
        [mcp.max_per_trade]
        WETH = "0.1"
        USDC = 50
        [mcp.max_per_day]
        WETH = 1
        ETH = 2
        """

    @Test("only what has both amounts has limits, and everything else has none")
    func amounts() throws {
        guard case .limits(let limits) = try Self.policy(Self.table).agents else {
            Issue.record("no limits")
            return
        }
        #expect(limits.limitsEverything)
        #expect(limits.perTrade.count == 1 && limits.perDay.count == 1)
        #expect(limits.perTrade.keys == limits.perDay.keys)
        let weth = try #require(limits.perTrade.keys.first)
        #expect(limits.name(weth) == "WETH")
        #expect(limits.value(limits.perTrade[weth] ?? .zero, weth) == "0.1")
        #expect(limits.value(limits.perDay[weth] ?? .zero, weth) == "1")
        // The user's own limits are untouched.
        let policy = try Self.policy(Self.table)
        #expect(policy.perTrade.isEmpty && policy.perDay.isEmpty && !policy.countsDays)
    }

    @Test("without the table, or elsewhere, agents may do nothing alone")
    func forbidden() throws {
        for (text, name) in [
            ("", "base"), ("max_fee = 1", "base"), ("[mcp]", "base"),
            ("[mcp]\nnetworks = []", "base"), (Self.table, "mainnet"),
        ] {
            guard case .forbidden(let reason) = try Self.policy(text, name).agents else {
                Issue.record("\(text)")
                continue
            }
            #expect(!reason.isEmpty)
        }
        let none = try PolicyFile(content: nil, path: "policy.toml")
        guard case .forbidden = try none.policy(Self.network("base"), among: []).agents else {
            Issue.record("no file")
            return
        }
        #expect(!none.hasAgentLimits)
        #expect(try PolicyFile(content: Array(Self.table.utf8), path: "").hasAgentLimits)
        #expect(try !PolicyFile(content: Array("max_fee = 1".utf8), path: "").hasAgentLimits)
    }

    @Test("a misspelt rule is an error that names its line")
    func faults() {
        for (text, line) in [
            ("[mcp]\nnetwork = ['base']", 2), ("mcp = 1", 1), ("[mcp]\nnetworks = 'base'", 2),
            ("[mcp]\nnetworks = ['base']\n[mcp.max_per_trade]\nNOPE = 1", 4),
            ("[mcp]\nnetworks = ['base']\n[mcp.max_per_day]\nWETH = 'much'", 4),
            ("[mcp]\nnetworks = ['base']\nmax_per_day = 1", 3),
        ] {
            let error = Self.failure(text)
            #expect(error?.code == "bad-policy", "\(text)")
            #expect(
                error?.message.contains("policy.toml:\(line):") == true,
                "\(error?.message ?? "")"
            )
        }
    }
}
