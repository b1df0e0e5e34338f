import DexSigning
import Ethereum
import Testing

@testable import DexCore
@testable import DexTerminal

@Suite("The plans and the outcomes of the full screen")
struct LivePlanTests {
    /// A plan that is shown alone.
    private struct ShownPlan: RunnablePlan {
        let content: any PlanContent
        var proof: StateProof? { nil }

        func check(_ signer: AuthorizedSigner) throws(DexError) {}
        func proven() async throws(DexError) -> any RunnablePlan { self }
        func run(_ signer: AuthorizedSigner) async throws(DexError) -> any OperationOutcome {
            throw TradeError.noAccount
        }
    }

    /// A plan of each request that the screen has.
    private static var contents: [any PlanContent] {
        [Fixtures.buyPlan, ScreenTests.limitPlan, Typed.replacePlan, ScreenTests.cancelPlan]
    }

    private static func text(_ mode: LiveMode) -> String {
        var state = LiveFixtures.state(120, 60)
        state.mode = mode
        let grid = LiveView(state, zone: .utc).grid
        return (0..<grid.rows).map { grid.text(row: $0) }.joined(separator: "\n")
    }

    @Test("each one is shown with its question before its word can be typed")
    func plans() throws {
        for content in Self.contents {
            let text = Self.text(.plan(ShownPlan(content: content), LineField(), scroll: 0))
            let question = try #require(content as? any PlanView).question
            #expect(text.contains(question.text.prefix(24)))
            #expect(text.contains(content.account.checksummed))
            #expect(text.contains("Type \(content.word ?? "yes") and Enter to sign it"))
        }
    }

    @Test("an outcome is shown as its command shows it")
    func outcome() {
        let text = Self.text(.outcome(Fixtures.buyOutcome, scroll: 0))
        #expect(text.contains("Not done as asked"))
        let screen = Screen(width: 88, style: .plain, now: Fixtures.now)
        #expect(text.contains(Fixtures.buyOutcome.lines(screen)[0].prefix(24)))
    }
}
