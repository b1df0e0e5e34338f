import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("What a plan tells of the price of gas is what is signed")
struct FeePlanTests {
    private static let gwei: UInt256 = 1_000_000_000

    private func market() async throws -> LiveMarket {
        let market = try LiveMarket()
        market.setBook(asks: [try await market.ask(0, "100", for: "1")])
        return market
    }

    /// Every block's base fee is so much, and its tips are 1, 2 and 3 gwei; nil: there is none.
    private func tell(_ market: LiveMarket, base: UInt256?) {
        market.node.onRead { reads, answers throws(ChainError) in
            zip(reads, answers).map { read, answer in
                switch (read, answer) {
                case (.feeHistory, _):
                    guard let base else {
                        return .failure(.rpc(code: -32_601, message: "method not found"))
                    }
                    return .success(
                        .feeHistory(
                            FeeHistory(
                                oldestBlock: 0,
                                baseFeePerGas: [Wei(base)],
                                rewards: [[1, 2, 3].map { Wei($0 * Self.gwei) }]
                            )
                        )
                    )
                case (_, .success(.block(let block?))):
                    return .success(
                        .block(
                            Block(
                                number: block.number,
                                hash: block.hash,
                                parentHash: block.parentHash,
                                timestamp: block.timestamp,
                                baseFeePerGas: base.map { Wei($0) },
                                gasLimit: block.gasLimit,
                                gasUsed: block.gasUsed
                            )
                        )
                    )
                default: return answer
                }
            }
        }
    }

    @Test("the plan tells the most, what it costs at present prices, and what was sent paid that")
    func plan() async throws {
        let market = try await market()
        tell(market, base: 5 * Self.gwei)
        let change = { (settings: inout TradeSettings) in settings.fees.priority = .high }
        let planned = try await market.plan(.buy, "10", change)
        let gas = planned.content.gas
        #expect(gas.priority == .high)
        #expect(gas.maxFeePerGas == Wei(13 * Self.gwei))
        #expect(gas.maxPriorityFeePerGas == Wei(3 * Self.gwei))
        #expect(gas.maxCost == Wei(13 * Self.gwei * UInt256(gas.limit)))
        #expect(gas.presentCost == Wei(8 * Self.gwei * UInt256(gas.limit)))
        let outcome = try await market.model(change).execute(planned, signer: market.signer)
        #expect(outcome.exit == .done)
        let sent = try SignedTransaction(raw: market.node.sent[0], recoverer: Secp256k1())
        #expect(
            sent.transaction.fee
                == .dynamic(
                    maxFeePerGas: Wei(13 * Self.gwei),
                    maxPriorityFeePerGas: Wei(3 * Self.gwei)
                )
        )
    }

    @Test("--max-fee that leaves less than the tip is told, and nothing more is ever paid")
    func tightPlan() async throws {
        let market = try await market()
        tell(market, base: 5 * Self.gwei)
        let change = { (settings: inout TradeSettings) in
            settings.fees.maxFee = Wei(6 * Self.gwei)
        }
        let planned = try await market.plan(.buy, "10", change)
        #expect(planned.content.warnings.contains { $0.contains("less than the tip of 2 gwei") })
        #expect(planned.content.gas.maxFeePerGas == Wei(6 * Self.gwei))
        #expect(planned.content.gas.presentCost == planned.content.gas.maxCost)
        // The base fee rises above it before it is signed.
        tell(market, base: 7 * Self.gwei)
        let error = await refusal {
            try await market.model(change).execute(planned, signer: market.signer)
        }
        #expect(error?.code == "max-fee-too-low" && error?.exit == .refused)
        #expect(market.node.sent.isEmpty)
        #expect(await refusal { try await market.plan(.buy, "10", change) }?.code == error?.code)
    }

    @Test("a legacy chain gets legacy transactions at the price that was told, with a warning")
    func legacyPlan() async throws {
        let market = try await market()
        tell(market, base: nil)
        let usual = try await market.plan(.buy, "10").content.gas
        #expect(usual.priority == nil && usual.maxPriorityFeePerGas == nil)
        #expect(usual.presentCost == usual.maxCost)
        let low = try await market.plan(.buy, "10") { $0.fees.gasPrice = Wei(1) }.content
        #expect(low.warnings.contains { $0.contains("0.000000001 gwei for a unit of gas is less") })
        let change = { (settings: inout TradeSettings) in
            settings.fees.gasPrice = Wei(40 * Self.gwei)
        }
        let planned = try await market.plan(.buy, "10", change)
        #expect(
            planned.content.gas.maxCost == Wei(40 * Self.gwei * UInt256(planned.content.gas.limit))
        )
        #expect(
            try await market.model(change).execute(planned, signer: market.signer).exit == .done
        )
        let sent = try SignedTransaction(raw: market.node.sent[0], recoverer: Secp256k1())
        #expect(sent.transaction.fee == .legacy(gasPrice: Wei(40 * Self.gwei)))
        let error = await refusal {
            try await market.plan(.buy, "10") { $0.fees.maxFee = Wei(40 * Self.gwei) }
        }
        #expect(error?.code == "no-base-fee")
    }

    @Test("the price asks the node nothing that was not asked before")
    func rounds() async throws {
        let market = try await market()
        _ = try await market.plan(.buy, "10")
        let usual = market.node.rounds.count
        market.node.forgetRounds()
        _ = try await market.plan(.buy, "10") {
            $0.fees.priority = .high
            $0.fees.maxFee = Wei(900 * Self.gwei)
        }
        #expect(market.node.rounds.count == usual)
    }
}
