import Ethereum
import Testing

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("Resolving tokens")
struct TokenMapTests {
    private static let weth = "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2"

    private static let mainnet = Result { try TokenMap(chainID: 1) }

    private func mainnet() throws -> TokenMap {
        try Self.mainnet.get()
    }

    private func failure(_ text: String, in map: TokenMap) -> DexError? {
        #expect(throws: DexError.self) { try map.resolve(text) }
    }

    @Test("a symbol resolves to its pinned address, in any letter case", arguments: ["ZRX", "zrx"])
    func symbol(text: String) throws {
        let token = try mainnet().resolve(text)
        #expect(token.address.checksummed == "0xE41d2489571d322189246DaFA5ebDe1F4699F498")
        #expect(token.decimals == 18)
        #expect(token.symbol == "ZRX")
    }

    @Test("an address resolves to its token, a symbol that begins with 0x is no address")
    func address() throws {
        let map = try mainnet()
        #expect(try map.resolve(Self.weth).symbol == "WETH")
        #expect(try map.resolve(Self.weth.lowercased()).symbol == "WETH")
        #expect(try map.resolve("0xBTC").name == "0xBitcoin Token")
    }

    @Test("an address with a wrong checksum, or of no token, is refused")
    func wrongAddress() throws {
        let map = try mainnet()
        let mistyped = failure("0xc02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2", in: map)
        #expect(mistyped?.code == "bad-address")
        #expect(mistyped?.exit == .usage)
        let malformed = failure("0x" + String(repeating: "z", count: 40), in: map)
        #expect(malformed?.code == "bad-address")
        let unknown = failure("0x0000000000000000000000000000000000000001", in: map)
        #expect(unknown?.code == "unknown-token")
        #expect(unknown?.message.contains("0x0000000000000000000000000000000000000001") == true)
    }

    @Test(
        "where only one contract of a symbol is in use, it is the one",
        arguments: TokenSymbols.replaced
    )
    func replaced(symbol: String) throws {
        let map = try mainnet()
        if ["COSS", "REP"].contains(symbol) {
            #expect(failure(symbol, in: map)?.code == "ambiguous-token")
        } else {
            let token = try map.resolve(symbol)
            #expect(token.symbol.uppercased() == symbol)
            #expect(map.listed(token.address)?.flags.contains(.superseded) == false)
        }
    }

    @Test("WETH is WETH9, MKR and SNX are the contracts in use")
    func pinned() throws {
        let map = try mainnet()
        #expect(try map.resolve("WETH").address.checksummed == Self.weth)
        let maker = try map.resolve("MKR")
        #expect(maker.address.checksummed == "0x9f8F72aA9304c8B593d555F12eF6589cC3A579A2")
        let snx = try map.resolve("SNX")
        #expect(snx.address.checksummed == "0xC011a73ee8576Fb46F5E1c5751cA3B9Fe0af2a6F")
    }

    @Test(
        "a symbol of several tokens is refused with the candidates",
        arguments: TokenSymbols.ambiguous.filter { $0 != "HDP.Ф" }
    )
    func ambiguous(symbol: String) throws {
        let map = try mainnet()
        let error = failure(symbol, in: map)
        #expect(error?.code == "ambiguous-token")
        #expect(error?.exit == .usage)
        let candidates = map.alike(symbol).map(\.token.address.checksummed)
        #expect(candidates.count >= 2)
        #expect(candidates.allSatisfy { error?.hint?.contains($0) == true })
    }

    @Test("the refusals are whole sentences")
    func sentences() throws {
        let map = try mainnet()
        #expect(failure("HOT", in: map)?.message == "\"HOT\" is the symbol of 2 tokens on chain 1.")
        #expect(failure("HOT", in: map)?.hint?.hasPrefix("Give the address of the one") == true)
        #expect(
            failure("EOS", in: map)?.message
                == "\"EOS\" names a contract on chain 1 that was replaced or is out of use."
        )
        #expect(
            failure("REP", in: map)?.message
                == "\"REP\" names 2 contracts on chain 1, all replaced or out of use."
        )
        #expect(
            failure("USDG", in: map)?.message
                == "\"USDG\" can be taken for another token's symbol on chain 1."
        )
        #expect(
            failure("NOSUCH", in: map)?.message
                == "There is no token \"NOSUCH\" in the token map of chain 1."
        )
        #expect(failure("NOSUCH", in: map)?.hint?.contains("dex tokens") == true)
        #expect(failure("eth", in: map)?.hint?.contains("WETH") == true)
    }

    @Test("symbols alike but for punctuation are both refused")
    func nearCollisions() throws {
        let map = try mainnet()
        for symbol in ["S-ETH", "sETH", "USDG", "USD-G"] {
            #expect(failure(symbol, in: map)?.code == "ambiguous-token")
        }
    }

    @Test(
        "a look-alike in another alphabet or form is refused, and what it looks like is named",
        arguments: [
            "ZRХ", "ZRΧ", "ＺＲＸ", "𝐙𝐑𝐗", "Z\u{200B}RX", "ZRX\u{202E}", "ZR\u{445}", "Z R X",
            "ZRX\u{301}",
            "ⓏⓇⓍ",
        ]
    )
    func lookAlikes(text: String) throws {
        let error = failure(text, in: try mainnet())
        #expect(error?.code == "unknown-token" || error?.code == "ambiguous-token")
        #expect(error?.hint?.contains("0xE41d2489571d322189246DaFA5ebDe1F4699F498 ZRX") == true)
    }

    @Test("0 for O, 1 for I and a small l for I are refused")
    func digits() throws {
        let map = try mainnet()
        for text in ["UN1", "UNl", "G0LEM", "LlNK", "USDC."] {
            #expect(failure(text, in: map)?.exit == .usage, "\(text)")
        }
        #expect(failure("UNl", in: map)?.hint?.contains(" UNI ") == true)
        #expect(failure("UN1", in: map)?.hint?.contains(" UNI ") == true)
    }

    @Test("bundled symbols that are not plain ASCII go by address only")
    func oddSymbols() throws {
        let map = try mainnet()
        let odd = map.table.all.filter { !$0.token.symbol.utf8.allSatisfy { $0 < 0x80 } }
        #expect(odd.count == 7)
        for listed in odd {
            #expect(failure(listed.token.symbol, in: map) != nil)
            #expect(try map.resolve(listed.token.address.checksummed) == listed.token)
        }
    }

    @Test(
        "hostile texts are refused, and none of their control characters reach the message",
        arguments: [
            "", " ", "/", "\u{1B}[31mZRX", "ZRX\u{0}", "\u{9B}31m", "\n", "0x", "0X",
            String(repeating: "Z", count: 100_000), "💥", "%s%n", "../../etc/passwd",
        ]
    )
    func hostile(text: String) throws {
        let error = failure(text, in: try mainnet())
        let shown = (error?.message ?? "") + (error?.hint ?? "").replacing("\n", with: "")
        #expect(
            shown.unicodeScalars.allSatisfy {
                !($0.value < 0x20 || (0x7F...0x9F).contains($0.value))
            }
        )
        #expect(shown.count < 3_000)
    }

    @Test("the empty map knows nothing")
    func empty() {
        #expect(failure("ZRX", in: TokenMap())?.code == "unknown-token")
        #expect(TokenMap().search(nil).isEmpty)
    }

    @Test("a search finds by symbol, name and address, in the order of symbols")
    func search() throws {
        let map = try TokenMap(chainID: 1337)
        #expect(map.search(nil).map(\.symbol) == ["DAI", "LINK", "MKR", "USDC", "WETH", "ZRX"])
        #expect(map.search("link").map(\.symbol) == ["LINK"])
        #expect(map.search("wrapped").map(\.symbol) == ["WETH"])
        #expect(map.search("0xe41d24").map(\.symbol) == ["ZRX"])
        #expect(map.search("nothing like it").isEmpty)
        #expect(try mainnet().search(nil).count == 2388)
    }

    @Test("an added token is known by its address only, and never changes a listed one")
    func adding() throws {
        let address = try Address("0x0000000000000000000000000000000000000001")
        let map = try mainnet()
        let found = map.adding(
            Token(address: address, symbol: "ZRX", name: "Not ZRX", decimals: 2)
        )
        #expect(found.known(address)?.decimals == 2)
        #expect(try found.resolve("ZRX") == map.resolve("ZRX"))
        #expect(try found.resolve(address.checksummed).name == "Not ZRX")
        let zrx = try map.resolve("ZRX")
        let forged = Token(address: zrx.address, symbol: "X", name: "X", decimals: 0)
        #expect(map.adding(forged).known(zrx.address) == zrx)
    }
}
