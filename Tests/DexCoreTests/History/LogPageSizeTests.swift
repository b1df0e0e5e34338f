import Ethereum
import Testing

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("How many blocks of logs a node is asked for at once")
struct LogPageSizeTests {
    /// Reads so many blocks of a node that takes at most `limit` of them; the number of requests.
    private func requests(
        _ blocks: UInt64,
        limit: UInt64,
        words: String = "no",
        _ size: inout LogPageSize
    ) -> UInt64 {
        var (left, count) = (blocks, UInt64(0))
        while left > 0 {
            let length = min(size.size, left)
            count += 1
            guard length <= limit else {
                let named = LogPageSize.named(in: words, from: blocks - left, length: length)
                size.refuse(length, named: named)
                continue
            }
            left -= length
            if left > 0 { size.answer(length, left: left) }
        }
        return count
    }

    @Test(
        "whatever the limit, a long reading takes at most a tenth more requests than it must",
        arguments: [1, 2, 7, 10, 11, 19, 50, 100, 128, 500, 800, 999, 1_000, 2_000, 3_456]
    )
    func fewest(limit: UInt64) {
        var size = LogPageSize()
        let blocks = max(12_065, limit * 300)
        let needed = (blocks + limit - 1) / limit
        let count = requests(blocks, limit: limit, &size)
        #expect(count * 10 <= needed * 11 + 10, "\(limit): \(count) for \(needed)")
        // What was learnt holds for the next reading.
        let again = requests(blocks, limit: limit, &size)
        #expect(again * 20 <= needed * 21 + 20, "\(limit): \(again) for \(needed)")
    }

    @Test("a refusal about many logs does not make later requests small for ever")
    func dense() {
        var size = LogPageSize()
        _ = requests(1_000, limit: 10, &size)
        let count = requests(1_000_000, limit: 1_000_000, &size)
        #expect(count < 60, "\(count)")
    }

    @Test(
        "the number of blocks that a node's words name is taken",
        arguments: [
            ("block range is too wide, maximum is 2,000", 2_000),
            ("eth_getLogs is limited to a 500 range, requested 10000 blocks", 500),
            ("exceed maximum block range: 5000", 5_000),
            (
                "You can make eth_getLogs requests with up to a 10 block range. Based on your "
                    + "parameters, this block range should work: [0x64, 0x6d]", 10
            ),
            (
                "query returned more than 10000 results. Try with this block range [0x64, 0x163]",
                256
            ),
            ("query returned more than 9000 results in this range", nil),
            ("block range extends beyond current head block", nil),
            ("please limit your query to at most 20000 blocks", nil), ("limit of 7", nil),
            ("blocks 0x64 to 0x2774 are too many", nil),
        ] as [(String, UInt64?)]
    )
    func named(words: String, maximum: UInt64?) {
        #expect(LogPageSize.named(in: words, from: 100, length: 10_000) == maximum, "\(words)")
    }

    @Test("with the number in its words one refusal is enough, however it counts")
    func reported() {
        for (limit, words) in [(10, "up to a 10 block range"), (11, "up to a 10 block range")] {
            var size = LogPageSize()
            let limit = UInt64(limit)
            let count = requests(12_065, limit: limit, words: words, &size)
            let needed = (12_065 + limit - 1) / limit
            #expect(count * 20 <= needed * 21, "\(limit): \(count) for \(needed)")
        }
    }
}
