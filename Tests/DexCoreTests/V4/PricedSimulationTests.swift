import DexSandbox
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

/// A chain whose exchange takes 70,000 times the price of gas for each limit order that is filled.
@Suite("Calls that cost a fee by the price of gas are simulated at a price that a block takes")
struct PricedSimulationTests {
    private static let gwei: UInt64 = 1_000_000_000

    private func market() throws -> LiveMarket {
        try LiveMarket(version: .v4, protocolFeeMultiplier: 70_000)
    }

    // MARK: Fills

    @Test("a base fee above --max-fee between plan and signature is told as that")
    func maxFee() async throws {
        let market = try market()
        market.setBook(asks: [try await market.ask(0, "100", for: "1")])
        let change = { (settings: inout TradeSettings) in
            settings.fees.maxFee = Wei(UInt256(3 * Self.gwei))
        }
        let plan = try await market.plan(.buy, "10", change)
        await market.chain.setNextBaseFee(4 * Self.gwei)
        let error = await refusal {
            try await market.model(change).execute(plan, signer: market.signer)
        }
        #expect(error?.code == "max-fee-too-low", "\(error as Any)")
        #expect(error?.exit == .refused && error?.retryable == true)
        #expect(market.node.sent.isEmpty)
    }

    @Test("a base fee above what was confirmed is told as that; a lower one fills")
    func confirmed() async throws {
        let market = try market()
        market.setBook(asks: [try await market.ask(0, "100", for: "1")])
        let plan = try await market.plan(.buy, "10")
        let maximum = try #require(plan.content.gas.maxFeePerGas.rawValue.uint64)
        await market.chain.setNextBaseFee(maximum + Self.gwei)
        let error = await refusal { try await market.model().execute(plan, signer: market.signer) }
        #expect(error?.code == "fees-rose", "\(error as Any)")
        #expect(error?.exit == .refused)
        #expect(market.node.sent.isEmpty)
        await market.chain.setNextBaseFee(maximum - 1)
        let outcome = try await market.model().execute(plan, signer: market.signer)
        #expect(outcome.exit == .done)
    }

    /// What a node is asked to simulate and to estimate for the trader.
    private func simulated(_ market: LiveMarket) -> [CallRequest] {
        market.node.rounds.joined().compactMap { read in
            switch read {
            case .call(let call, _), .estimateGas(let call):
                call.from == market.trader.address && call.to == market.network.exchange
                    ? call : nil
            default: nil
            }
        }
    }

    @Test(
        "a fill is simulated and estimated at the most that is paid, in the plan and right before"
    )
    func atThePrice() async throws {
        let market = try market()
        market.setBook(asks: [try await market.ask(0, "100", for: "1")])
        let plan = try await market.plan(.buy, "10")
        let planned = simulated(market)
        let maximum = Transaction.Fee.legacy(gasPrice: plan.content.gas.maxFeePerGas)
        #expect(planned.count >= 2)
        #expect(planned.allSatisfy { $0.fee == maximum && $0.gas != nil })
        market.node.forgetRounds()
        let outcome = try await market.model().execute(plan, signer: market.signer)
        #expect(outcome.exit == .done)
        let last = simulated(market).filter { $0.fee != nil }
        #expect(last.count >= 2 && last.allSatisfy { $0.fee == maximum })
    }

    // MARK: transact

    /// The arguments of a fill of 0.1 WETH.
    private func fill(_ market: LiveMarket) async throws -> (function: String, arguments: [String])
    {
        let order = try #require(try await market.ask(0, "100", for: "1") as? SignedOrderV4)
        let (terms, signature) = (order.terms, order.signature)
        let tuple = [
            terms.makerToken.checksummed, terms.takerToken.checksummed, "\(terms.makerAmount)",
            "\(terms.takerAmount)", "\(terms.takerTokenFeeAmount)", terms.maker.checksummed,
            terms.taker.checksummed, terms.sender.checksummed, terms.feeRecipient.checksummed,
            terms.pool.hex, "\(terms.expiry)", "\(terms.salt)",
        ]
        let signed = ["\(signature.type)", "\(signature.v)", signature.r.hex, signature.s.hex]
        return (
            "fillLimitOrder((address,address,uint128,uint128,uint128,address,address,address,"
                + "address,bytes32,uint64,uint256),(uint8,uint8,bytes32,bytes32),uint128)"
                + "(uint128,uint128)",
            [
                "(\(tuple.joined(separator: ",")))", "(\(signed.joined(separator: ",")))",
                "\(TestMarket.units("0.1"))",
            ]
        )
    }

    @Test("a fill without the ether for the exchange's fee fails in the simulation already")
    func tooLittle() async throws {
        let market = try market()
        let (function, arguments) = try await fill(market)
        let exchange = market.network.exchange.checksummed
        let error = await refusal { try await market.plan(exchange, function, arguments) }
        #expect(error?.exit == .simulationFailed, "\(error as Any)")
        #expect(error?.code == "would-revert")
        #expect(error?.message.contains("fee") == true, "\(error as Any)")
    }

    @Test("with it the call goes through, also where gas got dearer meanwhile")
    func enough() async throws {
        let market = try market()
        let (function, arguments) = try await fill(market)
        let exchange = market.network.exchange.checksummed
        let planned = try await market.plan(exchange, function, arguments, value: "0.01")
        // The third and fourth read the state for a run here, the fifth names what the call reaches,
        // the last reads the decimals of its tokens.
        #expect(market.node.rounds.count == 6)
        let maximum = try #require(planned.content.gas.maxFeePerGas.rawValue.uint64)
        await market.chain.setNextBaseFee(maximum + Self.gwei)
        let error = await refusal {
            try await market.contracts().execute(planned, signer: market.signer)
        }
        #expect(error?.code == "fees-rose", "\(error as Any)")
        await market.chain.setNextBaseFee(nil)
        let outcome = try await market.contracts().execute(planned, signer: market.signer)
        #expect(outcome.exit == .done)
        #expect(
            try await market.balance(TestMarket.zrx, of: market.trader.address)
                == TestMarket.units("10010")
        )
    }

    @Test("where no fee goes by it the call is simulated once, without a price")
    func withoutFee() async throws {
        let market = try LiveMarket(version: .v4)
        let (function, arguments) = try await fill(market)
        _ = try await market.plan(market.network.exchange.checksummed, function, arguments)
        // The second and third read the state for a run here, the fourth names what the call reaches,
        // the last reads the decimals of its tokens.
        #expect(market.node.rounds.count == 5)
    }
}
