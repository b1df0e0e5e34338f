import Ethereum
import Testing

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("Pairs and tokens, with the chain asked about unknown ones")
struct TokenResolverTests {
    private static let unknown = "0x1111111111111111111111111111111111111111"
    private let market: TestMarket
    private let address: Address

    init() throws {
        market = try TestMarket()
        address = try Address(Self.unknown)
    }

    private func resolver() throws -> TokenResolver {
        TokenResolver(session: try market.session())
    }

    private func contract(
        symbol: Result<[UInt8], ChainError>,
        name: Result<[UInt8], ChainError>,
        decimals: Result<[UInt8], ChainError>
    ) {
        market.chain.answer(address, ERC20.symbol, with: symbol)
        market.chain.answer(address, ERC20.name, with: name)
        market.chain.answer(address, ERC20.decimals, with: decimals)
    }

    /// The answer of a function that returns a string.
    private static func string(_ text: String) -> Result<[UInt8], ChainError> {
        let bytes = Array(text.utf8)
        let padding = [UInt8](repeating: 0, count: (32 - bytes.count % 32) % 32)
        let head = UInt256(32).bigEndianBytes + UInt256(UInt64(bytes.count)).bigEndianBytes
        return .success(head + bytes + padding)
    }

    private static func word(_ number: UInt256) -> Result<[UInt8], ChainError> {
        .success(number.bigEndianBytes)
    }

    @Test("a pair of symbols needs no request")
    func symbols() async throws {
        let pair = try await resolver().pair("zrx/WETH")
        #expect(pair.name == "ZRX/WETH")
        #expect(market.chain.rounds.isEmpty)
    }

    @Test("unknown addresses of a pair are asked about in one batch")
    func unknownPair() async throws {
        contract(symbol: Self.string("NEW"), name: Self.string("New coin"), decimals: Self.word(7))
        let pair = try await resolver().pair("\(Self.unknown)/WETH")
        #expect(pair.base == Token(address: address, symbol: "NEW", name: "New coin", decimals: 7))
        #expect(pair.quote.symbol == "WETH")
        #expect(market.chain.rounds.count == 1)
        #expect(market.chain.rounds[0].count == 3)
    }

    @Test(
        "what is no pair is refused",
        arguments: ["", "/", "ZRX", "ZRX/", "/WETH", "ZRX/WETH/DAI", "ZRX-WETH", "\u{1B}[2J"]
    )
    func malformed(text: String) async throws {
        let error = await #expect(throws: DexError.self) { try await resolver().pair(text) }
        #expect(error?.code == "malformed-pair")
        #expect(error?.exit == .usage)
        let hint = "Write BASE/QUOTE with symbols or addresses, such as ZRX/WETH."
        #expect(error?.hint == (text == "ZRX-WETH" ? "Did you mean ZRX/WETH? \(hint)" : hint))
        #expect(error?.message.contains("\u{1B}") == false)
    }

    @Test("a token against itself is refused, by symbol and by address")
    func sameToken() async throws {
        for text in ["ZRX/zrx", "ZRX/\(TestMarket.zrx.checksummed)"] {
            let error = await #expect(throws: DexError.self) { try await resolver().pair(text) }
            #expect(error?.code == "same-token")
        }
        contract(symbol: Self.string("N"), name: Self.string("N"), decimals: Self.word(7))
        let error = await #expect(throws: DexError.self) {
            try await resolver().pair("\(Self.unknown)/\(Self.unknown)")
        }
        #expect(error?.code == "same-token")
    }

    @Test("unknown symbols are refused without asking anybody")
    func unknownSymbol() async throws {
        let error = await #expect(throws: DexError.self) {
            try await resolver().pair("NOSUCH/WETH")
        }
        #expect(error?.code == "unknown-token")
        #expect(market.chain.rounds.isEmpty)
    }

    @Test("old tokens answer with a bytes32")
    func bytes32() async throws {
        let padded = { (text: String) in
            Result<[UInt8], ChainError>.success(
                Array(text.utf8) + [UInt8](repeating: 0, count: 32 - text.utf8.count)
            )
        }
        contract(symbol: padded("OLD"), name: padded("Old coin"), decimals: Self.word(18))
        let token = try await resolver().token(Self.unknown)
        #expect(token.symbol == "OLD")
        #expect(token.name == "Old coin")
    }

    @Test("an address without a token has no decimals and its short address for a symbol")
    func noToken() async throws {
        let silence: [Result<[UInt8], ChainError>] = [
            .success([]), .failure(.reverted(data: [], message: "execution reverted")),
            .failure(.rpc(code: -32_000, message: "invalid opcode")),
            .success([1, 2, 3]),
        ]
        for answer in silence {
            contract(symbol: answer, name: answer, decimals: answer)
            let token = try await resolver().token(Self.unknown)
            #expect(token.symbol == address.shortened)
            #expect(token.name == "unknown token")
            #expect(token.decimals == nil)
        }
    }

    @Test("decimals beyond 255 are unknown, never cut")
    func decimals() async throws {
        for number in [256, 274, UInt256(1) << 64 + 18, .max] {
            contract(symbol: Self.string("N"), name: Self.string("N"), decimals: Self.word(number))
            #expect(try await resolver().token(Self.unknown).decimals == nil)
        }
        contract(symbol: Self.string("N"), name: Self.string("N"), decimals: Self.word(255))
        #expect(try await resolver().token(Self.unknown).decimals == 255)
    }

    @Test(
        "hostile names are cleaned, bounded or refused",
        arguments: [
            ("\u{1B}[31mRED\u{1B}[0m", "RED"), ("A\nB", nil), ("A\u{202E}B", "AB"),
            (String(repeating: "X", count: 1_000_000), String(repeating: "X", count: 20)),
            ("\u{0}\u{0}", nil), ("", nil), ("ZRХ", nil), ("WETH", nil), ("W-ETH", nil),
            ("wETH ", nil), ("UЅDС", nil), ("💰", nil),
        ] as [(String, String?)]
    )
    func hostileSymbol(text: String, shown: String?) async throws {
        contract(symbol: Self.string(text), name: Self.string(text), decimals: Self.word(18))
        let token = try await resolver().token(Self.unknown)
        #expect(token.symbol == shown ?? address.shortened)
        #expect(token.name.count <= 60)
        let text = token.symbol + token.name
        #expect(PlainText.clean(text) == text)
        #expect(!text.contains("\n"))
    }

    @Test("a contract that calls itself WETH is shown by its address and says what it claims")
    func claim() async throws {
        contract(
            symbol: Self.string("WETH"),
            name: Self.string("Wrapped Ether"),
            decimals: Self.word(18)
        )
        let token = try await resolver().token(Self.unknown)
        #expect(token.symbol == "0x1111…1111")
        #expect(token.name == "calls itself WETH")
    }

    @Test(
        "answers that lie about their length give no text",
        arguments: [
            [(0, 32), (1, .max)], [(0, .max)], [(0, 0)], [(0, 64)], [(1, 97)], [(1, 1 << 63)],
        ] as [[(Int, UInt256)]]
    )
    func lyingLengths(words: [(Int, UInt256)]) async throws {
        var bytes = try Self.string("NAME").get()
        for (index, word) in words {
            bytes.replaceSubrange((32 * index)..<(32 * index + 32), with: word.bigEndianBytes)
        }
        contract(symbol: .success(bytes), name: .success(bytes), decimals: Self.word(18))
        #expect(try await resolver().token(Self.unknown).symbol == address.shortened)
    }

    @Test("every truncation of a string answer gives no text or a clean one")
    func truncations() throws {
        let answer = try Self.string("NAME").get()
        for length in answer.indices {
            let text = TokenAnswers.text(Array(answer.prefix(length)), limit: 20)
            #expect(text == nil || text == "NAME" || length == 32)
        }
        #expect(TokenAnswers.text([UInt8](repeating: 0xFF, count: 32), limit: 20) == nil)
    }

    @Test("a node that does not answer is an error, not a token without decimals")
    func nodeFailure() async throws {
        contract(
            symbol: .failure(.unreachable(url: "http://node.example", reason: "down")),
            name: Self.string("N"),
            decimals: Self.word(18)
        )
        let error = await #expect(throws: DexError.self) {
            try await resolver().token(Self.unknown)
        }
        #expect(error?.exit == .unreachable)
    }

    @Test("many addresses are asked about once each, known ones not at all")
    func manyTokens() async throws {
        contract(symbol: Self.string("N"), name: Self.string("N"), decimals: Self.word(1))
        let tokens = try await resolver().tokens(
            at: [address, TestMarket.zrx, address, TestMarket.weth]
        )
        #expect(tokens.count == 3)
        #expect(tokens[TestMarket.zrx]?.symbol == "ZRX")
        #expect(market.chain.rounds.map(\.count) == [3])
        #expect(try await resolver().tokens(at: []).isEmpty)
    }
}
