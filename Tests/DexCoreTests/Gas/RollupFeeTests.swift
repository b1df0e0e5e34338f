import DexSandbox
import DexSigning
import DexStore
import Ethereum
import EthereumWallet
import Synchronization
import Testing

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("What a rollup takes beside gas is in plans, caps, checks and outcomes")
struct RollupFeeTests {
    /// Wei a byte of the transaction, as these oracles have it.
    private static let byte: UInt256 = 1_000_000_000_000
    /// Wei a unit of the gas limit.
    private static let unit: UInt256 = 1_000

    private final class Oracle: Sendable {
        let asked = Mutex<[[UInt8]]>([])
        let byte = Mutex<UInt256>(RollupFeeTests.byte)

        /// Answers as the oracle of a rollup; nil for anything else.
        func answer(_ read: ChainRead, ratio: UInt256 = 1) -> TamperedNode.Answer? {
            guard case .call(let request, _) = read,
                [RollupOracle.optimism, RollupOracle.scroll].contains(request.to)
            else { return nil }
            func word(_ value: UInt256) -> TamperedNode.Answer {
                .success(.bytes(value.bigEndianBytes))
            }
            let arguments = Array(request.data.dropFirst(4))
            switch Hex.encode(Array(request.data.prefix(4))) {
            case "0x49948e0e":
                let length = UInt256(bigEndian: arguments[32..<64])?.uint64 ?? 0
                let bytes = Array(arguments.dropFirst(64).prefix(Int(length)))
                asked.withLock { $0.append(bytes) }
                return word(byte.withLock { $0 } &* UInt256(length))
            case "0x275aedd2":
                return word(RollupFeeTests.unit &* (UInt256(bigEndian: arguments) ?? 0))
            case "0x06f837d3": return word(ratio)
            default: return nil
            }
        }
    }

    private func market(_ name: String, _ oracle: Oracle) throws -> LiveMarket {
        let market = try LiveMarket.on(chainOf: name)
        market.node.change { read, _ in oracle.answer(read) }
        return market
    }

    @Test(
        "a payment's plan has the data fee with headroom and the operator fee of its limit",
        arguments: ["optimism", "base", "unichain", "worldchain", "ink", "celo", "mantle"]
    )
    func plan(name: String) async throws {
        let oracle = Oracle()
        let market = try market(name, oracle)
        let gas = try await market.plan(market.send("1", "ETH")).content.gas
        let bytes = try #require(oracle.asked.withLock { $0.last })
        // The unsigned bytes of a type-2 transaction.
        #expect(bytes.first == 2)
        let dataFee = Self.byte &* UInt256(UInt64(bytes.count))
        let operatorFee = Self.unit &* UInt256(gas.limit)
        #expect(gas.rollup.present == Wei(dataFee &+ operatorFee))
        #expect(gas.rollup.maximum == Wei(dataFee &* 115 / 100 &+ operatorFee))
        #expect(
            gas.maxCost.rawValue
                == gas.maxFeePerGas.rawValue &* UInt256(gas.limit) &+ gas.rollup.maximum.rawValue
        )
        #expect(gas.presentCost >= gas.rollup.present)
    }

    @Test("Mantle answers in ether, and its coin is worth less")
    func mantle() async throws {
        let oracle = Oracle()
        let market = try LiveMarket.on(chainOf: "mantle")
        market.node.change { read, _ in oracle.answer(read, ratio: 3_000) }
        let gas = try await market.plan(market.send("1", "ETH")).content.gas
        let count = UInt256(UInt64(try #require(oracle.asked.withLock { $0.last }).count))
        let operatorFee = Self.unit &* UInt256(gas.limit)
        #expect(gas.rollup.present == Wei(Self.byte &* count &* 3_000 &+ operatorFee))
    }

    @Test("Scroll's oracle gets signed bytes, and takes no operator fee")
    func scroll() async throws {
        let oracle = Oracle()
        let market = try market("scroll", oracle)
        let gas = try await market.plan(market.send("1", "ETH")).content.gas
        let bytes = try #require(oracle.asked.withLock { $0.last })
        #expect(
            (try? SignedTransaction.transaction(inRaw: bytes))?.value == Wei(TestMarket.units("1"))
        )
        #expect(gas.rollup.present == Wei(Self.byte &* UInt256(UInt64(bytes.count))))
    }

    @Test("an oracle that does not answer is no fee of zero", arguments: ["optimism", "scroll"])
    func silent(name: String) async throws {
        let market = try LiveMarket.on(chainOf: name)
        let empty = await refusal { try await market.plan(market.send("1", "ETH")) }
        #expect(empty?.exit == .unreachable)
        market.node.change { read, _ in
            guard case .call(let request, _) = read, request.data.starts(with: [0x49, 0x94]) else {
                return nil
            }
            return .failure(.reverted(data: [], message: "execution reverted"))
        }
        let reverted = await refusal { try await market.plan(market.send("1", "ETH")) }
        #expect(reverted?.exit == .unreachable)
        market.node.change { read, _ in
            guard case .call(let request, _) = read, request.data.starts(with: [0x49, 0x94]) else {
                return nil
            }
            return .failure(.unreachable(url: "http://node", reason: "gone"))
        }
        #expect(
            await refusal { try await market.plan(market.send("1", "ETH")) }?.exit == .unreachable
        )
    }

    @Test("an older rollup without an operator fee, and a chain without an oracle, take none")
    func less() async throws {
        let oracle = Oracle()
        let market = try LiveMarket.on(chainOf: "optimism")
        market.node.change { read, _ in
            guard case .call(let request, _) = read, request.data.starts(with: [0x27, 0x5a]) else {
                return oracle.answer(read)
            }
            return .failure(.reverted(data: [], message: "execution reverted"))
        }
        let gas = try await market.plan(market.send("1", "ETH")).content.gas
        let count = UInt256(UInt64(try #require(oracle.asked.withLock { $0.last }).count))
        #expect(gas.rollup.present == Wei(Self.byte &* count))
        let unknown = try LiveMarket.on { $0 = .unknown }
        #expect(try await unknown.plan(unknown.send("1", "ETH")).content.gas.rollup == .none)
        unknown.node.change { read, _ in oracle.answer(read) }
        #expect(try await unknown.plan(unknown.send("1", "ETH")).content.gas.rollup != .none)
        let ethereum = try LiveMarket.on(chainOf: "mainnet")
        let rounds = ethereum.node.rounds.count
        #expect(try await ethereum.plan(ethereum.send("1", "ETH")).content.gas.rollup == .none)
        #expect(ethereum.node.rounds.count == rounds + 1)
    }

    @Test("ether that covers the gas and not the data fee is too little")
    func ether() async throws {
        let oracle = Oracle()
        let market = try market("optimism", oracle)
        let owned = try await market.ether(of: market.trader.address)
        let gas = try await market.plan(market.send("1", "ETH")).content.gas
        let gasAlone = gas.maxCost.rawValue - gas.rollup.maximum.rawValue
        let amount = DecimalText.format(owned - gasAlone, decimals: 18)
        let error = await refusal { try await market.plan(market.send(amount, "ETH")) }
        #expect(error?.code == "insufficient-ether" && error?.exit == .refused)
        let less = DecimalText.format(
            owned - gasAlone - 2 * gas.rollup.maximum.rawValue,
            decimals: 18
        )
        #expect(try await market.plan(market.send(less, "ETH")).content.gas.limit == gas.limit)
    }

    @Test("the cap of the settings counts it, and an absurd one is refused")
    func cap() async throws {
        let oracle = Oracle()
        let market = try market("optimism", oracle)
        let gas = try await market.plan(market.send("1", "ETH")).content.gas
        let model = try market.transfers { $0.feeCap = Wei(gas.rollup.maximum.rawValue - 1) }
        let error = await refusal {
            try await model.plan(market.send("1", "ETH"), account: market.trader.address)
        }
        #expect(error?.code == "fee-cap")
        oracle.byte.withLock { $0 = UInt256.max / 1_000 }
        let absurd = await refusal { try await market.plan(market.send("1", "ETH")) }
        #expect(absurd?.code == "fee-cap" && absurd?.exit == .refused)
    }

    @Test("it is asked again right before the signature; more than was confirmed stops it")
    func rose() async throws {
        let oracle = Oracle()
        let market = try market("optimism", oracle)
        let model = try market.transfers()
        let planned = try await model.plan(market.send("1", "ETH"), account: market.trader.address)
        let before = oracle.asked.withLock { $0.count }
        oracle.byte.withLock { $0 = $0 &* 1_000 }
        let error = await refusal { try await model.execute(planned, signer: market.signer) }
        #expect(error?.code == "fees-rose" && error?.exit == .refused)
        #expect(market.node.sent.isEmpty)
        #expect(oracle.asked.withLock { $0.count } > before)
    }

    @Test("the outcome, the journal and the status have what the receipt says of it")
    func outcome() async throws {
        let oracle = Oracle()
        let market = try LiveMarket.on(chainOf: "optimism")
        market.node.change { read, answer in
            if case .success(.receipt(let receipt?)) = answer {
                return .success(.receipt(receipt.with(rollupFee: Wei(777))))
            }
            return oracle.answer(read)
        }
        let outcome = try await market.transfer(market.send("1", "ETH"))
        let sent = try #require(outcome.transactions.last)
        let receipt = try #require(
            try await market.node.read(.receipt(sent.hash))
        )
        let gas = try #require(receipt.effectiveGasPrice?.multiplied(by: UInt256(receipt.gasUsed)))
        #expect(sent.cost == gas.adding(Wei(777)))
        #expect(receipt.networkFee(hasRollupFee: true) == sent.cost)
        let other = try market.journal.otherGas(
            chainID: 1337,
            sender: market.trader.address,
            since: nil,
            hasRollupFee: true
        )
        #expect(other.total == sent.cost)
    }

    @Test("a receipt that does not name the fee is of unknown cost, and says so")
    func unread() async throws {
        let oracle = Oracle()
        let market = try market("optimism", oracle)
        let outcome = try await market.transfer(market.send("1", "ETH"))
        let sent = try #require(outcome.transactions.last)
        #expect(sent.stage == .confirmed && sent.gasUsed != nil && sent.cost == nil)
        #expect(
            market.clock.warnings.contains { $0.hasPrefix("What \(sent.hash) cost is unknown") }
        )
        let session = try market.session()
        let context = ReadContext(
            session: session,
            journal: market.journal,
            settings: ReadSettings()
        )
        guard case .transaction(let status) = try await StatusModel(context).load(sent.hash.word)
        else {
            Issue.record("no transaction")
            return
        }
        #expect(status.cost == nil)
        let history = try await HistoryModel(session: session, journal: market.journal)
            .load(market.trader.address)
        #expect(history.otherGas == nil)
        #expect(history.warnings.contains { $0.hasPrefix("What one transaction cost is unknown") })
        let activity = try await ActivityModel(session: session, journal: market.journal)
            .load(market.trader.address)
        #expect(!activity.rows.isEmpty && activity.rows.allSatisfy { $0.gas == nil })
    }

    @Test("a limit that names the coin counts it, before and at the signature")
    func limits() async throws {
        let oracle = Oracle()
        let market = try market("optimism", oracle)
        let planned = try await market.plan(market.send("1", "ETH"))
        let gas = planned.content.gas
        let gasAlone = gas.maxFeePerGas.rawValue &* UInt256(gas.limit)
        var policy = Policy(source: "policy.toml", coin: .ether)
        policy.perTrade = [.ether: TestMarket.units("1") &+ gasAlone]
        let model = try market.transfers()
        let error = await refusal {
            try await model.execute(
                planned,
                signer: market.authorized(LocalKey(market.trader), policy: policy)
            )
        }
        #expect(error?.code == "policy" && market.node.sent.isEmpty)
        policy.perTrade = [.ether: TestMarket.units("1") &+ gasAlone &+ gas.rollup.maximum.rawValue]
        _ = try await model.execute(
            planned,
            signer: market.authorized(LocalKey(market.trader), policy: policy)
        )
        #expect(market.node.sent.count == 1)
        policy.perTrade = [:]
        policy.maximumFee = Wei(gasAlone)
        let second = try await market.plan(market.send("1", "ETH"))
        let fee = await refusal {
            try await model.execute(
                second,
                signer: market.authorized(LocalKey(market.trader), policy: policy)
            )
        }
        #expect(fee?.message.hasPrefix("The rule max_fee") == true)
    }
}

extension TransactionReceipt {
    fileprivate func with(rollupFee: Wei) -> TransactionReceipt {
        TransactionReceipt(
            transactionHash: transactionHash,
            blockNumber: blockNumber,
            blockHash: blockHash,
            from: from,
            to: to,
            succeeded: succeeded,
            gasUsed: gasUsed,
            effectiveGasPrice: effectiveGasPrice,
            rollupFee: rollupFee,
            logs: logs
        )
    }
}
