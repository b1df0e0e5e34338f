import DexStore
import Ethereum
import EthereumWallet
import Synchronization
import Testing

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("Tokens of an account that no list has")
struct TokenDiscoveryTests {
    private let market: TestMarket
    private let journal = Journal()
    private let owner: Address
    private let other = TestMarket.address("0x00000000000000000000000000000000000000e1")
    private let foo = TestMarket.address("0x1111111111111111111111111111111111111111")

    init() throws {
        market = try TestMarket()
        owner = market.trader.address
    }

    private func address(_ number: UInt64) -> Address {
        Address(truncating: UInt256(number &+ 0x1000_0000).word)
    }

    private func transfer(
        _ token: Address,
        from: Address,
        to: Address,
        amount: UInt256 = 5,
        block: UInt64 = 7
    ) -> Log {
        Log(
            address: token,
            topics: [ERC20.transferTopic, from.word, to.word],
            data: amount.bigEndianBytes,
            blockNumber: block,
            blockHash: TestMarket.blockHash(block),
            transactionHash: TransactionHash(UInt256(block).word),
            logIndex: 1
        )
    }

    private static func string(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        let padding = [UInt8](repeating: 0, count: (32 - bytes.count % 32) % 32)
        return UInt256(32).bigEndianBytes + UInt256(UInt64(bytes.count)).bigEndianBytes + bytes
            + padding
    }

    private func contract(
        _ token: Address,
        symbol: String? = "FOO",
        name: String? = "Foo",
        decimals: UInt256? = 8,
        balance: UInt256 = 700
    ) {
        let silence = Result<[UInt8], ChainError>.failure(.reverted(data: [], message: "no"))
        market.chain.answer(token, ERC20.balanceOf(owner), with: balance)
        market.chain.answer(
            token,
            ERC20.symbol,
            with: symbol.map { .success(Self.string($0)) } ?? silence
        )
        market.chain.answer(
            token,
            ERC20.name,
            with: name.map { .success(Self.string($0)) } ?? silence
        )
        market.chain.answer(
            token,
            ERC20.decimals,
            with: decimals.map { .success($0.bigEndianBytes) } ?? silence
        )
    }

    private func logs(_ logs: [Log]) {
        market.chain.set { state in
            state.logs = { filter in
                .success(logs.filter(LogPattern(contracts: [], topics: filter.topics).matches))
            }
        }
    }

    private func find(from first: UInt64 = 0) async throws -> DiscoveredTokens {
        try await TokenDiscovery(session: try market.session(), journal: journal)
            .find(of: owner, from: first, at: TestMarket.head)
    }

    @Test("what is held and in no list is found, at one block, and nothing else")
    func found() async throws {
        let empty = address(1)
        contract(foo)
        contract(empty, balance: 0)
        logs([
            transfer(foo, from: other, to: owner), transfer(foo, from: other, to: owner),
            transfer(empty, from: other, to: owner),
            transfer(TestMarket.zrx, from: other, to: owner),
            transfer(address(2), from: other, to: owner, amount: 0),
            transfer(foo, from: owner, to: other),
        ])
        let found = try await find()
        #expect(found.rows.map(\.token.address) == [foo])
        #expect(found.rows[0].amount?.value == "0.000007" && found.rows[0].marks.isEmpty)
        #expect(found.blocks == 0...TestMarket.head && found.contracts == 3 && !found.isCut)
        let tags = market.chain.rounds.flatMap(\.self).compactMap { read -> BlockTag? in
            if case .call(_, let tag) = read { tag } else { nil }
        }
        #expect(!tags.isEmpty && tags.allSatisfy { $0 == .number(TestMarket.head) })
    }

    @Test("spam is marked by what it says, and comes last")
    func marks() async throws {
        let cases: [(String?, String?, UInt256?, [DiscoveredTokens.Mark])] = [
            ("FOO", "Foo", 8, [.neverSent]), (nil, "Foo", 8, [.noSymbol, .neverSent]),
            ("BAR", "Bar", nil, [.noDecimals, .neverSent]),
            ("BAZ", "Baz", 37, [.noDecimals, .neverSent]),
            ("USDC", "USD Coin", 6, [.lookAlike, .neverSent]),
            ("ZRХ", "0x", 18, [.lookAlike, .neverSent]),
            ("ETH", "Ether", 18, [.lookAlike, .neverSent]),
            ("WIN", "Visit win-usd.xyz", 18, [.link, .neverSent]),
            ("t.me/x", "X", 18, [.link, .neverSent]),
        ]
        var all: [Log] = []
        for (index, (symbol, name, decimals, _)) in cases.enumerated() {
            let token = address(UInt64(index))
            contract(token, symbol: symbol, name: name, decimals: decimals)
            all.append(transfer(token, from: other, to: owner))
        }
        logs(all)
        let found = try await find()
        #expect(found.rows.count == cases.count)
        for (index, (symbol, _, _, marks)) in cases.enumerated() {
            let row = found.rows.first { $0.token.address == address(UInt64(index)) }
            #expect(row?.marks == marks, "\(symbol ?? "none")")
        }
        #expect(found.rows.prefix(3).map(\.token.symbol) == ["BAR", "BAZ", "FOO"])
        #expect(found.rows.dropFirst(3).allSatisfy { $0.isSpam })
        let usdc = found.rows.first { $0.token.symbol == "USDC" }
        #expect(usdc?.imitates?.address == TestMarket.usdc)
    }

    @Test("text of a contract is cleaned, and NFTs and odd logs are no tokens")
    func hostile() async throws {
        contract(foo, symbol: "F\u{1B}[2JO\u{202E}O", name: String(repeating: "x", count: 9_000))
        let collectible = Log(
            address: address(9),
            topics: [ERC20.transferTopic, other.word, owner.word, UInt256(1).word],
            data: [],
            blockNumber: 7,
            blockHash: TestMarket.blockHash(7),
            transactionHash: TransactionHash(UInt256(7).word),
            logIndex: 3
        )
        logs([collectible, transfer(foo, from: other, to: owner)])
        let token = try #require(try await find().rows.first?.token)
        #expect(token.symbol == "FOO" && token.name.count == 60)
    }

    @Test("a node that no longer has the logs is named, with what helps")
    func pruned() async throws {
        market.chain.set { state in
            state.logs = { _ in .failure(.rpc(code: 4444, message: "pruned history unavailable")) }
        }
        let error = await #expect(throws: DexError.self) { try await find() }
        #expect(error?.code == "logs-refused" && error?.exit == .unreachable)
        #expect(error?.message.contains("pruned history unavailable") == true)
        #expect(error?.description.contains("--from-block") == true)
    }

    @Test("a node that answers about other blocks, or a block that is not there yet, is refused")
    func others() async throws {
        logs([transfer(foo, from: other, to: owner, block: TestMarket.head + 5)])
        let nonsense = await #expect(throws: DexError.self) { try await find() }
        #expect(nonsense?.code == "node-nonsense")
        let ahead = await #expect(throws: DexError.self) {
            try await find(from: TestMarket.head + 1)
        }
        #expect(ahead?.code == "block-ahead" && ahead?.exit == .usage)
    }

    @Test("a flood of contracts is bounded, and it is said")
    func flood() async throws {
        let count = TokenDiscovery.maximumContracts + 50
        let own = address(UInt64(count) - 1)
        logs(
            (0..<UInt64(count)).map { transfer(address($0), from: other, to: owner) }
                + [transfer(own, from: owner, to: other)]
        )
        let asked = Mutex(Set<Address>())
        market.chain.set { state in
            state.onCall = { request, _ in
                asked.withLock { _ = $0.insert(request.to) }
                return .success(UInt256.zero.bigEndianBytes)
            }
        }
        let found = try await find()
        #expect(found.isCut && found.contracts == count && found.rows.isEmpty)
        #expect(asked.withLock(\.count) == TokenDiscovery.maximumContracts)
        #expect(asked.withLock { $0.contains(own) && !$0.contains(address(UInt64(count) - 2)) })
    }
}
