import Ethereum
import Testing

@testable import DexCore
@testable import DexCoreTestSupport
@testable import DexStore

@Suite("Nonces that are free while something waits behind them")
struct NonceGapsTests {
    private static let alice = TestMarket.address("0x1111111111111111111111111111111111111111")
    private static let bob = TestMarket.address("0x2222222222222222222222222222222222222222")

    private func hash(_ seed: UInt64) -> TransactionHash {
        TransactionHash(UInt256(seed).word)
    }

    private func waiting(
        _ nonces: [UInt64],
        of sender: Address = alice,
        stage: TransactionStage = .broadcast
    ) -> [JournalTransaction] {
        nonces.map { nonce in
            JournalTransaction(
                intent: 1,
                chainID: 1337,
                sender: sender,
                nonce: nonce,
                purpose: "fill",
                hash: hash(sender == Self.bob ? nonce + 1_000 : nonce),
                raw: [],
                stage: stage,
                created: 1,
                block: nil,
                reorgedFromBlock: nil,
                successor: nil,
                predecessor: nil
            )
        }
    }

    /// What each nonce waits for: what waits, the node's count, what is held.
    private static let cases: [([UInt64], UInt64, [UInt64], [UInt64: UInt64])] = [
        ([], 0, [], [:]),
        ([0], 0, [], [:]), ([0], 1, [], [:]), ([5, 6, 7], 8, [], [:]),
        ([5, 6, 7], 5, [], [:]),
        ([6], 5, [], [6: 5]), ([5, 7, 8], 5, [], [7: 6, 8: 6]), ([5, 7, 9], 6, [], [7: 6, 9: 6]),
        ([6], 5, [5], [:]), ([6, 8], 5, [5], [8: 7]), ([7], 5, [6], [7: 5]),
        ([3], 9, [], [:]), ([.max], .max, [], [:]), ([.max], 0, [], [.max: 0]),
    ]

    @Test("the lowest free nonce below each", arguments: cases)
    func gaps(nonces: [UInt64], count: UInt64, others: [UInt64], expected: [UInt64: UInt64]) {
        let waiting = waiting(nonces)
        let gaps = NonceGaps(waiting, pending: [Self.alice: count], held: [Self.alice: Set(others)])
        for transaction in waiting {
            #expect(gaps[transaction.hash]?.nonce == expected[transaction.nonce])
            #expect(gaps[transaction.hash]?.holder == nil)
        }
        #expect(gaps.isEmpty == expected.isEmpty)
    }

    @Test("accounts have nothing to do with each other, and one that nobody counted has none")
    func accounts() {
        let all = waiting([1]) + waiting([1], of: Self.bob)
        let gaps = NonceGaps(all, pending: [Self.alice: 0], held: [:])
        #expect(gaps[hash(1)]?.nonce == 0 && gaps[hash(1_001)] == nil)
        let both = NonceGaps(all, pending: [Self.alice: 0, Self.bob: 0], held: [Self.alice: [0]])
        #expect(both[hash(1)] == nil && both[hash(1_001)]?.nonce == 0)
        #expect(NonceGap(nonce: 7).words.contains("the nonce 7, which is free"))
    }

    @Test("one that is signed and not sent is named by those behind it, and waits for none itself")
    func held() {
        let all = waiting([5], stage: .held) + waiting([6, 7])
        let gaps = NonceGaps(all, pending: [Self.alice: 5], held: [:])
        #expect(gaps[hash(5)] == nil)
        #expect(gaps[hash(6)] == NonceGap(nonce: 5, holder: hash(5)))
        #expect(gaps[hash(7)] == NonceGap(nonce: 5, holder: hash(5)))
        #expect(gaps[hash(6)]?.words.contains("signed and not sent") == true)
        // Someone sent it: the node counts it, and nothing waits for it.
        #expect(NonceGaps(all, pending: [Self.alice: 8], held: [:]).isEmpty)
    }
}
