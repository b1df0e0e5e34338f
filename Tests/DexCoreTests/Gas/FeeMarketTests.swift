import DexSandbox
import DexStore
import Ethereum
import EthereumWallet
import Testing

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("Fee markets that are not Ethereum's")
struct FeeMarketTests {
    private static let gwei: UInt256 = LiveMarket.gwei

    private func snapshot(
        base: UInt256,
        tips: UInt256? = nil,
        gasPrice: UInt256? = nil,
        _ change: (inout FeeRules) -> Void = { _ in }
    ) -> FeeSnapshot {
        var rules = FeeRules()
        change(&rules)
        return FeeSnapshot(
            coin: .ether,
            baseFee: Wei(base),
            tips: tips.map { tip in
                Dictionary(FeePriority.allCases.map { ($0, Wei(tip)) }) { $1 }
            } ?? [:],
            gasPrice: gasPrice.map { Wei($0) },
            rules: rules
        )
    }

    private func fee(
        _ fees: FeeSnapshot,
        _ change: (inout FeeOverrides) -> Void = { _ in }
    ) throws -> [UInt256] {
        var overrides = FeeOverrides()
        change(&overrides)
        let fee = try GasPricing.fee(fees, overrides)
        return [fee.maximum.rawValue, fee.tip?.rawValue ?? .max]
    }

    // MARK: A base fee of 0

    @Test(
        "with a base fee of 0 the node's gas price is the least, whatever its fee history says",
        arguments: [
            TamperedNode.history(base: [0, 0], rewards: [[]]),
            TamperedNode.history(base: [], rewards: []),
            TamperedNode.history(base: [0, 0], rewards: [[0, 0, 0]]),
            .failure(.rpc(code: -32_000, message: "Unsupported method: eth_feeHistory")),
            .failure(.rpc(code: -32_601, message: "method not found")),
            .failure(.nonsense("the fee history has no oldestBlock")),
            .failure(.rpc(code: 3, message: "Unsupported method")),
        ]
    )
    func zeroBase(history: TamperedNode.Answer) async throws {
        let market = try LiveMarket()
        let price = Self.gwei / 20
        market.node.change { read, answer in
            TamperedNode.fees(read, answer, base: 0, history: history, gasPrice: price)
        }
        let planned = try await market.plan(market.send("1", "ETH"))
        let gas = try #require(planned.content.gas as GasPlan?)
        #expect(gas.maxFeePerGas == Wei(price))
        #expect(gas.maxPriorityFeePerGas == Wei(price))
        #expect(planned.content.warnings.contains { $0.contains("eth_gasPrice") })
        // The chain below has a base fee after all, and does not mine it.
        _ = try await market.transfers().execute(planned, signer: market.signer)
        #expect(
            try market.sentFee()
                == .dynamic(maxFeePerGas: Wei(price), maxPriorityFeePerGas: Wei(price))
        )
    }

    @Test("without any price the node does not say what a transaction costs: exit 4")
    func noPrice() async throws {
        let market = try LiveMarket()
        market.node.change { read, answer in
            TamperedNode.fees(read, answer, base: 0, gasPrice: nil)
        }
        let error = await refusal { try await market.plan(market.send("1", "ETH")) }
        #expect(error?.exit == .unreachable)
    }

    @Test("a gas price above all that others pay is followed within bounds, and it is told")
    func bounded() throws {
        // Twice the base fee covers it: as before.
        #expect(
            try fee(snapshot(base: 10 * Self.gwei, tips: 1, gasPrice: 11 * Self.gwei))
                == [20 * Self.gwei + 1, 1]
        )
        let low = snapshot(base: 1, tips: 1, gasPrice: 2 * Self.gwei)
        #expect(try fee(low) == [2 * Self.gwei + 1, 2 * Self.gwei - 1])
        let lie = snapshot(base: 0, gasPrice: 5_000 * Self.gwei)
        #expect(try fee(lie) == [3 * Self.gwei, 3 * Self.gwei])
        let words = GasPricing.tipWarning(lie, FeeOverrides())
        #expect(words?.contains("5000 gwei") == true && words?.contains("--max-fee") == true)
        #expect(try fee(lie) { $0.priority = .high } == [50 * Self.gwei, 50 * Self.gwei])
        #expect(try fee(lie) { $0.maxFee = Wei(7) } == [7, 7])
        #expect(try fee(snapshot(base: 0, gasPrice: 0)) == [0, 0])
    }

    // MARK: Floors

    @Test("Polygon's nodes take no tip below 25 gwei, and none is signed")
    func minimumTip() throws {
        let rules = try #require(try NetworkCatalog.bundled().first { $0.name == "polygon" }).fees
        let fees = snapshot(base: 10, tips: Self.gwei, gasPrice: 30 * Self.gwei) { $0 = rules }
        #expect(try fee(fees)[1] >= 25 * Self.gwei)
        let bare = snapshot(base: 10, tips: Self.gwei) { $0 = rules }
        #expect(try fee(bare) == [25 * Self.gwei + 20, 25 * Self.gwei])
        #expect(try fee(bare) { $0.priority = .low }[1] == 25 * Self.gwei)
        let error = #expect(throws: DexError.self) {
            try fee(bare) { $0.maxFee = Wei(24 * Self.gwei) }
        }
        #expect(error?.code == "max-fee-too-low" && error?.exit == .refused)
        #expect(error?.message.contains("25 gwei") == true)
        #expect(
            try fee(bare) { $0.maxFee = Wei(25 * Self.gwei) } == [25 * Self.gwei, 25 * Self.gwei]
        )
    }

    @Test("Sonic's nodes take no cap below 1.05 of the base fee, not a cut one either")
    func minimumCap() throws {
        let rules = try #require(try NetworkCatalog.bundled().first { $0.name == "sonic" }).fees
        let fees = snapshot(base: 100 * Self.gwei, tips: 1) { $0 = rules }
        let error = #expect(throws: DexError.self) {
            try fee(fees) { $0.maxFee = Wei(104 * Self.gwei) }
        }
        #expect(error?.code == "max-fee-too-low")
        #expect(error?.message.contains("105 gwei") == true)
        #expect(try fee(fees) { $0.maxFee = Wei(105 * Self.gwei) }[0] == 105 * Self.gwei)
        let enough = Wei(105 * Self.gwei &* 21_000)
        for (budget, isEnough) in [(enough, true), (Wei(enough.rawValue - 1), false)] {
            let cut = try? GasPricing.fee(
                fees,
                limit: 21_000,
                budget: budget,
                overrides: FeeOverrides(),
                mayCut: true
            )
            #expect((cut != nil) == isEnough)
        }
    }

    @Test("a base fee below the chain's floor leaves room for the floor")
    func minimumBaseFee() throws {
        let rules = try #require(try NetworkCatalog.bundled().first { $0.name == "monad" }).fees
        #expect(try fee(snapshot(base: 1, tips: 5) { $0 = rules })[0] == 100 * Self.gwei + 5)
        #expect(
            try fee(snapshot(base: 80 * Self.gwei, tips: 5) { $0 = rules })[0]
                == 160 * Self.gwei + 5
        )
    }

    @Test(
        "where tips are dropped or burnt none is paid",
        arguments: ["arbitrum", "robinhood", "abstract", "hyperevm"]
    )
    func noTips(name: String) async throws {
        let market = try LiveMarket.on(chainOf: name)
        let gas = try await market.plan(market.send("1", "ETH")).content.gas
        #expect(gas.maxPriorityFeePerGas == .zero)
        let expensive = snapshot(base: 5, tips: Self.gwei, gasPrice: Self.gwei) {
            $0 = market.network.fees
        }
        #expect(try fee(expensive) == [10, 0])
    }

    @Test("Linea's tip is that of the very call; a node without the method falls back")
    func linea() async throws {
        let market = try LiveMarket.on(chainOf: "linea")
        market.node.change { read, answer in
            if case .lineaTip(let call) = read {
                return .success(.wei(Wei(UInt256(UInt64(1_000_000 + call.data.count)))))
            }
            return TamperedNode.fees(read, answer, base: 7, gasPrice: 100)
        }
        let payment = try await market.plan(market.send("1", "ETH")).content.gas
        #expect(payment.maxPriorityFeePerGas == Wei(1_000_000))
        let token = try await market.plan(market.send("1", "ZRX")).content.gas
        #expect(token.maxPriorityFeePerGas == Wei(1_000_068))
        market.node.change { read, answer in
            if case .lineaTip = read {
                return .failure(.rpc(code: -32_601, message: "method not found"))
            }
            return TamperedNode.fees(read, answer, base: 7, gasPrice: 100)
        }
        let fallback = try await market.plan(market.send("1", "ETH")).content.gas
        #expect(fallback.maxPriorityFeePerGas == Wei(93))
    }

    @Test("where the limit is paid, a payment has exactly its gas, and more is told")
    func paidLimit() async throws {
        let market = try LiveMarket.on(chainOf: "monad")
        let payment = try await market.plan(market.send("1", "ETH")).content
        #expect(payment.gas.limit == 21_000)
        #expect(!payment.warnings.contains { $0.contains("whole gas limit") })
        let token = try await market.plan(market.send("1", "ZRX")).content
        #expect(token.warnings.contains { $0.contains("whole gas limit") })
    }

    @Test("the chain's cap of a transaction's gas bounds how many orders one fill takes")
    func cap() async throws {
        var market = try LiveMarket.on(chainOf: "hyperevm")
        market.setBook(asks: [try await market.ask(0, "100", for: "1")])
        let limit = try await market.plan(.buy, "10").content.gas.limit
        #expect(limit <= 2_000_000)
        market.network.fees.gasCap = limit / 2
        let error = await refusal { try await market.plan(.buy, "10") }
        #expect(error?.code == "block-gas-limit" && error?.exit == .refused)
    }
}

@Suite("A chain whose gas is paid in tokens")
struct FeeTokenTests {
    private static let own = TestMarket.address("0x20c0000000000000000000000000000000000007")

    /// Tempo: the account's choice, and its balances by token.
    private func market(
        chosen: Address = .zero,
        balances: [Address: UInt256]
    ) throws -> LiveMarket {
        let market = try LiveMarket.on(chainOf: "tempo")
        market.node.change { read, answer in
            guard case .call(let request, _) = read else { return nil }
            if request.data.starts(with: [0xED, 0x49, 0x8F, 0xA8]) {
                return .success(.bytes(chosen.word.bytes))
            }
            guard request.to.bytes.starts(with: [0x20, 0xC0]) else { return nil }
            return .success(.bytes((balances[request.to] ?? 0).bigEndianBytes))
        }
        return market
    }

    @Test("a payment of ether is refused: there is none")
    func noCoin() async throws {
        let market = try market(balances: [FeeTokens.usual: .max])
        let error = await refusal { try await market.plan(market.send("1", "ETH")) }
        #expect(error?.code == "no-coin" && error?.exit == .refused)
    }

    @Test("another contract's call is paid in pathUSD, or in what the account chose")
    func payer() async throws {
        let usual = try market(balances: [FeeTokens.usual: .max])
        let gas = try await usual.plan(usual.send("1", "ZRX")).content.gas
        let cost = FeeToken.cost(gas: gas.limit, at: gas.maxFeePerGas)
        #expect(cost > 0)
        for (balance, isEnough) in [(cost, true), (cost - 1, false)] {
            for chosen in [Address.zero, Self.own] {
                let token = chosen == .zero ? FeeTokens.usual : chosen
                let market = try market(chosen: chosen, balances: [token: balance])
                if isEnough {
                    _ = try await market.plan(market.send("1", "ZRX"))
                } else {
                    let error = await refusal { try await market.plan(market.send("1", "ZRX")) }
                    #expect(error?.code == "insufficient-fee-token" && error?.exit == .refused)
                }
            }
        }
    }

    @Test("a swap at the chain's own exchange is paid in the token that it sells")
    func ownExchange() async throws {
        let bought = Address(truncating: (UInt256(0x20C0) << 144).word)
        let account = TestMarket.address("0x00000000000000000000000000000000000000a1")
        let arguments: [ABIValue] = [
            .address(Self.own), .address(bought), .uint(5), .uint(4),
        ]
        for name in ["swapExactAmountIn", "swapExactAmountOut"] {
            let data = try ABIFunction("\(name)(address,address,uint128,uint128)")
                .encode(arguments)
            for (contract, payer) in [
                (FeeTokens.exchange, Self.own), (Self.own, FeeTokens.usual),
            ] {
                let market = try market(balances: [Self.own: 7, FeeTokens.usual: 9])
                let request = CallRequest(from: account, to: contract, data: data)
                let payers = try await FeeTokens(session: try market.session()).payers(
                    of: [GasLimit(units: 21_000, needed: 21_000, request: request)]
                )
                #expect(payers.map(\.address) == [payer], "\(name)")
            }
        }
        // Another function there.
        let market = try market(balances: [FeeTokens.usual: 9])
        let place = CallRequest(from: account, to: FeeTokens.exchange, data: [1, 2, 3, 4])
        let payers = try await FeeTokens(session: try market.session()).payers(
            of: [GasLimit(units: 21_000, needed: 21_000, request: place)]
        )
        #expect(payers.map(\.address) == [FeeTokens.usual])
    }

    @Test("50,000 gas at 6 gwei are 300 base units, rounded up")
    func cost() {
        #expect(FeeToken.cost(gas: 50_000, at: Wei(6_000_000_000)) == 300)
        #expect(FeeToken.cost(gas: 50_001, at: Wei(6_000_000_000)) == 301)
        #expect(FeeToken.cost(gas: .max, at: Wei(.max)) == .max)
    }
}
