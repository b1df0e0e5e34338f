import Ethereum
import StrictJSON
import Testing

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("The user's own token list")
struct TokenListFileTests {
    private static let own = "0x1111111111111111111111111111111111111111"
    private static let zrx = "0xE41d2489571d322189246DaFA5ebDe1F4699F498"

    private static func token(
        _ address: String = own,
        symbol: String = "MINE",
        name: String = "My token",
        decimals: JSONValue = 8,
        chain: JSONValue = 1
    ) -> JSONValue {
        [
            "chainId": chain, "address": .string(address), "symbol": .string(symbol),
            "name": .string(name), "decimals": decimals,
        ]
    }

    private static func list(_ tokens: [JSONValue]) -> JSONValue {
        [
            "name": "My list", "timestamp": "2024-05-01T12:00:00.000+00:00",
            "version": ["major": 1, "minor": 0, "patch": 0], "tokens": .array(tokens),
        ]
    }

    private func map(_ tokens: JSONValue...) throws -> TokenMap {
        try TokenMap(chainID: 1, userList: Self.list(tokens).utf8)
    }

    private func problem(_ json: JSONValue) -> DexError? {
        #expect(throws: DexError.self) { try TokenMap(chainID: 1, userList: json.utf8) }
    }

    @Test("its tokens resolve by symbol and address, and are marked as the user's own")
    func tokens() throws {
        let map = try map(Self.token(), Self.token(Self.own, chain: 137))
        let token = try map.resolve("mine")
        #expect(token.decimals == 8)
        #expect(try map.resolve(Self.own) == token)
        #expect(map.warnings(for: token) == ["MINE is from your own token list."])
        #expect(map.search("My token").count == 1)
        #expect(try map.resolve("ZRX").decimals == 18)
    }

    @Test("a chain without bundled tokens has those of the list")
    func otherChain() throws {
        let list = Self.list([Self.token(chain: 5)])
        #expect(try TokenMap(chainID: 5, userList: list.utf8).resolve("MINE").decimals == 8)
    }

    @Test("a bundled token's decimals and symbol stand, and the contradiction is told")
    func override() throws {
        let map = try map(Self.token(Self.zrx, symbol: "FAKE", decimals: 2))
        let token = try map.resolve("ZRX")
        #expect(token.decimals == 18)
        #expect(map.known(token.address)?.symbol == "ZRX")
        #expect(throws: DexError.self) { try map.resolve("FAKE") }
        let warning = try #require(map.warnings(for: token).first)
        #expect(warning.contains("FAKE with 2 decimals"))
        #expect(warning.contains("ZRX with 18, stands"))
    }

    @Test(
        "a bundled symbol cannot be taken over: it becomes ambiguous",
        arguments: ["ZRX", "zrx", "Z-RX"]
    )
    func takeOver(symbol: String) throws {
        let map = try map(Self.token(symbol: symbol))
        for text in ["ZRX", symbol] {
            let error = #expect(throws: DexError.self) { try map.resolve(text) }
            #expect(error?.code == "ambiguous-token")
            #expect(error?.hint?.contains(Self.zrx) == true)
            #expect(error?.hint?.contains(Self.own) == true)
            #expect(error?.hint?.contains("from your token list") == true)
        }
    }

    @Test("a symbol that looks like a bundled one does not resolve, and the bundled one does")
    func lookAlike() throws {
        let map = try map(Self.token(symbol: "UNl"))
        let error = #expect(throws: DexError.self) { try map.resolve("UNl") }
        #expect(error?.code == "ambiguous-token")
        #expect(error?.message.contains("looks like another token's symbol") == true)
        #expect(try map.resolve("UNI").name == "Uniswap")
        let cyrillic = try self.map(Self.token(symbol: "ZRХ"))
        #expect(throws: DexError.self) { try cyrillic.resolve("ZRХ") }
        #expect(try cyrillic.resolve("ZRX").decimals == 18)
    }

    @Test("what is not a list in the standard is refused by the member that is wrong")
    func heads() throws {
        let good = try #require(Self.list([Self.token()]).objectValue)
        let wrong: [(String, JSONValue?)] = [
            ("name", nil), ("name", ""), ("name", .string(String(repeating: "x", count: 31))),
            ("name", "bad\u{1B}"), ("timestamp", nil), ("timestamp", "yesterday"),
            ("timestamp", "2024-05-01"), ("timestamp", "2024-05-01T12:00:00"),
            ("timestamp", 1_714_564_800), ("version", nil), ("version", "1.0.0"),
            ("version", ["major": 1, "minor": 0]),
            ("version", ["major": -1, "minor": 0, "patch": 0]),
            ("tokens", nil), ("tokens", [:]), ("tokens", "none"),
        ]
        for (key, value) in wrong {
            var list = good
            list[key] = value
            let error = problem(.object(list))
            #expect(error?.code == "bad-token-list")
            #expect(error?.exit == .configuration)
            #expect(error?.message.contains("\"\(key)\"") == true)
        }
    }

    @Test("a token that is not by the standard is left out by its place, and the others are read")
    func entries() throws {
        let wrong: [(String, JSONValue)] = [
            ("chainId", Self.token(chain: 0)), ("chainId", Self.token(chain: "1")),
            ("chainId", Self.token(chain: -1)), ("address", Self.token("0x12")),
            ("address", Self.token(Self.zrx.replacing("E", with: "e"))),
            ("symbol", Self.token(symbol: "")), ("symbol", Self.token(symbol: "TWO WORDS")),
            ("symbol", Self.token(symbol: String(repeating: "X", count: 21))),
            ("symbol", Self.token(symbol: "A\u{202E}B")), ("symbol", Self.token(symbol: "A\u{1B}")),
            ("name", Self.token(name: "")), ("name", Self.token(name: "a\u{7}b")),
            ("name", Self.token(name: "two\nlines")),
            ("name", Self.token(name: String(repeating: "X", count: 61))),
            ("decimals", Self.token(decimals: 256)), ("decimals", Self.token(decimals: -1)),
            ("decimals", Self.token(decimals: "18")), ("decimals", Self.token(decimals: .null)),
            ("decimals", Self.token(decimals: .number("18.0"))), ("chainId", .null), ("chainId", 7),
        ]
        for (member, token) in wrong {
            let map = try map(Self.token(), token)
            let warning = map.leftOutWarning ?? ""
            #expect(
                warning.hasPrefix("1 entry of your token list is left out: tokens[1].\(member)"),
                "\(token.text)"
            )
            #expect(try map.resolve("MINE").decimals == 8)
        }
        let doubled = try map(Self.token(), Self.token(decimals: 9), Self.token("0x12"))
        #expect(
            doubled.leftOutWarning
                == "2 entries of your token list are left out, the first of them: tokens[1] has "
                + "the address of an earlier token."
        )
        #expect(try doubled.resolve("MINE").decimals == 8)
        #expect(try map(Self.token()).leftOutWarning == nil)
    }

    @Test("entries of other chains are not looked at")
    func otherChainsEntries() throws {
        let other: JSONValue = ["chainId": 137, "address": 5, "symbol": [], "decimals": "x"]
        let map = try map(other, Self.token(), other)
        #expect(map.leftOutWarning == nil)
        #expect(try map.resolve("MINE").decimals == 8)
    }

    @Test("optional members are no reason to leave a token out")
    func optionalMembers() throws {
        var token = try #require(Self.token().objectValue)
        token["logoURI"] = "ipfs://QmXfzKRvjZz3u5JRgC4v5mGVbm9ahrUiB4DgzHBsnWbTMM"
        token["tags"] = ["a"]
        token["extensions"] = ["anything": [1]]
        #expect(try map(.object(token)).resolve("MINE").logoURI?.hasPrefix("ipfs:") == true)
        for logo in ["", "no link", "https://x.example/\u{1B}", 5, .null] as [JSONValue] {
            token["logoURI"] = logo
            let map = try map(.object(token))
            #expect(try map.resolve("MINE").logoURI == nil)
            #expect(map.leftOutWarning == nil)
        }
        token["tags"] = .array(Array(repeating: "t", count: 11))
        #expect(try map(.object(token)).resolve("MINE").decimals == 8)
    }

    @Test("no JSON, deep JSON and too many tokens are refused")
    func notLists() {
        for text in ["", "{", "[]", "null", String(repeating: "[", count: 100_000)] {
            let error = #expect(throws: DexError.self) {
                try TokenMap(chainID: 1, userList: Array(text.utf8))
            }
            #expect(error?.code == "bad-token-list")
        }
        let many = Self.list(Array(repeating: Self.token(), count: 10_001))
        #expect(problem(many)?.message.contains("at most 10000") == true)
        let huge = [UInt8](repeating: 0x20, count: 16 << 20 + 1)
        let error = #expect(throws: DexError.self) { try TokenMap(chainID: 1, userList: huge) }
        #expect(error?.message == "Your token list is not valid: it is larger than 16 MB.")
    }

    @Test("every truncation of a list is refused")
    func truncations() {
        let text = Self.list([Self.token()]).utf8
        for length in text.indices {
            #expect(throws: DexError.self) {
                try TokenMap(chainID: 1, userList: Array(text.prefix(length)))
            }
        }
    }
}
