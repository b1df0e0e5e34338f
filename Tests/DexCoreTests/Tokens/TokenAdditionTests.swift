import Ethereum
import EthereumWallet
import Testing

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("Adding a token, as its contract describes it")
struct TokenAdditionTests {
    private static let own = "0x1111111111111111111111111111111111111111"
    private let market: TestMarket
    private let address: Address
    private let holder: Address

    init() throws {
        market = try TestMarket()
        address = try Address(Self.own)
        holder = market.trader.address
        contract()
    }

    /// A function's answer that is a string.
    private static func string(_ text: String) -> Result<[UInt8], ChainError> {
        let bytes = Array(text.utf8)
        let padding = [UInt8](repeating: 0, count: (32 - bytes.count % 32) % 32)
        let head = UInt256(32).bigEndianBytes + UInt256(UInt64(bytes.count)).bigEndianBytes
        return .success(head + bytes + padding)
    }

    private static let reverted = Result<[UInt8], ChainError>.failure(
        .reverted(data: [], message: "execution reverted")
    )

    /// What the contract answers.
    private func contract(
        symbol: Result<[UInt8], ChainError> = string("FOO"),
        name: Result<[UInt8], ChainError> = string("Foo token"),
        decimals: Result<[UInt8], ChainError> = .success(UInt256(8).bigEndianBytes),
        supply: Result<[UInt8], ChainError> = .success(UInt256(5_000).bigEndianBytes)
    ) {
        market.chain.set { $0.code[address] = .success([0x60]) }
        market.chain.answer(address, ERC20.symbol, with: symbol)
        market.chain.answer(address, ERC20.name, with: name)
        market.chain.answer(address, ERC20.decimals, with: decimals)
        market.chain.answer(address, ERC20.totalSupply, with: supply)
        market.chain.answer(address, ERC20.balanceOf(holder), with: 7)
        market.chain.answer(address, ERC20.balanceOf(address), with: 0)
    }

    private func add(
        _ text: String = own,
        symbol: String? = nil,
        allowsCopy: Bool = false,
        tokens: TokenMap? = nil
    ) async throws -> TokenAdditionState {
        var session = try market.session()
        if let tokens { session.tokens = tokens }
        return try await TokenAdditionModel(session: session)
            .load(text, symbol: symbol, allowsCopy: allowsCopy, account: holder)
    }

    private func refusal(
        _ text: String = own,
        symbol: String? = nil,
        tokens: TokenMap? = nil
    ) async -> DexError? {
        await #expect(throws: DexError.self) {
            try await add(text, symbol: symbol, tokens: tokens)
        }
    }

    @Test("symbol, name, decimals, supply and balance come in one round trip, at one block")
    func added() async throws {
        let state = try await add()
        #expect(
            state.token
                == Token(address: address, symbol: "FOO", name: "Foo token", decimals: 8)
        )
        #expect(state.supply == 5_000 && state.balance == 7 && state.block == TestMarket.head)
        #expect(state.copied.isEmpty && state.warnings.isEmpty)
        #expect(market.chain.rounds.count == 1)
    }

    @Test("where a block is mined in the middle of the answers, they are read again at it")
    func movedBlock() async throws {
        let (chain, address) = (market.chain, address)
        let newer = TestMarket.block(TestMarket.head + 1, timestamp: TestMarket.now + 1)
        let older = TestMarket.block(TestMarket.head, timestamp: TestMarket.now)
        chain.set { state in
            state.onRound = { round, reads in
                guard round == 0 else { return nil }
                chain.set {
                    $0.blocks[newer.number] = newer
                    $0.calls[.init(to: address, data: ERC20.totalSupply)] =
                        .success(UInt256(6_000).bigEndianBytes)
                }
                let word = UInt256(5).bigEndianBytes
                return .answers(
                    reads.enumerated().map { index, read in
                        switch read {
                        case .chainID: .success(.number(1337))
                        case .block: .success(.block(index == reads.count - 1 ? newer : older))
                        default: .success(.bytes(word))
                        }
                    }
                )
            }
        }
        let state = try await add()
        #expect(state.block == newer.number && state.supply == 6_000)
        let calls = try #require(chain.rounds.last).compactMap { read -> BlockTag? in
            if case .call(_, let tag) = read { tag } else { nil }
        }
        #expect(calls.count == 5 && calls.allSatisfy { $0 == .hash(newer.hash) })
    }

    @Test("a symbol of 32 bytes, as MKR has, is read too")
    func bytes32() async throws {
        let padded = { (text: String) in
            Result<[UInt8], ChainError>.success(
                Array(text.utf8) + [UInt8](repeating: 0, count: 32 - text.utf8.count)
            )
        }
        contract(symbol: padded("OLD"), name: padded("Old coin"))
        let token = try await add().token
        #expect(token.symbol == "OLD" && token.name == "Old coin")
    }

    @Test("what a token must answer and does not is named")
    func silent() async {
        for answer in [Self.reverted, .success([]), .success([1, 2, 3])] {
            contract(decimals: answer)
            let error = await refusal()
            #expect(error?.code == "not-a-token" && error?.exit == .refused)
            #expect(error?.message.hasSuffix("does not answer decimals().") == true)
        }
        contract(decimals: Self.reverted, supply: Self.reverted)
        market.chain.answer(address, ERC20.balanceOf(holder), with: Self.reverted)
        #expect(
            await refusal()?.message.hasSuffix("decimals(), totalSupply(), balanceOf(address).")
                == true
        )
    }

    @Test("an account, a bad address and a node's failure are none of them")
    func others() async {
        market.chain.set { $0.code[address] = .success([]) }
        #expect(await refusal()?.code == "not-a-contract")
        #expect(await refusal("0x12")?.code == "bad-address")
        #expect(await refusal("FOO")?.exit == .usage)
        market.chain.set { state in
            state.onRound = { _, _ in .failure(.unreachable(url: "n", reason: "down")) }
        }
        #expect(await refusal()?.exit == .unreachable)
        market.chain.set { state in
            state.onRound = nil
            state.chainID = 5
        }
        #expect(await refusal()?.code == "wrong-chain")
    }

    @Test("a node that fails on one function is not the contract's silence")
    func nodeFailure() async {
        contract(supply: .failure(.rateLimited(url: "n", retryAfter: 3)))
        let error = await refusal()
        #expect(error?.code == "node-rate-limited" && error?.retryable == true)
    }

    @Test(
        "decimals beyond reason are refused",
        arguments: [37, 255, 256, UInt256.max] as [UInt256]
    )
    func decimals(_ number: UInt256) async {
        contract(decimals: .success(number.bigEndianBytes))
        let error = await refusal()
        #expect(error?.code == "too-many-decimals" && error?.exit == .refused)
        #expect(error?.message.contains("\(number) decimals") == true)
    }

    @Test("what is known already is refused before anything is asked, by whom it is known")
    func known() async throws {
        let bundled = await refusal(TestMarket.zrx.checksummed)
        #expect(bundled?.code == "token-exists")
        #expect(bundled?.message.hasSuffix("ZRX, bundled with dex.") == true)
        var document = TokenListDocument(network: "sandbox", chainID: 1337)
        try document.add(
            Token(address: address, symbol: "MINE", name: "Mine", decimals: 8),
            timestamp: "2026-11-25T10:00:00Z"
        )
        let map = try TokenMap(chainID: 1337, userList: document.bytes)
        let own = await refusal(tokens: map)
        #expect(own?.message.hasSuffix("MINE, of your own token list.") == true)
        #expect(own?.hint?.contains("dex tokens remove \(Self.own)") == true)
        #expect(market.chain.rounds.isEmpty)
    }

    @Test(
        "a copy of a known symbol, or one of its look, is refused, and names the known one",
        arguments: ["ZRX", "zrx", "Z-RX", "ZRХ", "US\u{202E}DC", "USDC\u{0}", "L1NK", "DАI"]
    )
    func copies(symbol: String) async throws {
        contract(symbol: Self.string(symbol))
        let error = await refusal()
        #expect(error?.exit == .refused || error?.code == "bad-symbol", "\(symbol)")
        #expect(error?.message.contains("\u{202E}") == false)
        if error?.code == "copied-symbol" {
            #expect(
                error?.hint?.contains("0x") == true && error?.hint?.contains("--allow-copy") == true
            )
        }
    }

    @Test("a copy is added with its flag, and the plan says what it is not")
    func allowedCopy() async throws {
        contract(symbol: Self.string("ZRX"))
        let error = await refusal()
        #expect(error?.code == "copied-symbol")
        #expect(error?.hint?.contains(TestMarket.zrx.checksummed) == true)
        let state = try await add(allowsCopy: true)
        #expect(state.copied.map(\.address) == [TestMarket.zrx])
        #expect(
            state.warnings.first?.hasPrefix(
                "It is NOT the listed ZRX (\(TestMarket.zrx.checksummed))."
            ) == true
        )
        let renamed = try await add(symbol: "MYZRX")
        #expect(renamed.token.symbol == "MYZRX" && renamed.copied.isEmpty)
        #expect(renamed.warnings.first?.contains("but it is NOT the listed ZRX") == true)
        #expect(await refusal(symbol: "usdc")?.code == "copied-symbol")
    }

    @Test(
        "what passes for ether is refused in any case",
        arguments: ["ETH", "eth", "Ether", "ЕТН"]
    )
    func ether(symbol: String) async {
        contract(symbol: Self.string(symbol))
        #expect(await refusal()?.code == "bad-symbol")
        contract()
        #expect(await refusal(symbol: symbol)?.code == "bad-symbol")
    }

    @Test("where the coin has another symbol, that one is refused as well")
    func coin() async throws {
        contract(symbol: Self.string("L4B"))
        _ = try await add(symbol: "LAB")
        let coin = try #require(CoinSymbol("LAB"))
        for symbol in ["LAB", "lab", "ETH"] {
            let tokens = try TokenMap(chainID: 1337, coin: coin)
            let refused = await refusal(symbol: symbol, tokens: tokens)?.code
            #expect(refused == "bad-symbol", "\(symbol)")
        }
    }

    @Test(
        "a symbol that cannot be typed needs another one",
        arguments: [
            "", "TWO WORDS", "A/B", "A,B", "-F", "@1", "ФУ", String(repeating: "X", count: 21),
            "\u{1B}[31m", String(repeating: "\u{301}", count: 5_000),
        ]
    )
    func badSymbols(symbol: String) async throws {
        contract(symbol: Self.string(symbol))
        let error = await refusal()
        #expect(error?.code == "bad-symbol" && error?.exit == .usage)
        #expect(error?.hint?.contains("--symbol SYMBOL") == true)
        #expect(error?.description.contains("\u{1B}") == false)
        let state = try await add(symbol: "FOO2")
        #expect(state.token.symbol == "FOO2")
    }

    @Test("a contract without symbol and name gets the symbol for both")
    func nameless() async throws {
        contract(symbol: Self.reverted, name: Self.reverted)
        #expect(await refusal()?.message.hasSuffix("has no symbol.") == true)
        let token = try await add(symbol: "BAR").token
        #expect(token.symbol == "BAR" && token.name == "BAR")
    }

    @Test("what a hostile contract says fits the list that is written")
    func hostileName() async throws {
        for name in [
            "a\u{1B}[2Jb\u{7}c", String(repeating: "long ", count: 500), "x\n\ny\u{2028}z",
        ] {
            contract(name: Self.string(name))
            let token = try await add().token
            var document = TokenListDocument(network: "sandbox", chainID: 1337)
            try document.add(token, timestamp: "2026-11-25T10:00:00Z")
            let map = try TokenMap(chainID: 1337, userList: document.bytes)
            #expect(try map.resolve("FOO") == token)
            #expect(!token.name.contains("\u{1B}") && token.name.count <= 60)
        }
    }

    @Test("the name of a web page is warned of")
    func link() async throws {
        contract(name: Self.string("Claim at win-usd.xyz"))
        #expect(try await add().warnings == ["It names a web page, as tokens of spam do."])
    }

    @Test("an empty supply is warned of")
    func noSupply() async throws {
        contract(supply: .success(UInt256.zero.bigEndianBytes))
        #expect(try await add().warnings == ["Its supply is 0: nobody holds any of it."])
    }
}
