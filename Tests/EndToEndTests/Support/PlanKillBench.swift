import DexStore
import DexTestSupport
import Ethereum
import Foundation
import StrictJSON
import Synchronization
import Testing

/// One plan of an account of its own, whose execution is broken off; what became of it is read from
/// the sandbox.
struct PlanKillBench: Sendable {
    /// Who carries it out.
    enum Runner: String, CaseIterable, Sendable {
        case server
        case person
    }

    /// What happens first after the kill.
    enum Next: String, CaseIterable, Sendable {
        case execute
        case resume
        case plans
        /// The user runs the command that does the same.
        case own
    }

    /// A run that was broken off, or not.
    struct Run: Sendable, CustomStringConvertible {
        let description: String
        /// Requests to each server.
        let node: Int
        let relay: Int
    }

    let kill: KillBench
    let home: AgentHome
    let runner: Runner

    var sandbox: TestSandbox { kill.sandbox }
    var command: KillCommand { kill.command }

    /// Makes the wallet, and unlocks it where a server is to sign.
    init(
        sandbox: TestSandbox,
        trader: FaultTrader,
        command: KillCommand,
        runner: Runner
    ) async throws {
        kill = try KillBench(sandbox: sandbox, trader: trader, command: command)
        home = try AgentHome(kill.dex, policy: runner == .server ? AgentHome.policy : nil)
        self.runner = runner
        try await home.importWallet(of: trader)
        if runner == .server { try await home.unlock() }
    }

    // MARK: Runs

    /// Options that name the sandbox's servers, or what stands before them.
    private func options(node: String? = nil, relay: String? = nil) -> [String] {
        [
            "--network", "sandbox", "--rpc", node ?? sandbox.rpc, "--relay",
            relay ?? sandbox.relay, "--timeout", "600",
        ]
    }

    /// A server that nothing breaks off.
    func server() throws -> ModelClient {
        try home.server(
            allow: runner == .server ? "do" : "plan",
            wallet: AgentHome.wallet,
            options()
        )
    }

    /// Plans what the command does.
    func plan(by server: ModelClient) async throws -> String {
        if command == .firstBuy { return try await server.planBuy("0.1").id }
        try #require(command == .placeLimit, "no plan does \(command)")
        return try await server.plan(
            "plan_limit",
            ["pair": "ZRX/WETH", "side": "sell", "amount": "1", "price": "0.01"]
        ).id
    }

    /// Carries the plan out before servers of its own.
    ///
    /// - Parameter broken: where it is killed; nil lets it end.
    func run(_ plan: String, _ broken: KillCase?) async throws -> Run {
        switch runner {
        case .server: try await serve(plan, broken)
        case .person: try await approve(plan, broken)
        }
    }

    private func servers(
        _ broken: KillCase?,
        _ kill: @escaping @Sendable () -> Void
    ) throws -> (node: Interposer, relay: Interposer) {
        func server(_ isRelay: Bool, before target: String) throws -> Interposer {
            try Interposer(before: target) { _, number in
                guard let broken, broken.isOfRelay == isRelay else { return .pass }
                return broken.decide(number, kill: kill)
            }
        }
        return (try server(false, before: sandbox.rpc), try server(true, before: sandbox.relay))
    }

    private func serve(_ plan: String, _ broken: KillCase?) async throws -> Run {
        let running = Mutex<ModelClient?>(nil)
        let (node, relay) = try servers(broken) { running.withLock { $0 }?.kill() }
        let client = try home.server(
            wallet: AgentHome.wallet,
            options(node: node.url, relay: "\(relay.url)/v0")
        )
        // Nothing is asked of node and relay before.
        running.withLock { $0 = client }
        let reply = try await client.execute(plan)
        client.kill()
        // Nothing of it runs on beside what comes next.
        _ = try await client.status()
        return Run(
            description: reply.isGone ? "killed" : "\(reply)",
            node: node.requests.count,
            relay: relay.requests.count
        )
    }

    private func approve(_ plan: String, _ broken: KillCase?) async throws -> Run {
        let mark = (HangWatch.variable, UUID().uuidString)
        let dex = home.dex
        let (node, relay) = try servers(broken) {
            do {
                try dex.kill(with: "\(mark.0)=\(mark.1)")
            } catch {
                Issue.record(error)
            }
        }
        let run = try await yes(
            to: plan,
            options(node: node.url, relay: "\(relay.url)/v0"),
            environment: [mark.0: mark.1],
            mayEnd: broken != nil
        )
        return Run(
            description: "exit \(run.run.status) \(run)",
            node: node.requests.count,
            relay: relay.requests.count
        )
    }

    /// A person says yes on a terminal.
    func yes(
        to plan: String,
        _ options: [String]? = nil,
        environment: [String: String] = [:],
        mayEnd: Bool = false
    ) async throws -> Conversation {
        try await home.dex.converse(
            ["approve", plan] + (options ?? self.options()),
            environment: environment,
            [
                (AgentHome.question, "y\n"),
                (AgentHome.passwordPrompt, AgentHome.password + "\n"),
            ],
            mayEnd: mayEnd
        )
    }

    // MARK: Afterwards

    /// Does what comes after a kill, and holds what is told against what is so.
    func check(_ plan: String, _ next: Next, _ words: String) async throws {
        var story = "\(words)\nthen \(next.rawValue)"
        var own: UInt256 = 0
        let server = try server()
        switch next {
        case .execute: break
        case .resume:
            let reported = try await kill.run(["resume"])
            story += "\nresume: \(Self.brief(reported))"
            #expect(reported.exit == 0, "\(story)")
        case .plans:
            let reported = try await server.call("plans", ["plan": .string(plan)])
            story += "\nplans: \(reported)"
            #expect(reported.code == "ok", "\(story)")
        case .own:
            let run = try await kill.run()
            story += "\nown: \(Self.brief(run))"
            // It may find a transaction of the plan that is still under way, and sends that again.
            #expect(run.exit == 0 || run.exit == 12, "\(story)")
            own = run.exit == 0 ? 1 : 0
        }
        // An order of the user's own needs more of the same allowance: then the plan has moved.
        let mayMove = command == .placeLimit && own > .zero
        let last = try await finish(plan, server, mayMove: mayMove, &story)
        try await checkEnd(plan, last, server, own: own, story)
    }

    /// Lets the plan come to its end, as a model or a person does, and tells its state.
    private func finish(
        _ plan: String,
        _ server: ModelClient,
        mayMove: Bool,
        _ story: inout String
    ) async throws -> ModelReply {
        if runner == .person {
            let state = try await home.state(of: plan)
            if state == "waiting" || state == "open" {
                let yes = try await yes(to: plan, mayEnd: mayMove)
                story += "\nyes: exit \(yes.run.status) \(yes)"
                #expect(yes.run.status == 0 || mayMove && yes.run.status == 6, "\(story)")
            }
            let reported = try await server.call("plans", ["plan": .string(plan)])
            story += "\nplans: \(reported)"
            return reported
        }
        let reported = try await server.execute(plan)
        story += "\nexecute: \(reported)"
        let again = try await server.execute(plan)
        #expect(again.message["result"] == reported.message["result"], "\(story)\nagain: \(again)")
        return reported
    }

    private func done(_ truth: KillBench.Truth) -> UInt256 {
        command == .firstBuy ? truth.fills : UInt256(UInt64(truth.orders))
    }

    /// What is told is so; the plan did it once or not at all; nothing is in the way of what comes
    /// next.
    private func checkEnd(
        _ plan: String,
        _ last: ModelReply,
        _ server: ModelClient,
        own: UInt256,
        _ words: String
    ) async throws {
        var story = words
        let truth = try kill.truth()
        story += "\n\(truth)"
        switch last.state {
        case "ended" where last.exit == 0:
            #expect(done(truth) == 1 + own, "\(story)")
        case "ended", "interrupted":
            // A signature that died with its process is nobody's.
            #expect(done(truth) == own, "\(story)")
        default: Issue.record("it is \(last.state): \(story)")
        }
        // The chain has what the journal has, each once, and what was told.
        let journal = try kill.journal()
        let hashes = Set(journal.map(\.hash.hex))
        #expect(Set(last.hashes).isSubset(of: hashes), "\(story)")
        let approvals = try purposes(plan).filter { $0 == "approve" }.count
        #expect(approvals <= 1, "\(story)")
        #expect(try purposes(plan).filter { $0 != "approve" }.count <= 1, "\(story)")
        if last.state == "interrupted" || last.exit != 0 {
            // A new plan is a new question, and is carried out.
            let next = try await self.plan(by: server)
            var end = try await repeated(next, server, &story)
            if end.state == "open" || end.state == "waiting" {
                let resume = try await kill.run(["resume"])
                story += "\nresume: \(Self.brief(resume))"
                end = try await repeated(next, server, &story)
            }
            #expect(end.state == "ended" && end.exit == 0, "\(story)")
            #expect(done(try kill.truth()) == 1 + own, "\(story)")
        }
        // What a plan signed stops no command of the user's.
        let next = try await kill.run(["allowance", "set", "ZRX", "3"])
        story += "\nnext: \(Self.brief(next))"
        #expect(next.exit == 0, "\(story)")
        let resumed = try await kill.run(["resume"])
        story += "\nresume: \(Self.brief(resumed))"
        #expect(resumed.exit == 0, "\(story)")
        let left = try kill.unfinished()
        #expect(
            left.transactions.isEmpty && left.reservations.isEmpty && left.intents.isEmpty
                && left.orders.isEmpty,
            "\(left) \(story)"
        )
        let end = try kill.truth()
        #expect(end.pending == end.mined, "\(end) \(story)")
        let after = try kill.journal()
        #expect(after.allSatisfy { $0.stage == .mined }, "\(after) \(story)")
        #expect(after.count == Int(end.mined), "\(after) \(story)")
    }

    private func repeated(
        _ plan: String,
        _ server: ModelClient,
        _ story: inout String
    ) async throws -> ModelReply {
        if runner == .person {
            let yes = try await yes(to: plan)
            story += "\nyes to the new plan: exit \(yes.run.status) \(yes)"
            return try await server.call("plans", ["plan": .string(plan)])
        }
        let reply = try await server.execute(plan)
        story += "\nthe new plan: \(reply)"
        return reply
    }

    private static func brief(_ run: KillBench.Run) -> String {
        "exit \(run.exit) \(run.json?["error"]?.text ?? "") "
            + (run.json?["data"]?["items"]?.text.prefix(1_500) ?? "")
    }

    /// What was signed for the plan, by the audit log: `approve`, `fill`, `order`.
    private func purposes(_ plan: String) throws -> [String] {
        try home.signed(for: plan).map { $0["purpose"]?.stringValue ?? "none" }
    }
}
