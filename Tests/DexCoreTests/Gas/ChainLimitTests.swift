import DexSandbox
import DexStore
import Ethereum
import EthereumWallet
import Testing

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("Rules of chains that limit a transaction otherwise")
struct ChainLimitTests {
    @Test("Monad: a payment that leaves less than the reserve says so, with all that it may cost")
    func reserve() async throws {
        let rules = try #require(try NetworkCatalog.network(ofChain: 143)).fees
        #expect(rules.reserve == Wei(LiveMarket.gwei * LiveMarket.gwei * 10))
        // The trader has 10 ether, and less is left after any payment.
        let market = try LiveMarket.on(chainOf: "monad")
        let planned = try await market.plan(market.send("1", "ETH"))
        #expect(planned.content.warnings.contains { $0.hasPrefix("IT LEAVES 8.9") })
        let less = try LiveMarket.on {
            $0 = rules
            $0.reserve = Wei(LiveMarket.gwei * LiveMarket.gwei * 8)
        }
        for (amount, isKept) in [("1", true), ("1.9", true), ("2", false), ("9", false)] {
            let planned = try await less.plan(less.send(amount, "ETH"))
            let warns = planned.content.warnings.contains { $0.hasPrefix("IT LEAVES") }
            #expect(warns != isKept, "\(amount)")
        }
        // Elsewhere nothing is kept.
        let plain = try LiveMarket()
        let maximum = try await plain.plan(plain.send("9", "ETH"))
        #expect(!maximum.content.warnings.contains { $0.hasPrefix("IT LEAVES") })
    }

    private func block(gasLimit: UInt64) -> Block {
        Block(
            number: 1,
            hash: BlockHash(UInt256(1).word),
            parentHash: BlockHash(UInt256(0).word),
            timestamp: 1,
            baseFeePerGas: Wei(1),
            gasLimit: gasLimit,
            gasUsed: 0
        )
    }

    private func limit(
        _ bytes: Int,
        _ rules: FeeRules,
        units: UInt64? = nil,
        block gasLimit: UInt64 = 15_000_000
    ) throws -> GasLimit {
        var overrides = FeeOverrides()
        overrides.gasLimit = units
        let data = [UInt8](repeating: 0, count: bytes)
        let request = CallRequest(to: TestMarket.zrx, data: data)
        return try GasLimit(
            estimate: max(
                30_000,
                rules.minimumEstimate(of: request, in: block(gasLimit: gasLimit))
            ),
            percent: 130,
            of: request,
            within: GasBounds(block(gasLimit: gasLimit), rules, overrides)
        )
    }

    @Test("Avalanche: the gas limit is at least what nodes ask for the transaction's size")
    func size() throws {
        let rules = try #require(try NetworkCatalog.network(ofChain: 43_114)).fees
        #expect(rules.blockBytes == 1_572_864 && rules.charged == .half)
        // A small call is bounded by its own gas.
        #expect(try limit(100, rules).units == 39_000)
        for bytes in [8_000, 30_000, 100_000] {
            let minimum = UInt64(bytes) * 15_000_000 / 1_572_864
            let own = try limit(bytes, rules)
            #expect(own.units > minimum && own.needed > minimum)
            #expect(try limit(bytes, FeeRules()).needed < own.needed)
            // A limit of one's own below it is no transaction.
            let error = #expect(throws: DexError.self) {
                try limit(bytes, rules, units: minimum)
            }
            #expect(error?.code == "gas-limit-too-low")
            #expect(try limit(bytes, rules, units: own.needed).units == own.needed)
        }
        // Beyond a block there is none.
        let error = #expect(throws: DexError.self) {
            try limit(2_000_000, rules, block: 15_000_000)
        }
        #expect(error?.code == "block-gas-limit")
    }

    @Test("HyperEVM: what is sent to its bridge leaves the chain, and is refused")
    func bridge() async throws {
        let market = try LiveMarket.on(chainOf: "hyperevm")
        let bridge = TestMarket.address("0x2222222222222222222222222222222222222222")
        for symbol in ["ETH", "ZRX"] {
            let error = await refusal {
                try await market.plan(market.send("1", symbol, to: bridge))
            }
            #expect(error?.code == "bad-recipient" && error?.exit == .refused)
        }
    }

    @Test("HyperEVM: a ninth transaction is not signed while eight wait")
    func waiting() async throws {
        let market = try LiveMarket.on(chainOf: "hyperevm")
        let account = market.trader.address
        let now = try market.session().environment.now()
        let intent = try market.journal.open(
            JournalIntent(
                chainID: 1337,
                account: account,
                command: "send",
                plan: nil,
                created: now
            )
        )
        for _ in 0..<8 {
            _ = try market.journal.reserveNonce(
                intent: intent,
                purpose: "send",
                chainID: 1337,
                sender: account,
                pendingCount: 0,
                now: now
            )
        }
        let sender = try self.sender(market, intent)
        let call = CallRequest(from: account, to: market.rival.address, data: [])
        let error = await refusal {
            try await sender.send(
                TransactionSender.Request(
                    purpose: .send,
                    call: call,
                    gasLimit: 21_000,
                    fee: .dynamic(
                        maxFeePerGas: Wei(LiveMarket.gwei),
                        maxPriorityFeePerGas: .zero
                    ),
                    pendingNonce: 0,
                    rollup: .none
                )
            )
        }
        #expect(error?.code == "too-many-waiting" && error?.exit == .refused)
        #expect(market.node.sent.isEmpty)
    }

    private func sender(_ market: LiveMarket, _ intent: Int64) throws -> TransactionSender {
        TransactionSender(
            session: try market.session(),
            journal: market.journal,
            settings: TradeSettings(),
            signer: market.signer,
            intent: intent,
            steps: 1
        )
    }
}
