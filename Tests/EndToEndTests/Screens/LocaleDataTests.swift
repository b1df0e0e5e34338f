import DexTestSupport
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

/// Foundation's static library carries ICU's data, a third of a release: `CLeftOut` takes its
/// place, so nothing of `dex` may need it.
@Suite("The program without the names of locales")
struct LocaleDataTests {
    private func holds(_ text: String) throws -> Bool {
        let program = try Data(contentsOf: DexBinary.executable, options: .alwaysMapped)
        return program.range(of: Data(text.utf8)) != nil
    }

    @Test("the built program has none of them")
    func noLocaleData() throws {
        #expect(try holds("place-limit"))
        // The currencies of Afrikaans, as ICU's own table of contents names them.
        #expect(try !holds("curr/af.res"))
    }

    /// The address is eth-account's, for this passphrase and for "fi1IX 株式会社ガé".
    @Test("a passphrase is normalised as BIP-39 says")
    func normalization() async throws {
        let home = try WalletHome()
        let wallet = try await home.done(
            "wallet",
            "import",
            "words",
            "--light",
            "--from",
            home.file("words", String(repeating: "test ", count: 11) + "junk\n"),
            "--passphrase-file",
            home.file("passphrase", "\u{fb01}①Ⅸ ㍿ｶﾞé\n"),
            environment: home.password()
        )
        #expect(wallet["address"] == "0x46173193fB6a0ca03f99cB9E8e8188be3031f1f5")
    }
}
