import Ethereum
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("What a network's node says of it")
struct NetworkProbeTests {
    private static let version: [UInt8] = [0xff, 0xa1, 0xad, 0x74]

    /// A string as contracts return it.
    private static func text(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        let padding = [UInt8](repeating: 0, count: (32 - bytes.count % 32) % 32)
        return UInt256(32).bigEndianBytes + UInt256(UInt64(bytes.count)).bigEndianBytes + bytes
            + padding
    }

    private func market(_ version: Result<[UInt8], ChainError>) throws -> TestMarket {
        let market = try TestMarket()
        market.chain.answer(TestMarket.exchange, Self.version, with: version)
        let sample = NetworkProbe.sample(TestMarket.exchange)
        let call = try #require(market.protocolV1.hashCall(of: sample))
        market.chain.answer(
            call.to,
            call.data,
            with: .success(market.protocolV1.hash(of: sample).word.bytes)
        )
        market.chain.set { $0.code[TestMarket.exchange] = .success([0x60]) }
        return market
    }

    private func failure(_ market: TestMarket) async throws -> DexError? {
        let session = try market.session()
        do throws(DexError) {
            _ = try await NetworkProbe(session: session).findings()
            return nil
        } catch {
            return error
        }
    }

    @Test("the block, the contracts and the version, in two rounds")
    func found() async throws {
        let market = try market(.success(Self.text("1.0.0")))
        let found = try await NetworkProbe(session: try market.session()).findings()
        #expect(found.block == TestMarket.head)
        #expect(found.version == "1.0.0")
        #expect(found.contracts.exchange == TestMarket.exchange)
        #expect(found.contracts.transferContract == TestMarket.proxy)
        #expect(found.contracts.feeToken == TestMarket.zrx)
        #expect(found.contracts.protocolFeeMultiplier == 0)
        #expect(market.chain.rounds.count == 2)
    }

    @Test("what names no version, or reverts over it, is no exchange: exit 3")
    func noVersion() async throws {
        let answers: [Result<[UInt8], ChainError>] = [
            .success([]), .success(Self.text("")), .success([1, 2, 3]),
            .failure(.reverted(data: [], message: "no such function")),
        ]
        for answer in answers {
            let error = try await failure(try market(answer))
            #expect(error?.code == "not-an-exchange")
            #expect(error?.exit == .configuration)
        }
    }

    @Test("an exchange that may not move tokens is refused, and a node of another chain")
    func unusable() async throws {
        let market = try market(.success(Self.text("1.0.0")))
        market.setReady(false)
        let closed = try await failure(market)
        #expect(closed?.code == "exchange-not-authorized")
        #expect(closed?.exit == .refused)
        market.chain.set { $0.chainID = 5 }
        let elsewhere = try await failure(market)
        #expect(elsewhere?.code == "wrong-chain")
        #expect(elsewhere?.exit == .configuration)
    }

    @Test("an exchange that hashes orders otherwise is none of ours, and one that cannot tell")
    func hashes() async throws {
        let market = try market(.success(Self.text("1.0.0")))
        let call = try #require(
            market.protocolV1.hashCall(of: NetworkProbe.sample(TestMarket.exchange))
        )
        market.chain.answer(call.to, call.data, with: 7)
        let other = try await failure(market)
        #expect(other?.code == "not-an-exchange")
        #expect(
            other?.message.contains("hashes orders otherwise than an exchange of 0x v1") == true
        )
        let answers: [Result<[UInt8], ChainError>] = [
            .success([]), .success([1]), .failure(.reverted(data: [], message: "")),
        ]
        for answer in answers {
            market.chain.answer(call.to, call.data, with: answer)
            #expect(try await failure(market)?.code == "not-an-exchange")
        }
        market.chain.answer(call.to, call.data, with: .failure(.lost))
        #expect(try await failure(market)?.code == "node-unreachable")
    }
}

@Suite("What a node says of a network with an Exchange Proxy")
struct NetworkProbeV4Tests {
    private static let noun = "an Exchange Proxy with the native orders of 0x v4"
    private static let nowhere = TestMarket.address("0x00000000000000000000000000000000000000e1")

    /// What a v4 network with this exchange is told on the simulated chain.
    private func failure(_ exchange: Address) async throws -> DexError? {
        var session = try LiveMarket(version: .v4).session()
        session.network.exchange = exchange
        session.exchangeProtocol = Protocols.implementation(of: session.network)
        return await refusal { try await NetworkProbe(session: session).findings() }
    }

    @Test("it has no version, is itself whom one approves, and hashes orders as we do")
    func found() async throws {
        let market = try LiveMarket(version: .v4)
        let found = try await NetworkProbe(session: try market.session()).findings()
        #expect(found.version == nil)
        #expect(found.contracts == market.exchangeContracts)
        #expect(found.contracts.transferContract == market.network.exchange)
        #expect(market.node.rounds.count == 2)
    }

    @Test("an exchange of v1, a token and an empty account are no Exchange Proxy: exit 3")
    func others() async throws {
        for exchange in [TestMarket.exchange, TestMarket.proxy, TestMarket.weth, TestMarket.zrx] {
            let error = try await failure(exchange)
            #expect(error?.code == "not-an-exchange")
            #expect(error?.exit == .configuration)
            #expect(
                error?.message == "\(exchange.checksummed) does not answer as \(Self.noun); check "
                    + "the network's exchange address."
            )
        }
        let none = try await failure(Self.nowhere)
        #expect(none?.code == "not-an-exchange")
        #expect(
            none?.message == "There is no contract at \(Self.nowhere.checksummed) on chain 1337; "
                + "check the network's exchange address."
        )
    }

    @Test("an Exchange Proxy is no exchange of v1")
    func proxyAsV1() async throws {
        var session = try LiveMarket().session()
        session.network.exchange = try LiveMarket(version: .v4).network.exchange
        let error = await refusal { try await NetworkProbe(session: session).findings() }
        #expect(error?.code == "not-an-exchange")
        #expect(error?.message.contains("does not answer as an exchange of 0x v1") == true)
    }

    /// A node that answers every call in one way.
    private func failure(
        _ answer: Result<[UInt8], ChainError>,
        code: Result<[UInt8], ChainError> = .success([0x60])
    ) async throws -> DexError? {
        let board = try BoardV4()
        board.market.chain.set { state in
            state.calls = [:]
            state.onCall = { _, _ in answer }
            state.code[BoardV4.exchange] = code
        }
        let session = try board.session()
        return await refusal { try await NetworkProbe(session: session).findings() }
    }

    @Test("garbage is no Exchange Proxy, be it as short or as wide as it likes")
    func garbage() async throws {
        let wide = (UInt256(1) << 32).bigEndianBytes
        let answers: [[UInt8]] = [
            [], [0], [UInt8](repeating: 0, count: 31), [UInt8](repeating: 0, count: 33), wide,
            [UInt8](repeating: 0xff, count: 32), [UInt8](repeating: 0, count: 64),
        ]
        for answer in answers {
            let error = try await failure(.success(answer))
            #expect(error?.code == "not-an-exchange", "\(answer)")
            #expect(error?.exit == .configuration)
            #expect(error?.message.contains(Self.noun) == true)
        }
        let silent = try await failure(.success([]), code: .failure(.lost))
        #expect(silent?.message.contains(Self.noun) == true, "the node does not tell the code")
        // What says yes to everything has no fee, and no hash of ours.
        let zeros = try await failure(.success([UInt8](repeating: 0, count: 32)))
        #expect(zeros?.code == "not-an-exchange")
        #expect(zeros?.message.contains("hashes orders otherwise than \(Self.noun)") == true)
    }

    @Test(
        "a contract without the function is told in the words of every node, and is no node's error"
    )
    func words() async throws {
        let errors: [ChainError] = [
            .reverted(data: [], message: "execution reverted"),
            .reverted(
                data: ExchangeRevertV4.notImplemented(selector: 0x487b_5c20).data,
                message: ""
            ),
            .rpc(code: -32_000, message: "invalid opcode: INVALID"),
            .rpc(code: -32_000, message: "invalid opcode: opcode 0xfe not defined"),
            .rpc(code: -32_000, message: "invalid jump destination"),
            .rpc(code: -32_000, message: "out of gas"),
            .rpc(code: -32_000, message: "stack underflow (0 <=> 1)"),
            .rpc(code: -32_015, message: "VM execution error."),
            .rpc(code: -32_015, message: "Bad instruction fe"),
            .rpc(code: -32_003, message: "EVM error: InvalidFEOpcode"),
            .rpc(
                code: -32_603,
                message: "VM Exception while processing transaction: invalid opcode"
            ),
        ]
        for answer in errors {
            let error = try await failure(.failure(answer))
            #expect(error?.code == "not-an-exchange", "\(answer)")
            #expect(error?.message.contains(Self.noun) == true)
        }
    }

    @Test("what the node itself could not do stays the node's")
    func node() async throws {
        let errors: [(ChainError, String)] = [
            (.rpc(code: -32_601, message: "the method eth_call does not exist"), "node-error"),
            (.rpc(code: -32_000, message: "missing trie node"), "node-error"),
            (.rpc(code: -32_005, message: "daily request count exceeded"), "node-error"),
            (.lost, "node-unreachable"), (.nonsense("no answer"), "node-nonsense"),
        ]
        for (answer, code) in errors {
            let error = try await failure(.failure(answer))
            #expect(error?.code == code)
            #expect(error?.exit == .unreachable)
        }
    }

    @Test("a copy of another chain keeps that chain's hashes, which is told")
    func fork() async throws {
        let board = try BoardV4()
        let sample = NetworkProbe.sample(BoardV4.exchange)
        let call = try #require(board.zeroEx.hashCall(of: sample))
        let mainnet = ZeroExV4(
            domain: ExchangeDomainV4(chainID: 1, exchange: BoardV4.exchange),
            signatureKind: .ethSign
        )
        board.market.chain.set { $0.code[BoardV4.exchange] = .success([0x60]) }
        board.market.chain.answer(
            call.to,
            call.data,
            with: .success(mainnet.hash(of: sample).word.bytes)
        )
        let session = try board.session()
        let error = await refusal { try await NetworkProbe(session: session).findings() }
        #expect(error?.code == "not-an-exchange")
        #expect(error?.exit == .configuration)
        #expect(error?.message.contains("on chain 1337") == true)
        #expect(error?.message.contains("of another chain on a copy of it") == true)
        board.market.chain.answer(
            call.to,
            call.data,
            with: .success(board.zeroEx.hash(of: sample).word.bytes)
        )
        #expect(try await NetworkProbe(session: session).findings().block == TestMarket.head)
    }
}
