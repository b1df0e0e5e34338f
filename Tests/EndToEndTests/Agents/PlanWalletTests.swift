import DexTestSupport
import Ethereum
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

/// Plans of a wallet with a password, which only the process of `dex unlock` signs.
@Suite("Plans of an encrypted wallet")
struct PlanWalletTests {
    private let dex: DexBinary
    private let home: AgentHome

    init() throws {
        dex = try DexBinary()
        try dex.write(config: "network = \"sandbox\"\n")
        home = try AgentHome(dex)
    }

    private func withTrader(
        _ body: (TestSandbox, FaultTrader) async throws -> Void
    ) async throws {
        try await dex.withSandbox { sandbox in
            let trader = try #require(
                try await sandbox.traders(0..<1, isApproved: false).first
            )
            try await home.importWallet(of: trader)
            do {
                try await body(sandbox, trader)
                try await home.lock()
            } catch {
                try await home.lock()
                throw error
            }
        }
    }

    private func sent(_ sandbox: TestSandbox, _ trader: FaultTrader) throws -> Int {
        let (mined, waiting) = try sandbox.sent(by: trader, after: 0)
        return mined + waiting
    }

    @Test("an unlocked key's process signs for the plan, and dex lock stops the next call")
    func unlocked() async throws {
        try await withTrader { sandbox, trader in
            let server = try home.server(
                wallet: AgentHome.wallet,
                [],
                environment: [
                    "DEX_PASSWORD_FILE": try home.write("open sesame\n", to: "password")
                ]
            )
            #expect(try await server.call("limits").data?["unlocked"] == false)
            let (id, planned) = try await server.planBuy("1")
            #expect(planned["approval"] == false, "\(planned.text)")
            #expect(planned["account"]?.stringValue == trader.address.checksummed)
            for wait in [nil, 1] {
                let locked = try await server.execute(id, wait: wait)
                #expect(locked.code == "locked" && locked.exit == 5, "\(locked)")
                #expect(locked.state == "open", "\(locked)")
                #expect(locked.description.contains("dex unlock agent"), "\(locked)")
            }
            #expect(try home.audit().isEmpty)

            try await home.unlock("--max", "WETH=0.005", "--max-day", "WETH=0.01")
            let limits = try await server.call("limits").data
            #expect(limits?["unlocked"] == true, "\(limits?.text ?? "")")
            #expect(limits?["seconds"]?.isNull == false)
            let done = try await server.execute(id)
            #expect(done.state == "ended" && done.exit == 0, "\(done)")
            #expect(try sent(sandbox, trader) == 2)
            let lines = try home.signed(for: id)
            #expect(lines.map { $0["purpose"] } == ["approve", "fill"])
            #expect(lines.allSatisfy { $0["origin"] == "mcp" && $0["key"] == "agent" })
            // The key's own limits hold besides [mcp], at planning already.
            let beyond = try await server.call("plan_trade", ModelClient.buying("8"))
            #expect(beyond.code == "policy" && beyond.exit == 6, "\(beyond)")

            try await home.lock()
            let (next, _) = try await server.planBuy("1")
            let locked = try await server.execute(next)
            #expect(locked.code == "locked" && locked.exit == 5, "\(locked)")
            #expect(try sent(sandbox, trader) == 2)
            #expect(try home.authorized(for: next).isEmpty)
        }
    }

    @Test(
        "dex approve asks for the password on the terminal alone, unlocked or not",
        arguments: [false, true]
    )
    func password(isUnlocked: Bool) async throws {
        try await withTrader { sandbox, trader in
            if isUnlocked { try await home.unlock() }
            let server = try home.server(wallet: AgentHome.wallet)
            let (id, planned) = try await server.planBuy("15")
            #expect(planned["approval"] == true, "\(planned.text)")
            #expect(try await server.execute(id).state == "waiting")
            let environment = try home.passwordFile()
                .merging(["DEX_PRIVATE_KEY": trader.key]) { $1 }
            let wrong = try await dex.converse(
                ["approve", id],
                environment: environment,
                [
                    (AgentHome.question, "y\n"), (AgentHome.passwordPrompt, "wrong\n"),
                    (AgentHome.passwordPrompt, "\n"), (AgentHome.passwordPrompt, "wrong\n"),
                ]
            )
            #expect(wrong.run.status == 5, "\(wrong)")
            #expect(try home.audit().isEmpty)
            #expect(try sent(sandbox, trader) == 0)
            #expect(try await home.state(of: id) == "waiting")

            let right = try await dex.converse(
                ["approve", id],
                environment: environment,
                [
                    (AgentHome.question, "y\n"),
                    (AgentHome.passwordPrompt, AgentHome.password + "\n"),
                ]
            )
            #expect(right.run.status == 0, "\(right)")
            #expect(!right.shown.contains("sesame") && right.echoes)
            #expect(try await server.execute(id).state == "ended")
            #expect(try sent(sandbox, trader) == 2)
            let lines = try home.signed(for: id)
            #expect(lines.count == 2)
            #expect(lines.allSatisfy { $0["origin"] == "approve" })
            #expect(lines.allSatisfy { ($0["key"] == "agent") == isUnlocked })
            let left = try await server.call("limits").data?["tokens"]?.arrayValue
            #expect(left?.first { $0["token"]?["symbol"] == "WETH" }?["left"]?["value"] == "0.02")
        }
    }

    @Test("policy.toml and the key's limits hold after a yes too; a key in the server is none")
    func rules() async throws {
        try await withTrader { sandbox, trader in
            // What even a person may not do is no plan.
            try home.write(
                "max_fee = \"0.01\"\n[max_per_trade]\nWETH = \"0.012\"\n" + AgentHome.policy,
                to: "policy.toml"
            )
            let server = try home.server(wallet: AgentHome.wallet)
            let forbidden = try await server.call("plan_trade", ModelClient.buying("17"))
            #expect(forbidden.code == "policy" && forbidden.exit == 6, "\(forbidden)")
            #expect(try await server.call("plans").data == ["plans": []])
            // A rule that came later holds at the yes.
            let (id, _) = try await server.planBuy("15")
            try home.write(
                "[max_per_trade]\nWETH = \"0.001\"\n" + AgentHome.policy,
                to: "policy.toml"
            )
            let late = try await dex.converse(["approve", id], [])
            #expect(late.run.status == 6, "\(late)")
            #expect(late.run.stderr.contains("max_per_trade"), "\(late)")
            let refused = try await server.execute(id)
            #expect(refused.code == "policy" && refused.exit == 6, "\(refused)")
            #expect(refused.state == "open", "\(refused)")
            try home.write(AgentHome.policy, to: "policy.toml")

            // The host can hand the server a key, and the server signs nothing with it.
            let keyed = try ModelClient(
                dex,
                ["--allow", "do"],
                environment: ["DEX_PRIVATE_KEY": trader.key]
            )
            let (personal, planned) = try await keyed.planBuy("1")
            #expect(planned["approval"] == true, "\(planned.text)")
            #expect(try await keyed.execute(personal).state == "waiting")
            #expect(try home.audit().isEmpty)
            #expect(try sent(sandbox, trader) == 0)
        }
    }
}
