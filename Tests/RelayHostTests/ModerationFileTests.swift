import DexCore
import DexRelay
import DexTestSupport
import Ethereum
import FoundationEssentials
import Testing
import ZeroEx

@testable import RelayHost

/// The operator's decisions beside relay.toml.
@Suite struct ModerationFileTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appending(path: "moderation-\(UInt64.random(in: 0...UInt64.max))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private var file: ModerationFile { ModerationFile(settings: "\(folder.path)/relay.toml") }

    private static func entry(
        _ subject: Moderation.Subject,
        _ action: Moderation.Action,
        reason: String? = nil
    ) -> ModerationDecision {
        ModerationDecision(time: 1_700_000_000, action: action, subject: subject, reason: reason)
    }

    private static let hash = OrderHash(UInt256(7).word)
    private static let maker = Address(truncating: UInt256(8).word)
    private static let pair = PairDirection(
        makerToken: Address(truncating: UInt256(1).word),
        takerToken: Address(truncating: UInt256(2).word)
    )

    @Test("what is appended is read again in its order, and the last about the same counts")
    func roundTrip() throws {
        defer { try? FileManager.default.removeItem(at: folder) }  // a leftover harms nothing
        #expect(file.path.hasSuffix("/relay-moderation.jsonl"))
        #expect(Moderation(try file.entries(in: file.content())) == Moderation())
        let entries = [
            Self.entry(.order(Self.hash), .hide, reason: "\"quoted\""),
            Self.entry(.maker(Self.maker), .remove), Self.entry(.pair(Self.pair), .hide),
            Self.entry(.maker(Self.maker), .show),
        ]
        for entry in entries { try file.append(entry) }
        #expect(try file.entries(in: try file.content()) == entries)
        var expected = Moderation()
        expected.set(.order(Self.hash), .hide)
        expected.set(.maker(Self.maker), .show)
        expected.set(.pair(Self.pair), .hide)
        #expect(Moderation(try file.entries(in: file.content())) == expected)
        // Another user's service reads it.
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect(attributes[.posixPermissions] as? Int == 0o644)
    }

    @Test(
        "a line that is no decision is named, and nothing is written behind it",
        arguments: [
            "nonsense", "{}", "[1]", #"{"at":1,"action":"hide"}"#,
            #"{"at":1,"action":"burn","maker":"0x0000000000000000000000000000000000000008"}"#,
            #"{"at":"1","action":"hide","maker":"0x0000000000000000000000000000000000000008"}"#,
            #"{"at":1,"action":"hide","maker":"0x08"}"#,
            #"{"at":1,"action":"hide","pair":["0x0000000000000000000000000000000000000008"]}"#,
        ]
    )
    func faulty(line: String) throws {
        defer { try? FileManager.default.removeItem(at: folder) }  // a leftover harms nothing
        try file.append(Self.entry(.maker(Self.maker), .hide))
        let text = String(decoding: try file.content(), as: UTF8.self) + line + "\n"
        try Data(text.utf8).write(to: URL(filePath: file.path))
        let error = #expect(throws: DexError.self) {
            Moderation(try file.entries(in: file.content()))
        }
        #expect(error?.message.contains("relay-moderation.jsonl:2: this is not a decision") == true)
        #expect(throws: DexError.self) { try file.append(Self.entry(.maker(Self.maker), .show)) }
        #expect(String(decoding: try file.content(), as: UTF8.self) == text)
    }
}
