import Ethereum
import Synchronization
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("A checkup of the swap API")
struct DoctorSwapTests {
    private let patient: DoctorPatient
    private var market: TestMarket { patient.market }
    private let source = FakeSource()

    init() throws {
        patient = try DoctorPatient()
        for address in [FakeSource.holder, FakeSource.registry, FakeSource.settler] {
            market.chain.set { $0.code[address] = .success([0x60]) }
        }
        market.chain.answer(
            FakeSource.registry,
            [1],
            with: .success(FakeSource.settler.word.bytes)
        )
    }

    /// The API's answers, and the rules of a registry that names one contract.
    private final class FakeSource: LiquiditySource, LiquidityRules {
        static let holder = address(0xA1)
        static let registry = address(0xA2)
        static let settler = address(0xA3)

        static func address(_ number: UInt64) -> Address {
            Address(truncating: UInt256(number).word)
        }

        let served = Mutex<Result<[UInt64], LiquidityError>>(.success([1, 1337]))
        let questions = Mutex(0)

        func chains() async throws(LiquidityError) -> [UInt64] {
            questions.withLock { $0 += 1 }
            return try served.withLock { $0 }.get()
        }

        func price(_ request: SwapRequest) async throws(LiquidityError) -> SwapPrice {
            throw .nonsense("a checkup asks for no price")
        }

        func quote(_ request: SwapRequest) async throws(LiquidityError) -> SwapQuote {
            throw .nonsense("a checkup asks for no quote")
        }

        var rules: any LiquidityRules { self }
        var name: String { "Fake Swap" }
        var contracts: [Address] { [Self.holder, Self.registry] }
        var registryCalls: [CallRequest] { [CallRequest(to: Self.registry, data: [1])] }

        func spender(_ payment: SwapPayment) -> Address { Self.holder }

        func genuine(answers: [[UInt8]?]) throws(QuoteFault) -> [Address] {
            guard answers.count == 1, let answer = answers[0] else { throw .paused }
            return [Address(truncating: Bytes32(bytes: answer) ?? .zero)]
        }

        func verify(_ quote: SwapQuote, _ terms: SwapTerms) throws(QuoteFault) -> SwapCall {
            throw .unprotected
        }

        func permit(of quote: SwapQuote, _ terms: SwapTerms) throws(QuoteFault) -> SwapPermit? {
            throw .unprotected
        }

        func call(_ call: SwapCall, signature: Signature) -> SwapCall { call }

        func effects(of call: SwapCall) -> SwapEffects? { nil }
    }

    /// The row, and what stands in front of it and after it.
    private func row(
        _ probe: FakeProbe = FakeProbe(),
        settings: SwapSettings? = SwapSettings(api: "https://swap.example/key-in-path"),
        hasKey: Bool = true,
        keyError: DexError? = nil,
        isSandbox: Bool = true
    ) async throws -> DoctorState.Row {
        var session = try market.session()
        session.network.swap = settings
        session.network.isSandbox = isSandbox
        if hasKey { session.venues = [ZeroExSwapVenue(source)] }
        let rows = await DoctorModel(
            session: session,
            nodes: .success([probe]),
            account: nil,
            journal: patient.store.journal,
            settings: TradeSettings(),
            swapKeyError: keyError
        ).rows()
        let index = try #require(rows.firstIndex { $0.check == .swap })
        #expect(rows[index - 1].check == .relay && rows[index + 1].check == .exchange)
        let row = rows[index]
        #expect(row.found.hasSuffix(".") && !row.found.contains("key-in-path"), "\(row)")
        #expect([.ok, .skipped].contains(row.mark) || row.remedy != nil, "\(row)")
        return row
    }

    @Test("where the key is taken, the chain served and the contracts are there, all is well")
    func healthy() async throws {
        #expect(
            try await row()
                == .ok(
                    .swap,
                    "https://swap.example serves chain 1337, and its contracts are there."
                )
        )
        #expect(source.questions.withLock { $0 } == 1)
    }

    @Test("a network without one, and one that leaves it out, are not asked")
    func unused() async throws {
        #expect(try await row(settings: nil).mark == .ok)
        let book = try await row(settings: SwapSettings(api: "https://swap.example", via: .book))
        #expect(book == .ok(.swap, "It is not used: swap.via is book."))
        #expect(source.questions.withLock { $0 } == 0)
    }

    @Test("without a key it is a warning that says where to put one; a sandbox needs none")
    func noKey() async throws {
        let row = try await row(hasKey: false, isSandbox: false)
        #expect(row.mark == .warn)
        #expect(row.remedy?.contains("DEX_ZEROEX_API_KEY") == true)
        #expect(row.remedy?.contains("networks.sandbox.swap.key_file") == true)
        #expect(
            try await self.row(settings: SwapSettings(api: ""), hasKey: false)
                == .skipped(.swap, "The sandbox is not running.")
        )
    }

    @Test("a key that cannot be used fails as other commands would")
    func badKey() async throws {
        let error = DexError(.configuration, code: "bad-swap-key", message: "Bad.", hint: "Mend.")
        let row = try await row(hasKey: false, keyError: error)
        #expect(row == .fail(.swap, error))
        #expect(row.kind == .configuration)
    }

    @Test(
        "an API that does not answer or refuses the key fails as other commands would",
        arguments: [
            (.unreachable(url: "u", reason: "down"), .unreachable),
            (.badKey(url: "u"), .configuration),
            (.nonsense("no list"), .unreachable),
        ] as [(LiquidityError, ErrorKind)]
    )
    func refused(error: LiquidityError, kind: ErrorKind) async throws {
        source.served.withLock { $0 = .failure(error) }
        let row = try await row()
        #expect(row == .fail(.swap, DexError(error)))
        #expect(row.kind == kind)
    }

    @Test("an API that does not serve the chain is told with how to leave it out")
    func otherChain() async throws {
        source.served.withLock { $0 = .success([1, 10]) }
        let row = try await row()
        #expect(row.mark == .warn)
        #expect(row.found.contains("does not serve chain 1337"))
        #expect(row.remedy?.hasSuffix("dex config set networks.sandbox.swap.via book") == true)
    }

    @Test("a paused registry fails with its own error")
    func paused() async throws {
        market.chain.answer(
            FakeSource.registry,
            [1],
            with: .failure(.reverted(data: [], message: "execution reverted"))
        )
        let row = try await row()
        #expect(row == .fail(.swap, DexError(QuoteFault.paused)))
        #expect(row.kind == .refused)
    }

    @Test(
        "a contract that is missing is named",
        arguments: [FakeSource.holder, FakeSource.registry, FakeSource.settler]
    )
    func missing(address: Address) async throws {
        market.chain.set { $0.code[address] = .success([]) }
        let row = try await row()
        #expect(row.mark == .fail && row.kind == .configuration)
        #expect(row.found.contains("no contract at \(address.checksummed)"))
    }

    @Test("without a node the API is asked all the same, and its contracts are left")
    func noNode() async throws {
        let dead = FakeProbe { $0.chainID = .failure(.unreachable(url: "u", reason: "down")) }
        let row = try await row(dead)
        #expect(row.mark == .skipped)
        #expect(row.found.hasPrefix("https://swap.example serves chain 1337;"))
        source.served.withLock { $0 = .failure(.badKey(url: "u")) }
        #expect(try await self.row(dead).mark == .fail)
    }
}
