import Ethereum
import Testing

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("What a trade was confirmed to bring, as the journal keeps it")
struct FillBoundsTests {
    private static let base = "0x\(String(repeating: "11", count: 20))"
    private static let quote = "0x\(String(repeating: "22", count: 20))"

    /// As older versions wrote it.
    private func plan(_ side: String) -> String {
        #"{"side":"\#(side)","base":"\#(Self.base)","quote":"\#(Self.quote)","block":7,"#
            + #""expectedReceive":"1000","minimumReceive":"990"}"#
    }

    @Test("whole plans of older versions are read by their side", arguments: ["buy", "sell"])
    func older(side: String) throws {
        let bounds = try #require(FillBounds(record: plan(side), of: .fill))
        #expect(bounds.token == (try Address(side == "buy" ? Self.base : Self.quote)))
        #expect(bounds.expected == UInt256(1_000) && bounds.minimum == UInt256(990))
    }

    @Test("what is written is read back, and names the token alone")
    func written() throws {
        let bounds = try #require(FillBounds(record: plan("sell"), of: .fill))
        let record = try #require(FillBounds.record([bounds]))
        #expect(!record.contains(Self.base))
        #expect(FillBounds(record: record, of: .fill) == bounds)
    }

    @Test("of a divided trade each transaction has the bounds of its own part")
    func parts() throws {
        let fill = try #require(FillBounds(record: plan("sell"), of: .fill))
        let swap = try #require(FillBounds(record: plan("buy"), of: .swap))
        let record = try #require(FillBounds.record([fill, swap]))
        #expect(FillBounds(record: record, of: .fill) == fill)
        #expect(FillBounds(record: record, of: .swap) == swap)
        #expect(FillBounds(record: record, of: .approve) == nil)
        #expect(FillBounds.record([]) == nil)
    }

    @Test(
        "any other text is none",
        arguments: ["", "{}", #"{"orders":[]}"#, #"{"token":"0x11","amount":"5"}"#]
    )
    func others(record: String) {
        #expect(FillBounds(record: record, of: .fill) == nil)
    }
}
