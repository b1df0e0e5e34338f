import DexTestSupport
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

@Suite("Files of secrets in the encodings of editors")
struct SecretEncodingTests {
    private static let words = String(repeating: "test ", count: 11) + "junk"

    /// The account of a phrase with a passphrase, from files that begin with a text.
    private func account(_ start: String) async throws -> String {
        let home = try WalletHome()
        let data = try await home.done(
            "wallet",
            "import",
            "words",
            "--light",
            "--from",
            home.file("words", start + Self.words + "\n"),
            "--passphrase-file",
            home.file("passphrase", start + "TREZOR\n"),
            environment: ["DEX_PASSWORD_FILE": home.file("password", start + "open sesame\n")]
        )
        // The password is what it is without the mark.
        let path = try #require(data["path"]?.stringValue)
        let address = try #require(data["address"]?.stringValue)
        let other = try WalletHome()
        let copy = try other.file("key.json", start + String(contentsOfFile: path, encoding: .utf8))
        let opened = try await other.done(
            "wallet",
            "import",
            "keystore",
            "--light",
            "--from",
            copy,
            environment: other.password()
        )
        #expect(opened["address"]?.stringValue == address)
        return address
    }

    @Test("a mark of UTF-8 changes no account, and no password")
    func marks() async throws {
        #expect(try await account("\u{FEFF}") == account(""))
    }

    @Test("UTF-16 is refused by name, and nothing is made of it", arguments: [true, false])
    func wide(isMarked: Bool) async throws {
        let home = try WalletHome()
        let path = try home.file("words", "")
        let mark: [UInt8] = isMarked ? [0xFF, 0xFE] : []
        try Data(mark + Self.words.utf8.flatMap { [$0, 0] }).write(to: URL(filePath: path))
        let run = try await home.dex.run(
            ["wallet", "import", "words", "--light", "--from", path, "--json"],
            environment: home.password()
        )
        #expect(run.status == 5, "\(run.stderr)")
        let message = try #require(try run.json()["error"]?["message"]?.stringValue)
        #expect(message.contains("UTF-16") && message.contains("UTF-8 is expected"))
        #expect(!message.contains("junk"))
    }
}
