import DexStore
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

extension LiveModelTests {
    @Test("q leaves at once without work, and asks with some in flight")
    func quit() async throws {
        var model = try await loaded()
        guard case .quit? = press(&model, "q").first else {
            Issue.record("q does not leave")
            return
        }
        var busy = try await planned()
        _ = busy.take(.painted)
        _ = press(&busy, "yes")
        _ = busy.take(.key(.enter))
        #expect(press(&busy, "q").isEmpty)
        guard case .leaving(.some) = busy.state.mode else {
            Issue.record("it leaves without a word")
            return
        }
        // Esc stays, and the work is shown again.
        _ = busy.take(.key(.escape))
        guard case .working = busy.state.mode else {
            Issue.record("the work is not shown")
            return
        }
        _ = press(&busy, "q")
        guard case .quit? = press(&busy, "y").first else {
            Issue.record("y does not leave")
            return
        }
    }

    @Test("the question about what is in flight ends when that is settled, and the screen with it")
    func settledQuestion() async throws {
        let account = market.trader.address
        func transactions(isUnsettled: Bool) -> TransactionsState {
            let row = TransactionsState.Row(
                hash: TransactionHash(UInt256(61).word),
                account: account,
                nonce: 1,
                purpose: "cancel",
                stage: isUnsettled ? .pooled : .mined,
                isUnsettled: isUnsettled,
                created: 0,
                block: nil,
                reorgedFromBlock: nil,
                waitsFor: nil,
                successor: nil,
                predecessor: nil,
                price: nil
            )
            return TransactionsState(rows: [row], block: nil, warnings: [])
        }
        var model = try await loaded()
        let generation = model.state.generation
        func news(_ isUnsettled: Bool) -> LiveEvent {
            .feed(.transactions(transactions(isUnsettled: isUnsettled)), generation: generation)
        }
        _ = model.take(news(true))
        #expect(press(&model, "q").isEmpty)
        #expect(model.take(news(true)).isEmpty)
        guard case .quit? = model.take(news(false)).first else {
            Issue.record("it asks on")
            return
        }
        // Who was not asked stays.
        var watching = try await loaded()
        _ = watching.take(news(true))
        #expect(watching.take(news(false)).isEmpty)
    }
}
