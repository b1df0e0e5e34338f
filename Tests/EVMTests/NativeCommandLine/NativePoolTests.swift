import DexRelay
import DexTestSupport
import Ethereum
import StrictJSON
import Testing

@testable import ZeroEx

/// The exchange's own fee where each order pays it to another staking pool: gas that a simulation
/// without a price never sees.
@Suite("Orders of many pools on v4, on an EVM", .serialized)
struct NativePoolTests {
    private let zrx = EVMToken.zrx
    private let weth = EVMToken.weth
    private let multiplier: UInt32 = 70_000

    private func scene() -> Scene {
        var scene = Scene.aliceApproved(weth)
        scene.venue = .v4(multiplier: multiplier)
        return scene
    }

    /// An order of 10 ZRX for a little over 0.01 WETH whose fees go to a pool of its own.
    private func order(
        _ stage: EVMStage,
        _ pool: UInt64,
        by maker: Party
    ) async throws -> SignedOrderV4 {
        let exchange = try #require(stage.exchange as? ZeroExV4)
        let terms = LimitOrderV4(
            makerToken: zrx.address,
            takerToken: weth.address,
            makerAmount: try #require(zrx.raw("10").uint128),
            takerAmount: try #require(weth.raw("0.01").uint128) + UInt128(pool),
            maker: try maker.address,
            pool: UInt256(pool).word,
            expiry: Scene.now + 86_400,
            salt: UInt256(pool)
        )
        return try await SignedOrderV4.sign(
            terms,
            in: exchange.domain,
            kind: .ethSign,
            with: maker.signer
        )
    }

    @Test("eight orders of eight pools and three makers are all filled with the gas that is given")
    func eightPools() async throws {
        try await EVMStage.run(scene()) { stage in
            let makers: [Party] = [.bob, .carol, .dave]
            for pool in 1...8 {
                let order = try await order(stage, UInt64(pool), by: makers[pool % 3])
                #expect(try await stage.intake.post(order))
            }
            let bought = try await stage.dex(.alice, "market-buy ZRX/WETH 80")
            #expect(bought.transactions == ["fill mined"])
            #expect(bought.outcomes == Array(repeating: "filled", count: 8))
            #expect(try bought.raw("outcome.received") == zrx("80"))
            let limit = bought.data.at("plan.gas.limit")
            let used = try bought.minedTransactions().map(\.gasUsed).reduce(0, +)
            #expect(used > 790_000, "\(used) of \(limit): the case is as large as the one seen")
        }
    }

    @Test("a single order of a pool that never got a fee is filled")
    func onePool() async throws {
        try await EVMStage.run(scene()) { stage in
            let order = try await order(stage, 9, by: .bob)
            #expect(try await stage.intake.post(order))
            let filled = try await stage.dex(.alice, "fill \(order.hash.hex)")
            #expect(filled.transactions == ["fill mined"])
        }
    }

    @Test("a speedup is given no less gas than the fill that it replaces, which the fee needs")
    func speedup() async throws {
        var scene = scene()
        scene.receiptTimeout = 2
        try await EVMStage.run(scene) { stage in
            let order = try await order(stage, 9, by: .bob)
            #expect(try await stage.intake.post(order))
            try stage.node.call("evm_setAutomine", false)
            let slow = try await stage.dex(.alice, "fill \(order.hash.hex)", exit: 12)
            stage.hooks.after("eth_sendRawTransaction") { [node = stage.node] in
                try node.call("evm_mine")
                try node.call("evm_setAutomine", true)
            }
            let hash = try slow.text("transactions.0.hash")
            let faster = try await stage.dex(.alice, "tx speedup \(hash)")
            #expect(faster.transactions == ["fill mined"])
        }
    }

    @Test("the node reckons with a price that a call names, and wants all of its gas to be owned")
    func pricedCalls() async throws {
        try await EVMStage.run(scene()) { stage in
            let order = try await order(stage, 9, by: .bob)
            let call = stage.exchange.fillCall(
                PlannedFill(order: order, takerAmount: order.takerAmount),
                mode: .skipping,
                contracts: stage.contracts
            )
            let price: UInt256 = 5_000_000_000
            func ask(_ gas: UInt64?, _ names: [String]) throws -> JSONValue {
                var request = JSONObject()
                request["from"] = .string(try Party.alice.address.checksummed)
                request["to"] = .string(call.to.checksummed)
                request["data"] = .string(Hex.encode(call.data))
                request["value"] = .string(call.value(at: Wei(price)).rawValue.quantity)
                request["gas"] = gas.map { .string("0x" + String($0, radix: 16)) }
                for name in names { request[name] = .string(price.quantity) }
                return try stage.node.call("eth_estimateGas", .object(request), "latest")
            }
            let unpriced = try ask(nil, []).quantity()
            let legacy = try ask(nil, ["gasPrice"]).quantity()
            let dynamic = try ask(nil, ["maxFeePerGas", "maxPriorityFeePerGas"]).quantity()
            // A value to a new account: 9,000 + 25,000, and 2,500 for the cold account.
            #expect(legacy > unpriced + 25_000, "\(unpriced), \(legacy)")
            #expect(dynamic == legacy)
            #expect(throws: (any Error).self) { try ask(60_000, ["gasPrice"]) }
        }
    }
}
