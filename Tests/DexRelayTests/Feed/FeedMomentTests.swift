import DexTestSupport
import Ethereum
import StrictJSON
import Testing
import ZeroEx

@testable import DexRelay

/// Subscribers that come while the book changes.
@Suite struct FeedMomentTests {
    /// What a client knows of the book from its messages.
    private struct Reader {
        var salts: [String: String] = [:]
        var sequence: String?

        /// Takes the next message, which must go on where the last one ended.
        mutating func take(_ text: String) throws {
            let json = try JSONParser.parse(text: text)
            let payload = json["payload"]
            switch json["type"]?.stringValue {
            case "snapshot":
                try #require(sequence == nil)
                for order in payload?["asks"]?.arrayValue ?? [] { try add(order) }
            case "update":
                try #require(json["previous"]?.numberText == sequence, "\(text)")
                try add(try #require(payload))
            case "change":
                try #require(json["previous"]?.numberText == sequence, "\(text)")
                for change in payload?.arrayValue ?? [] {
                    let hash = try #require(change["orderHash"]?.stringValue)
                    try #require(salts.removeValue(forKey: hash) != nil, "not in the book: \(text)")
                }
            default: Issue.record("\(text)")
            }
            sequence = json["sequence"]?.numberText
        }

        private mutating func add(_ order: JSONValue) throws {
            let decoded = try ZeroExV1().decodeOrder(order)
            let salt = order["salt"]?.stringValue
            try #require(salts.updateValue(salt ?? "", forKey: decoded.hash.hex) == nil, "twice")
        }
    }

    @Test("each order is in the snapshot or in a later update, never in both, never in neither")
    func moments() async throws {
        let fixture = try FeedFixture()
        fixture.reset(to: [], sequences: [FeedFixture.market: 0])
        var changes: [BookChange] = []
        for salt in 1...60 as ClosedRange<UInt64> {
            let entry = try await fixture.entry(salt: salt)
            let sequence = UInt64(changes.count + 1)
            changes.append(FeedFixture.change(entry, sequence))
            guard salt % 3 == 0 else { continue }
            changes.append(
                FeedFixture.change(entry, sequence + 1, .cancelled, from: .shown, left: 0)
            )
        }
        let (all, last) = (changes, "\(changes.count)")
        try await fixture.serve { port in
            try await withThrowingTaskGroup(of: Reader.self) { readers in
                for number in 0..<24 {
                    readers.addTask {
                        let client = try await FrameClient.open(port: port, path: "/v0/ws")
                        // They come one after another while the changes do.
                        for _ in 0..<number * 8 { await Task.yield() }
                        try await client.send(
                            FeedFixture.subscription("1", ",\"snapshot\":true")
                        )
                        var reader = Reader()
                        while reader.sequence != last { try reader.take(await client.message()) }
                        return reader
                    }
                }
                for (index, change) in all.enumerated() {
                    fixture.apply([change])
                    if index % 4 == 3 { await fixture.pass(100) }
                    await Task.yield()
                }
                // Until each has what came last, however late it subscribed.
                await fixture.pass(100)
                for try await reader in readers {
                    let kept = (1...60).filter { $0 % 3 != 0 }.map(String.init)
                    #expect(reader.salts.values.sorted() == kept.sorted())
                }
            }
        }
    }
}
