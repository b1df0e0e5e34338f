import DexSandbox
import DexStore
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

/// What a node answers to a transaction says little about what it did with it.
///
/// A gateway may pass it on and answer with an error, and a node that means harm may keep what it
/// refuses: each let a repeated purchase buy a second time.
@Suite("A doubtful answer to a broadcast never makes a repeat send twice")
struct DoubtfulSendTests {
    /// Errors that prove nothing about where the bytes went.
    static let doubtful: [ChainError] = [
        .rpc(code: -32_603, message: "Internal error"),
        .rpc(code: -32_000, message: "request timed out"),
        .rpc(code: -32_000, message: "context deadline exceeded"),
        .rpc(code: -32_005, message: "limit exceeded"),
        .rpc(code: -32_603, message: "Internal error: insufficient funds upstream"),
        .rateLimited(url: "http://127.0.0.1:1", retryAfter: nil),
        .nonsense("it is a web page"),
    ]

    /// Words by which a node does not take it now, and another one may.
    static let declined = [
        "Transaction rejected", "txpool is full", "transaction underpriced",
        "transaction underpriced: gas tip cap 1, minimum needed 25000000000",
    ]

    /// Words that prove that a node cannot have taken it.
    static let refusals = [
        "insufficient funds for gas * price + value: balance 1, tx cost 2",
        "invalid sender: invalid chain id for signer: have 1337 want 1",
        "intrinsic gas too low: gas 1, minimum needed 21000",
        "max fee per gas less than block base fee: address 0x1, maxFeePerGas: 1, baseFee: 2",
        "replacement transaction underpriced",
        "exceeds block gas limit",
        "transaction type not supported",
    ]

    private func market(
        _ mining: ChainConfiguration.Mining = .instant
    ) async throws -> LiveMarket {
        let market = try LiveMarket(mining: mining)
        market.setBook(asks: [try await market.ask(0, "100", for: "1")])
        return market
    }

    /// The node knows nothing of the account's transactions, as before it heard of them.
    private func hide(_ market: LiveMarket) {
        market.node.onRead { reads, answers throws(ChainError) in
            zip(reads, answers).map { read, answer in
                switch read {
                case .receipt: .success(.receipt(nil))
                case .transaction: .success(.transaction(nil))
                case .transactionCount: .success(.number(0))
                default: answer
                }
            }
        }
    }

    private func bought(_ market: LiveMarket) async throws -> UInt256 {
        try await market.balance(TestMarket.zrx, of: market.trader.address)
            - TestMarket.units("10000")
    }

    @Test("an error that proves nothing leaves it in flight: exit 12, kept", arguments: doubtful)
    func inFlight(error: ChainError) async throws {
        let market = try await market()
        market.node.onSend { _, _ in .lose(error) }
        let outcome = try await market.trade(.buy, "10")
        #expect(outcome.exit == .notMinedYet)
        #expect(outcome.transactions.map(\.stage) == [.pooled])
        let reason = outcome.transactions[0].reason ?? ""
        #expect(reason.contains("No node confirmed that it has the transaction"))
        #expect(reason.contains("dex resume"))
        #expect(Set(market.node.sent).count == 1 && market.node.sent.count >= 3)
        #expect(try market.journaled().map(\.stage) == [.signed])
        // The next command sends the same bytes again, and nothing else.
        market.node.onSend(nil)
        #expect(await refusal { try await market.trade(.buy, "10") }?.code == "resumed")
        #expect(await refusal { try await market.trade(.buy, "10") }?.code == "unacknowledged-fill")
        #expect(Set(market.node.sent).count == 1)
        #expect(try await bought(market) == TestMarket.units("10"))
    }

    @Test("where every node declines it, nothing is said to be sent", arguments: declined)
    func noNodeTookIt(words: String) async throws {
        let market = try await market()
        market.node.onSend { _, _ in .lose(.rpc(code: -32_000, message: words)) }
        let outcome = try await market.trade(.buy, "10")
        #expect(outcome.exit == .notMinedYet)
        let sent = try #require(outcome.transactions.first)
        #expect(sent.stage == .pooled)
        #expect(sent.declined?.words == "\"\(words)\"")
        #expect(sent.reason?.hasPrefix("No node took it: \"\(words)\"") == true)
        #expect(outcome.error?.message.contains("No node took the transaction") == true)
        let remedy = try #require(sent.declined?.remedy)
        switch words {
        case "Transaction rejected", "txpool is full": #expect(remedy == "dex resume")
        case "transaction underpriced": #expect(remedy == "dex tx speedup \(sent.hash)")
        // No node reports tips as high as this one wants: the command names it.
        default:
            #expect(
                remedy == "dex tx speedup \(sent.hash) --priority-fee 25 --beyond-limits"
            )
        }
        #expect(outcome.error?.hint?.contains(remedy) == true)
        #expect(try market.journaled().map(\.stage) == [.signed])
        // It is offered again before anything else is signed, and then once.
        let again = await refusal { try await market.trade(.buy, "10") }
        #expect(again?.code == "pending-transaction")
        #expect(again?.message.contains("no node took it") == true)
        market.node.onSend(nil)
        #expect(await refusal { try await market.trade(.buy, "10") }?.code == "resumed")
        #expect(await refusal { try await market.trade(.buy, "10") }?.code == "unacknowledged-fill")
        #expect(Set(market.node.sent).count == 1)
        #expect(try await bought(market) == TestMarket.units("10"))
    }

    @Test("one that was taken by a node that declines it is bought once", arguments: declined)
    func takenAndDeclined(words: String) async throws {
        let market = try await market()
        let error = ChainError.rpc(code: -32_000, message: words)
        market.node.onSend { number, _ in number == 0 ? .takeAndFail(error) : .lose(error) }
        hide(market)
        #expect(try await market.trade(.buy, "10").exit == .notMinedYet)
        for _ in 0..<3 {
            let again = await refusal { try await market.trade(.buy, "10") }
            #expect(again?.code == "pending-transaction")
        }
        market.node.onRead(nil)
        #expect(await refusal { try await market.trade(.buy, "10") }?.code == "unacknowledged-fill")
        #expect(Set(market.node.sent).count == 1)
        #expect(try await bought(market) == TestMarket.units("10"))
    }

    @Test("one that was taken and is not known yet is bought once", arguments: doubtful)
    func taken(error: ChainError) async throws {
        let market = try await market()
        market.node.onSend { number, _ in number == 0 ? .takeAndFail(error) : .lose(error) }
        hide(market)
        #expect(try await market.trade(.buy, "10").exit == .notMinedYet)
        for _ in 0..<3 {
            #expect(await refusal { try await market.trade(.buy, "10") }?.code == "resumed")
        }
        market.node.onRead(nil)
        for _ in 0..<3 {
            #expect(
                await refusal { try await market.trade(.buy, "10") }?.code == "unacknowledged-fill"
            )
        }
        #expect(Set(market.node.sent).count == 1)
        #expect(try await bought(market) == TestMarket.units("10"))
    }

    @Test("words of refusal after an answer that proves nothing are no proof")
    func refusalAfterDoubt() async throws {
        let market = try await market()
        market.node.onSend { number, _ in
            number == 0
                ? .takeAndFail(.rpc(code: -32_603, message: "Internal error"))
                : .lose(.rpc(code: -32_000, message: Self.refusals[0]))
        }
        hide(market)
        #expect(try await market.trade(.buy, "10").exit == .notMinedYet)
        #expect(try market.journaled().map(\.stage) == [.signed])
    }

    @Test(
        "words that prove a refusal end the command; the next one takes its nonce",
        arguments: refusals
    )
    func refused(words: String) async throws {
        let market = try await market()
        market.node.onSend { _, _ in .lose(.rpc(code: -32_000, message: words + "\u{1B}[2J")) }
        let error = await refusal { try await market.trade(.buy, "10") }
        #expect(error?.code == "send-refused")
        #expect(error?.exit == .unreachable)
        #expect(error?.message.contains("\u{1B}") == false)
        #expect(market.node.sent.count == 1)
        let first = try #require(try market.journaled().first)
        #expect(first.stage == .refused)
        #expect(error?.message.contains(first.hash.hex) == true)
        market.node.onSend(nil)
        #expect(try await market.trade(.buy, "11").exit == .done)
        #expect(try market.journaled().map(\.nonce) == [0, 0])
        #expect(try market.journaled().map(\.stage) == [.replaced, .mined])
    }

    @Test("a node that keeps what it refuses moves the money once, whatever its pool counts")
    func kept() async throws {
        let market = try await market()
        market.node.onSend { _, _ in .lose(.rpc(code: -32_000, message: Self.refusals[0])) }
        for amount in ["10", "11", "12"] {
            let error = await refusal { try await market.trade(.buy, amount) }
            #expect(error?.code == "send-refused")
            // What it kept is counted by its pool.
            let count = UInt64(market.node.sent.count)
            market.node.onRead { reads, answers throws(ChainError) in
                zip(reads, answers).map { read, answer in
                    guard case .transactionCount(_, .pending) = read else { return answer }
                    return .success(.number(count))
                }
            }
        }
        #expect(market.node.sent.count == 3)
        #expect(Set(try market.journaled().map(\.nonce)) == [0])
        // All that it kept is set free.
        let client = market.chain
        for raw in market.node.sent.reversed() { _ = try? await client.send(raw: raw) }
        #expect(try await bought(market) == TestMarket.units("12"))
        market.node.onRead(nil)
        market.node.onSend(nil)
        for _ in 0..<3 {
            let error = await refusal { try await market.trade(.buy, "10") }
            #expect(error?.code == "unacknowledged-fill")
            #expect(error?.exit == .refused)
        }
        #expect(try await bought(market) == TestMarket.units("12"))
    }

    @Test("refused bytes that wait in a pool stop a repeat; those that are mined are told by all")
    func agreed() async throws {
        let market = try await market(.manual)
        market.node.onSend { _, _ in .lose(.rpc(code: -32_000, message: Self.refusals[0])) }
        _ = await refusal { try await market.trade(.buy, "10") }
        let raw = try #require(market.node.sent.first)
        let hash = TransactionHash(Keccak256.hash(raw))
        market.node.onSend(nil)
        let resume = ResumeModel(
            session: try market.session(),
            journal: market.journal,
            settings: TradeSettings()
        )
        // Nothing is in flight, and nothing is to be sent again.
        #expect(try await resume.plan().state.items.isEmpty)
        _ = try await market.chain.send(raw: raw)
        #expect(
            await refusal { try await market.trade(.buy, "10") }?.code == "pending-transaction"
        )
        #expect(try market.journaled().map(\.stage) == [.broadcast])
        try market.journal.mark(hash, as: .refused, now: 0)
        try await market.chain.mine()

        let session = try market.session()
        let list = try await TransactionsModel(session: session, journal: market.journal)
            .load(account: nil, limit: 10, onlyUnsettled: true)
        #expect(list.rows.map(\.stage) == [.confirmed])
        let examination = TransactionCheck(
            session: session,
            journal: market.journal,
            patience: 60
        )
        let row = await examination.row(market.trader.address)
        #expect(row.found.contains("mined after the command had ended"))
        #expect(row.found.contains(hash.hex))
        #expect(try await resume.plan().state.items.map(\.status.word) == ["mined"])
        let reported = try await StatusModel(session: session, journal: market.journal)
            .load(hash.word)
        guard case .transaction(let status) = reported else {
            Issue.record("it is no transaction")
            return
        }
        #expect(status.stage == .confirmed)
        #expect(try market.journaled().map(\.stage) == [.mined])
        #expect(try await resume.plan().state.items.isEmpty)
    }
}
