import Ethereum
import StrictJSON
import Testing

@testable import Uniswap

@Suite("Reverts of the router, the quoter and the pools")
struct RouterRevertTests {
    /// Every revert of the three files, with the words that the contract said.
    private func reverts() throws -> [(data: [UInt8], reason: String?)] {
        let scenarios = try ContractVectors.swaps.list("scenarios")
        let results = try scenarios.map { try $0.member("result") }
        let quotes = try scenarios.flatMap { scenario in
            try scenario.list("legs").compactMap { $0["quote"] }
                + (scenario["quotes"]?.arrayValue ?? [])
        }
        let cases = try ContractVectors.calldata.list("cases")
        return try (results + quotes + cases).filter { $0["revertData"] != nil }.map { json in
            (try json.hexBytes("revertData"), json["reason"]?.stringValue)
        }
    }

    @Test("every revert of the vectors is known by name")
    func vectors() throws {
        var seen: Set<RouterRevert> = []
        for (data, reason) in try reverts() {
            let revert = RouterRevert(data)
            if let reason {
                #expect(
                    revert == RouterRevert.Reason(rawValue: reason).map { .reason($0) },
                    "\(reason)"
                )
            } else {
                #expect(revert == .empty)
            }
            seen.insert(revert)
        }
        #expect(try reverts().count == 81)
        #expect(seen.count == 26)
    }

    @Test("each text of the contracts is a plain part of a sentence")
    func texts() throws {
        for reason in RouterRevert.Reason.allCases {
            let revert = RouterRevert(try encoded(reason.rawValue))
            #expect(revert == .reason(reason))
            let text = revert.description
            #expect(text.first?.isLowercase == true && !text.hasSuffix("."), "\(text)")
        }
        #expect(
            RouterRevert.reason(.tooLittleReceived).description
                == "the price moved beyond the minimum"
        )
        #expect(RouterRevert([]).description == "there is no such pool, or it does not hold enough")
    }

    @Test("other words are quoted, other bytes are named by their first four, and nothing traps")
    func unknown() throws {
        #expect(RouterRevert(try encoded("gone")) == .other("gone"))
        #expect(RouterRevert(try encoded("gone")).description.contains("gone"))
        let long = RouterRevert(try encoded(String(repeating: "x", count: 5_000)))
        #expect(long.description.utf8.count < 500)
        let custom: [UInt8] = [0xde, 0xad, 0xbe, 0xef, 1]
        #expect(RouterRevert(custom) == .unknown(custom))
        #expect(RouterRevert(custom).description.contains("0xdeadbeef"))
        let words = try encoded("Too little received")
        for count in 1..<68 {
            let cut = Array(words.prefix(count))
            #expect(RouterRevert(cut) == .unknown(cut))
        }
        for start in [4, 36] {
            for word: UInt256 in [0, 1, 31, 33, 1 << 31, 1 << 63, 1 << 255, .max] {
                let bytes = words.prefix(start) + word.bigEndianBytes + words.dropFirst(start + 32)
                #expect(RouterRevert(Array(bytes)) != .reason(.tooLittleReceived))
            }
        }
    }

    private func encoded(_ text: String) throws -> [UInt8] {
        ERC20.call("Error(string)") + (try ABI.encode([.string(text)], as: [.string]))
    }
}
