import DexSandbox
import DexSigning
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

/// The plans of commands, of agents and of the full screen, before two nodes.
@Suite("A plan that is only shown says what is proven of it, whoever makes it")
struct PlanProofTests {
    /// Who makes a plan.
    enum Maker: CaseIterable, Sendable {
        case command, agent, screen

        /// What the plan says is proven.
        func proof(_ stage: ProofStage, _ session: Session) async throws -> StateProof? {
            let model = stage.model(session)
            let account = stage.market.trader.address
            switch self {
            case .command:
                let plan = try await model.plan(stage.request, account: account)
                return try await PlanRunner(model.context).proven(plan).proof
            case .agent:
                return try await AgentPlans<MarketOrderModel>(
                    session: session,
                    journal: stage.market.journal,
                    settings: model.settings
                ).make(stage.request, account: account, signer: stage.market.signer).planned.proof
            case .screen:
                let request = LiveRequest.market(stage.request, slippage: 100)
                return try await model.context.plan(request, account: account).proven().proof
            }
        }
    }

    @Test(
        "with proofs it has them, for at most two rounds more beside them",
        arguments: Maker.allCases,
        [ProofStage.Venue.v1, .pool]
    )
    func proven(maker: Maker, venue: ProofStage.Venue) async throws {
        let stage = try await ProofStage(venue)
        #expect(try await maker.proof(stage, try stage.session(proofs: false)) == nil)
        #expect(stage.second.rounds.isEmpty)
        let rounds = stage.first.rounds.count
        stage.first.forgetRounds()
        let proof = try #require(try await maker.proof(stage, try stage.session()))
        #expect(proof.isComplete && proof.words >= 4, "\(proof)")
        #expect(proof.nodes == ProofStage.names)
        let proofs = stage.first.rounds.count { $0.contains { $0.isProof } }
        #expect(proofs > 0)
        #expect(stage.first.rounds.count <= rounds + proofs + 2)
        #expect(stage.first.sent.isEmpty)
    }

    @Test("a lie is named, and there is no plan", arguments: Maker.allCases)
    func lie(maker: Maker) async throws {
        let stage = try await ProofStage()
        stage.first.answer { read, answer in
            guard case .storage = read else { return answer }
            return .success(.word(UInt256(99)))
        }
        let error = await refusal { try await maker.proof(stage, try stage.session()) }
        #expect(error?.code == "node-lied", "\(String(describing: error))")
        #expect(error?.message.hasPrefix("https://a.example says that the word at ") == true)
    }

    @Test("nodes without proofs leave it unproven, and it is a plan", arguments: Maker.allCases)
    func unproven(maker: Maker) async throws {
        let stage = try await ProofStage()
        stage.first.hideProofs()
        stage.second.hideProofs()
        let proof = try #require(try await maker.proof(stage, try stage.session()))
        #expect(!proof.isComplete)
        #expect(proof.failure?.contains("the method does not exist") == true, "\(proof)")
    }

    @Test("a plan that a person is asked about again is proven again")
    func approved() async throws {
        let stage = try await ProofStage()
        let model = stage.model(try stage.session())
        let (market, trader) = (stage.market, stage.market.trader.address)
        let plans = AgentPlans<MarketOrderModel>(
            session: model.session,
            journal: market.journal,
            settings: model.settings
        )
        let made = try await plans.make(stage.request, account: trader, signer: market.signer)
        let kept = AgentPlanTests.kept(made.bounds, on: market)
        let ready = try await plans.ready(
            kept,
            made.bounds,
            stage.request,
            signer: market.signer
        )
        #expect(ready.planned.proof == nil)
        #expect(try await ready.proven().planned.proof?.isComplete == true)
    }
}
