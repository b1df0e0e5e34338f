import Ethereum
import Testing

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("A hash as a user types it")
struct HashReferenceTests {
    private static let word = Bytes32(limbs: (0xE649_1F60_0000_0000, 0, 0, 0xAB))

    @Test("whole, in any letter case")
    func whole() throws {
        #expect(try HashReference(Self.word.hex) == .whole(Self.word))
        let upper = "0x" + Self.word.hex.dropFirst(2).uppercased()
        #expect(try HashReference(upper) == .whole(Self.word))
    }

    @Test(
        "its first digits, 4 to 63, and as dex prints them in its plans",
        arguments: ["0xe649", "0xE649", "0xe6491f60…", "0xe6491f6000000000"]
    )
    func start(text: String) throws {
        guard case .start(let start) = try HashReference(text) else {
            Issue.record("\(text) is no start")
            return
        }
        #expect(start.begins(Self.word))
        #expect(!start.begins(.zero))
        #expect(start.description.hasPrefix("0xe649"))
        #expect(!start.description.contains("…"))
    }

    @Test("a start of 63 digits is one, and differs from the whole")
    func almostWhole() throws {
        let text = String(Self.word.hex.dropLast())
        #expect(try HashReference(text) == .start(HashStart(text)))
    }

    @Test(
        "a row of the list shown last",
        arguments: [("@1", 1), ("#12", 12), ("@999999", 999_999)]
    )
    func row(text: String, number: Int) throws {
        #expect(try HashReference(text) == .row(number))
    }

    @Test(
        "anything else is bad-hash, exit 2",
        arguments: [
            "", "0x", "0xe64", "e649", "e6491f60", "0xe64g", "0X", "zz", "@", "@0", "#-1", "@1.5",
            "@1000000", "@\u{661}", "@+1", "1", "…", "0xe649……",
            "0x\u{FF11}\u{FF12}\u{FF13}\u{FF14}",
            "0x" + String(repeating: "0", count: 65), String(repeating: "0", count: 66),
        ]
    )
    func bad(text: String) {
        #expect {
            _ = try HashReference(text)
        } throws: { error in
            let error = error as? DexError
            return error?.exit == .usage && error?.code == "bad-hash"
        }
    }
}
