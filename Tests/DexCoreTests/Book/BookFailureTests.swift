import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("A book when something goes wrong")
struct BookFailureTests {
    let market: TestMarket
    let zrxWeth: Pair

    init() throws {
        market = try TestMarket()
        zrxWeth = try market.zrxWeth()
        market.setBook()
    }

    private func snapshot() async throws -> BookSnapshot {
        try await BookReader(session: market.session()).snapshot(of: zrxWeth)
    }

    private func failure() async -> DexError? {
        do {
            _ = try await snapshot()
            return nil
        } catch {
            return error as? DexError
        }
    }

    // MARK: Configuration

    @Test("a node of another chain ends with exit 3, whatever the relay says")
    func wrongChain() async throws {
        market.chain.set { $0.chainID = 1 }
        market.relay.set { $0.book = .failure(.nonsense("HTML")) }

        let error = try #require(await failure())

        #expect(error.exit == .configuration)
        #expect(error.code == "wrong-chain")
        #expect(
            error.message == "The node is on chain 1 but the network \"sandbox\" is chain 1337."
        )
        #expect(market.chain.rounds.count == 1)
    }

    @Test("a network without a relay says how to name one, before asking anybody")
    func noRelay() async throws {
        await #expect {
            _ = try await BookReader(session: market.session(withRelay: false))
                .snapshot(of: zrxWeth)
        } throws: { error in
            let error = error as? DexError
            return error?.exit == .configuration && error?.code == "no-relay"
                && error?.message == "No relay is configured for the network \"sandbox\"."
                && error?.hint?.contains("--relay") == true
        }
        #expect(market.chain.rounds.isEmpty)
    }

    @Test(
        "a contract that does not answer as an exchange ends with exit 3",
        arguments: [
            .success([]), .success(Array(repeating: 0, count: 32)),
            .failure(.reverted(data: [], message: "execution reverted")),
        ] as [Result<[UInt8], ChainError>]
    )
    func notAnExchange(answer: Result<[UInt8], ChainError>) async throws {
        for call in market.protocolV1.contractCalls(exchange: TestMarket.exchange) {
            market.chain.answer(call.to, call.data, with: answer)
        }

        let error = try #require(await failure())

        #expect(error.exit == .configuration)
        #expect(error.code == "not-an-exchange")
        #expect(error.message.contains(TestMarket.exchange.checksummed))
    }

    @Test("an exchange that its proxy does not know is refused, since every fill would fail")
    func notAuthorized() async throws {
        market.setReady(false)

        let error = try #require(await failure())

        #expect(error.exit == .refused)
        #expect(error.code == "exchange-not-authorized")
    }

    @Test("decimals that differ between map and chain are refused")
    func decimalsMismatch() async throws {
        market.chain.answer(TestMarket.zrx, ERC20.decimals, with: 6)

        let error = try #require(await failure())

        #expect(error.exit == .refused)
        #expect(error.code == "decimals-mismatch")
        #expect(error.message == "ZRX has 18 decimals in the token map but 6 on chain.")
    }

    @Test("a token without decimals() keeps those of the map; without any the chain's are taken")
    func decimals() async throws {
        market.chain.answer(
            TestMarket.weth,
            ERC20.decimals,
            with: .failure(.reverted(data: [], message: "execution reverted"))
        )
        let bare = Token(address: TestMarket.zrx, symbol: "ZRX", name: "", decimals: nil)
        let pair = Pair(base: bare, quote: zrxWeth.quote)

        let book = try await BookReader(session: market.session()).snapshot(of: pair)

        #expect(book.pair.quote.decimals == 18)
        #expect(book.pair.base.decimals == 18)
    }

    @Test("decimals beyond 255 stay unknown")
    func absurdDecimals() async throws {
        market.chain.answer(TestMarket.zrx, ERC20.decimals, with: 256)
        let bare = Token(address: TestMarket.zrx, symbol: "ZRX", name: "", decimals: nil)

        let book = try await BookReader(session: market.session())
            .snapshot(of: Pair(base: bare, quote: zrxWeth.quote))

        #expect(book.pair.base.decimals == nil)
    }

    // MARK: Relay and node

    @Test(
        "each failure of the relay has its exit code, and nothing else is read",
        arguments: [
            (
                .unreachable(url: "http://r/v0", reason: "refused"), .unreachable,
                "relay-unreachable", true
            ),
            (.nonsense("HTML"), .unreachable, "relay-nonsense", false),
            (
                .rateLimited(url: "http://r/v0", retryAfter: 3), .unreachable, "relay-rate-limited",
                true
            ),
            (
                .refused(status: 400, code: 100, reason: "no", fields: []), .unreachable,
                "relay-refused", false
            ),
        ] as [(RelayError, ExitCode, String, Bool)]
    )
    func relayFails(
        failing: RelayError,
        exit: ExitCode,
        code: String,
        retryable: Bool
    ) async throws {
        market.relay.set { $0.book = .failure(failing) }

        let error = try #require(await failure())

        #expect(error.exit == exit)
        #expect(error.code == code)
        #expect(error.retryable == retryable)
        #expect(error.message == PlainText.sentence(failing.description))
        #expect(market.chain.rounds.count == 1)
    }

    @Test(
        "a node that fails as a whole, in either round, ends with exit 4",
        arguments: [0, 1],
        [
            (.unreachable(url: "http://n", reason: "refused"), "node-unreachable", true),
            (.nonsense("HTML"), "node-nonsense", false),
            (.rateLimited(url: "http://n", retryAfter: nil), "node-rate-limited", true),
            (.rpc(code: -32_603, message: "internal"), "node-error", false),
        ] as [(ChainError, String, Bool)]
    )
    func nodeFails(round: Int, expected: (ChainError, String, Bool)) async throws {
        market.chain.set { state in
            state.onRound = { number, _ in number == round ? .failure(expected.0) : nil }
        }

        let error = try #require(await failure())

        #expect(error.exit == .unreachable)
        #expect(error.code == expected.1)
        #expect(error.retryable == expected.2)
        #expect(error.message == PlainText.sentence(expected.0.description))
    }

    @Test("a single question that fails, and that the book needs, ends with exit 4")
    func partialFailure() async throws {
        let ask = try await market.ask(by: market.makers[0], "1", for: "1")
        market.fund(market.makers[0].address, TestMarket.zrx, balance: .max)
        market.setBook(asks: [ask])
        for call in market.protocolV1.stateCalls(
            of: [ask],
            contracts: TestMarket.contracts,
            detail: .remaining
        ) {
            market.chain.answer(
                call.to,
                call.data,
                with: .failure(.rpc(code: -32_005, message: "limit exceeded"))
            )
        }

        let error = try #require(await failure())

        #expect(error.exit == .unreachable)
        #expect(error.code == "node-error")
    }

    @Test("a rate limit on one balance is the node's failure, not a maker without funds")
    func rateLimitedBalance() async throws {
        let maker = market.makers[0]
        let ask = try await market.ask(by: maker, "1", for: "1")
        market.fund(maker.address, TestMarket.zrx, balance: .max)
        market.chain.answer(
            TestMarket.zrx,
            ERC20.balanceOf(maker.address),
            with: .failure(.rpc(code: -32_005, message: "limit exceeded"))
        )
        market.setBook(asks: [ask])

        let error = try #require(await failure())

        #expect(error.exit == .unreachable)
    }

    @Test("too few or too many answers are nonsense", arguments: [0, 1, 100])
    func wrongCount(count: Int) async throws {
        market.chain.set { state in
            state.onRound = { _, _ in
                .answers(Array(repeating: .success(.number(1337)), count: count))
            }
        }

        let error = try #require(await failure())

        #expect(error.exit == .unreachable)
        #expect(error.code == "node-nonsense")
    }

    @Test("an answer of another kind is nonsense")
    func wrongKind() async throws {
        market.chain.set { state in
            state.onRound = { _, reads in
                .answers(reads.map { _ in .success(.number(1337)) })
            }
        }

        let error = try #require(await failure())

        #expect(error.code == "node-nonsense")
        #expect(
            error.message == "The node's answer makes no sense: the node's answer is not a block."
        )
    }

    @Test("text from a relay or node reaches nobody's terminal with control characters")
    func controlCharacters() async throws {
        let hostile = "\u{1B}[2J\u{1B}]0;owned\u{07}\u{202E}evil\u{0}"
        market.relay.set {
            $0.book = .failure(.refused(status: 400, code: nil, reason: hostile, fields: []))
        }

        let error = try #require(await failure())

        #expect(
            error.message == "The relay refused (HTTP 400): \"\\u{1B}[2J\\u{1B}]0;owned\\u{7}"
                + "\\u{202E}evil\\u{0}\"."
        )
    }

    // MARK: Blocks

    @Test(
        "a block that the second node does not have is read again at that node's latest, once",
        arguments: [
            "header not found", "Unknown block", "missing trie node 1a2b (path )",
            "Block requested not found. Request might be querying historical state",
        ]
    )
    func blockGone(message: String) async throws {
        let maker = market.makers[0]
        let ask = try await market.ask(by: maker, "1", for: "1")
        market.fund(maker.address, TestMarket.zrx, balance: .max)
        market.setBook(asks: [ask])
        market.mine(99, timestamp: TestMarket.now - 1)
        market.chain.set { state in
            // The second request is answered by a node that is a block behind.
            state.onRound = { round, reads in
                switch round {
                case 1:
                    .answers(reads.map { _ in .failure(.rpc(code: -32_000, message: message)) })
                case 2: .answers([.success(.block(TestMarket.block(99, timestamp: 5)))])
                default: nil
                }
            }
        }

        let book = try await snapshot()

        #expect(book.block.number == 99)
        #expect(book.asks.map(\.order.hash) == [ask.hash])
        #expect(market.chain.rounds.count == 4)
        let last = market.chain.rounds[3].allSatisfy { read in
            switch read {
            case .block(let tag), .call(_, let tag): tag == .number(99)
            default: false
            }
        }
        #expect(last)
        #expect(market.clock.messages == ["The node lost block 100; reading again."])
    }

    @Test("a node that answers null for its own latest block twice ends with exit 4, retryable")
    func blockGoneForGood() async throws {
        market.chain.set { state in
            state.onRound = { round, reads in
                let block = ChainRead.block(.number(TestMarket.head))
                guard round > 0, reads.contains(block) else { return nil }
                return .answers(
                    reads.map { $0 == block ? .success(.block(nil)) : .success(.bytes([])) }
                )
            }
        }

        let error = try #require(await failure())

        #expect(error.exit == .unreachable)
        #expect(error.code == "block-not-found")
        #expect(error.retryable)
        #expect(market.chain.rounds.count == 4)
    }

    @Test("an order that expires between the first block and the one that is read is dropped")
    func expiresMeanwhile() async throws {
        let maker = market.makers[0]
        let ask = try await market.ask(by: maker, "1", for: "1", expiresIn: 10)
        market.fund(maker.address, TestMarket.zrx, balance: .max)
        market.setBook(asks: [ask])
        market.chain.set { state in
            state.blocks[TestMarket.head] = TestMarket.block(
                TestMarket.head,
                timestamp: TestMarket.now + 10
            )
            state.onRound = { round, reads in
                guard round == 0 else { return nil }
                // The first node still has the block before.
                let earlier = TestMarket.block(TestMarket.head, timestamp: TestMarket.now)
                return .answers(
                    reads.map { read in
                        switch read {
                        case .chainID: .success(.number(1337))
                        case .block: .success(.block(earlier))
                        case .call(let call, _)
                        where call.data == ExchangeCallV1.tokenTransferProxyContract.data:
                            .success(.bytes(TestMarket.proxy.word.bytes))
                        default: .success(.bytes(TestMarket.zrx.word.bytes))
                        }
                    }
                )
            }
        }

        let book = try await snapshot()

        #expect(book.asks.isEmpty)
        #expect(book.dropped.map(\.reason.code) == ["expired"])
        #expect(book.block.timestamp == TestMarket.now + 10)
    }
}
