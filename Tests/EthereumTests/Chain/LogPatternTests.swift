import Ethereum
import Testing

@Suite("Which logs eth_getLogs asks for")
struct LogPatternTests {
    private static let contract = Address(truncating: UInt256(9).word)
    private static let other = Address(truncating: UInt256(10).word)
    private static let transfer = UInt256(1).word
    private static let approval = UInt256(2).word
    private static let me = UInt256(3).word

    private func log(
        _ topics: [Bytes32],
        of contract: Address = contract,
        block: UInt64? = nil,
        hash: BlockHash? = nil
    ) -> Log {
        Log(address: contract, topics: topics, data: [], blockNumber: block, blockHash: hash)
    }

    private func matches(_ log: Log, _ contracts: [Address], _ topics: [[Bytes32]]) -> Bool {
        LogPattern(contracts: contracts, topics: topics).matches(log)
    }

    @Test("a contract among those named; none names any")
    func contracts() {
        #expect(matches(log([]), [], []))
        #expect(matches(log([]), [Self.other, Self.contract], []))
        #expect(!matches(log([]), [Self.other], []))
    }

    @Test("one of the topics at each position; an empty one takes any, but wants one")
    func topics() {
        let sent = log([Self.transfer, Self.me])
        #expect(matches(sent, [], [[Self.approval, Self.transfer]]))
        #expect(matches(sent, [], [[], [Self.me]]))
        #expect(matches(sent, [], [[], []]))
        #expect(!matches(sent, [], [[Self.approval]]))
        #expect(!matches(sent, [], [[Self.transfer], [Self.transfer]]))
        #expect(!matches(sent, [], [[], [], []]))
    }

    @Test("a filter's answer: its blocks, by number or hash, and no topic behind the last named")
    func filters() {
        let hash = BlockHash(UInt256(7).word)
        let range = LogPattern(LogFilter(fromBlock: .number(4), toBlock: .number(6)))
        #expect([4, 6, nil].allSatisfy { range.matches(log([], block: $0)) })
        #expect([3, 7].allSatisfy { !range.matches(log([], block: $0)) })
        let open = LogPattern(LogFilter(fromBlock: .earliest, toBlock: .latest))
        #expect(open.matches(log([], block: .max)))
        // A range that ends before it begins has its first block at most.
        let reversed = LogPattern(LogFilter(fromBlock: .number(6), toBlock: .number(4)))
        #expect(!reversed.matches(log([], block: 5)))
        let one = LogPattern(LogFilter(block: hash))
        #expect(one.matches(log([], block: 9, hash: hash)))
        #expect(!one.matches(log([], block: 9)) && !one.matches(log([], hash: BlockHash(.zero))))
        let trailing = LogFilter(
            fromBlock: .latest,
            toBlock: .latest,
            topics: [[Self.transfer], []]
        )
        #expect(LogPattern(trailing).matches(log([Self.transfer])))
        #expect(!LogPattern(trailing).matches(log([Self.approval])))
    }
}
