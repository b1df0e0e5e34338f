import Ethereum
import StrictJSON
import Testing

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("The user's token list, changed in place")
struct TokenListDocumentTests {
    private static let time = "2026-11-25T10:00:00Z"
    private let market: TestMarket
    private let foo: Token
    private let bar: Token

    init() throws {
        market = try TestMarket()
        foo = Token(
            address: try Address(lenient: Self.digits("1")),
            symbol: "FOO",
            name: "Foo",
            decimals: 8
        )
        bar = Token(
            address: try Address(lenient: Self.digits("2")),
            symbol: "bar",
            name: "Bar",
            decimals: 0
        )
    }

    private static func digits(_ digit: String) -> String {
        "0x" + String(repeating: digit, count: 40)
    }

    private func json(_ document: TokenListDocument) throws -> JSONValue {
        try JSONParser.parse(document.bytes)
    }

    @Test("a new list is one of the standard, and stays one")
    func new() throws {
        var document = TokenListDocument(network: "my-net-with-a-very-long-name-indeed", chainID: 7)
        try document.add(foo, timestamp: Self.time)
        try document.add(bar, timestamp: Self.time)
        #expect(try TokenListFile.contents(of: document.bytes, chainID: 7).tokens == [foo, bar])
        let json = try json(document)
        #expect(json["name"] == "dex my net with a very long na")
        #expect(json["timestamp"] == .string(Self.time))
        #expect(json["version"] == ["major": 1, "minor": 2, "patch": 0])
    }

    @Test("what dex does not read stays: other members, other chains, other tokens' extensions")
    func others() throws {
        let text = """
            {"name":"Mine","keywords":["a"],"timestamp":"2024-05-01T12:00:00Z","version":\
            {"major":2,"minor":5,"patch":9},"tokens":[{"chainId":1,"address":"\(Self.digits("1"))",\
            "symbol":"FOO","name":"Foo","decimals":8,"extensions":{"x":[1.50]}},{"chainId":7,\
            "address":"\(Self.digits("1"))","symbol":"FOO","name":"Foo","decimals":8}]}
            """
        var document = try TokenListDocument(Array(text.utf8), chainID: 7)
        #expect(try document.remove(bar.address, timestamp: Self.time) == false)
        #expect(try json(document)["version"] == ["major": 2, "minor": 5, "patch": 9])
        #expect(try document.remove(foo.address, timestamp: Self.time))
        let json = try json(document)
        #expect(json["keywords"] == ["a"])
        #expect(json["version"] == ["major": 3, "minor": 0, "patch": 0])
        #expect(json["tokens"]?.arrayValue?.count == 1)
        #expect(json["tokens"]?.arrayValue?.first?["extensions"] == ["x": [.number("1.50")]])
        #expect(try document.tokens.isEmpty)
    }

    @Test("the last token may go: an empty list is read as one without tokens")
    func empty() throws {
        var document = TokenListDocument(network: "x", chainID: 7)
        try document.add(foo, timestamp: Self.time)
        #expect(try document.remove(foo.address, timestamp: Self.time))
        let again = try TokenListDocument(document.bytes, chainID: 7)
        #expect(try again.tokens.isEmpty)
        #expect(try TokenMap(chainID: 7, userList: again.bytes).search(nil).isEmpty)
    }

    @Test("a token is added once, and a full list takes no more")
    func full() throws {
        var document = TokenListDocument(network: "x", chainID: 7)
        try document.add(foo, timestamp: Self.time)
        let error = #expect(throws: DexError.self) {
            try document.add(foo, timestamp: Self.time)
        }
        #expect(error?.code == "bad-token-list")
        #expect(try document.tokens == [foo])
    }

    @Test("a version at its end stays there")
    func versions() throws {
        let text = """
            {"name":"Mine","timestamp":"2024-05-01T12:00:00Z","version":\
            {"major":4294967295,"minor":4294967295,"patch":1},"tokens":[]}
            """
        var document = try TokenListDocument(Array(text.utf8), chainID: 7)
        try document.add(foo, timestamp: Self.time)
        #expect(
            try json(document)["version"] == [
                "major": 4_294_967_295, "minor": 4_294_967_295, "patch": 0,
            ]
        )
        _ = try document.remove(foo.address, timestamp: Self.time)
        #expect(try json(document)["version"]?["major"] == 4_294_967_295)
    }

    @Test("only own tokens are found for removal; bundled and unknown ones are told apart")
    func found() throws {
        var document = TokenListDocument(network: "sandbox", chainID: 1337)
        try document.add(foo, timestamp: Self.time)
        let map = try TokenMap(chainID: 1337, userList: document.bytes)
        func find(_ text: String) throws(DexError) -> Token {
            try document.token(text, network: market.network, map: map)
        }
        #expect(try find("foo") == foo)
        #expect(try find(foo.address.checksummed) == foo)
        for text in ["ZRX", "zrx", TestMarket.zrx.checksummed] {
            let error = #expect(throws: DexError.self) { try find(text) }
            #expect(error?.code == "bundled-token" && error?.exit == .usage)
        }
        for text in ["NOPE", "", "\u{1B}[2J", bar.address.checksummed] {
            let error = #expect(throws: DexError.self) { try find(text) }
            #expect(error?.code == "unknown-token")
            #expect(error?.description.contains("\u{1B}") == false)
        }
        let copy = Token(address: bar.address, symbol: "Foo", name: "F", decimals: 1)
        try document.add(copy, timestamp: Self.time)
        let error = #expect(throws: DexError.self) { try find("FOO") }
        #expect(error?.code == "ambiguous-token")
        #expect(error?.hint?.contains(bar.address.checksummed) == true)
    }
}
