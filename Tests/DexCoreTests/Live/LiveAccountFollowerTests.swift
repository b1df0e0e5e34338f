import Ethereum
import EthereumWallet
import Synchronization
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("What is read beside the book of the full screen")
struct LiveAccountFollowerTests {
    @Test("nothing is read again until a block, the journal or a relay gives a cause")
    func idle() async throws {
        let market = try LiveMarket()
        market.relay.set { $0.onOrders = { _ in .success(RelayOrders(orders: [])) } }
        let pulse = RefreshTrigger()
        pulse.set(head: BlockHash(UInt256(1).word))
        let counts = Mutex<[String: Int]>([:])
        let follower = LiveAccountFollower(
            session: try market.session(),
            journal: market.journal,
            settings: ReadSettings(),
            account: market.trader.address,
            pulse: pulse
        ) { news in
            let name: String? =
                switch news {
                case .trades: "trades"
                case .balances: "balances"
                case .transactions: "transactions"
                case .trouble(let source, .some(let error)): "\(source): \(error.message)"
                default: nil
                }
            guard let name else { return }
            counts.withLock { $0[name, default: 0] += 1 }
        }
        market.clock.onSleep { count in
            if count == 200 { pulse.set(head: BlockHash(UInt256(2).word)) }
            if count >= 400 { throw CancellationError() }
        }
        await follower.run(try TestMarket().zrxWeth())
        let read = counts.withLock { $0 }
        #expect(Set(read.keys) == ["trades", "balances", "transactions"])
        // The first reading writes to the journal, which is a cause too.
        #expect(read.values.allSatisfy { (1...4).contains($0) }, "\(read)")
    }
}
