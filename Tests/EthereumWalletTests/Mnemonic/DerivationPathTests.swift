import EthereumWallet
import Testing

@Suite("Derivation paths")
struct DerivationPathTests {
    @Test(
        "a path is read and written",
        arguments: [
            ("m", "m"), ("m/0", "m/0"), ("m/44'/60'/0'/0/0", "m/44'/60'/0'/0/0"),
            ("m/44h/60H/0'/0/7", "m/44'/60'/0'/0/7"),
            ("m/2147483647/2147483647'", "m/2147483647/2147483647'"), ("m/007", "m/7"),
        ]
    )
    func read(text: String, written: String) throws {
        #expect(try DerivationPath(text).description == written)
    }

    @Test(
        "anything else is refused, and quoted at most in part",
        arguments: [
            "", "M", "m/", "/", "0", "44'/60'", "m//0", "m/0/", "m/'", "m/0''", "m/0'h", "m/-1",
            "m/+1", "m/2147483648", "m/2147483648'", "m/99999999999999999999", "m/0x1", "m/ 1",
            "m/1 ", "m/１", "n/0", "m/1.0", "mm/0", String(repeating: "m/1", count: 400),
            "m" + String(repeating: "/1", count: 256),
        ]
    )
    func refused(text: String) {
        let error = #expect(throws: DerivationPathError.self) { try DerivationPath(text) }
        let sentence = "\(String(describing: error))"
        #expect(sentence.contains("such as m/44'/60'/0'/0/0."))
        #expect(sentence.utf8.count < 300)
    }

    @Test("Ethereum's accounts are numbered in the last step")
    func ethereum() {
        #expect(DerivationPath.ethereum(0)?.description == "m/44'/60'/0'/0/0")
        #expect(
            DerivationPath.ethereum(2_147_483_647)?.description == "m/44'/60'/0'/0/2147483647"
        )
        #expect(DerivationPath.ethereum(2_147_483_648) == nil)
    }
}
