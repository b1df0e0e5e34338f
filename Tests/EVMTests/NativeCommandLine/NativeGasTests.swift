import DexRelay
import DexTestSupport
import Ethereum
import StrictJSON
import Testing
import ZeroEx

/// What calls of v4 use, against what `dex` gives them at least.
@Suite("Least gas on v4, on an EVM", .serialized)
struct NativeGasTests {
    private let zrx = EVMToken.zrx
    private let weth = EVMToken.weth

    /// A call that is measured.
    private struct Measured {
        let name: String
        let sender: Party
        let call: ExchangeCall
        /// How many logs the exchange has to leave.
        let events: Int
    }

    /// So many orders, of the makers in turn, which all give 10 ZRX for WETH.
    private func fills(
        _ stage: EVMStage,
        of makers: [Party],
        fees: [Party?] = [nil]
    ) async throws -> [PlannedFill] {
        var fills: [PlannedFill] = []
        for (index, maker) in makers.enumerated() {
            let recipient = fees[index % fees.count]
            let order = try await stage.order(
                by: maker,
                sells: (zrx, "10"),
                wants: (weth, "0.01"),
                fees: OrderFees(
                    recipient: recipient?.address ?? .zero,
                    makerFee: 0,
                    takerFee: recipient == nil ? 0 : weth.raw("0.0001")
                )
            )
            fills.append(PlannedFill(order: order, takerAmount: try weth.raw("0.01")))
        }
        return fills
    }

    /// Sends a call with its least gas as all that it has.
    ///
    /// It has to be enough, and not much more than the call uses.
    private func check(_ measured: Measured, _ stage: EVMStage) async throws {
        let call = measured.call
        var receipts: [JSONValue] = []
        for limit in [3_000_000, call.gasFloor.measured] {
            let id = try stage.node.call("evm_snapshot")
            let raw = try await stage.transaction(
                by: measured.sender,
                to: call.to,
                data: call.data,
                gasLimit: limit,
                protocolFeeGas: call.protocolFeeGas
            )
            let hash = JSONValue.string(try stage.send(raw))
            receipts.append(try stage.node.call("eth_getTransactionReceipt", hash))
            try stage.node.call("evm_revert", id)
        }
        let used = try receipts[0].at("gasUsed").quantity()
        let words = "\(measured.name): \(used) of \(call.gasFloor.measured)"
        #expect(receipts[0].at("status") == "0x1", "\(words)")
        #expect(Int128(call.gasFloor.measured) * 100 <= used * 125, "\(words)")
        #expect(receipts[1].at("status") == "0x1", "\(words)")
        let address = JSONValue.string(stage.contracts.exchange.lowercaseHex)
        let events = try receipts[1].list("logs").count { $0.at("address") == address }
        // A batch passes over what runs out of gas.
        #expect(events == measured.events, "\(words)")
    }

    @Test(
        "fills of one and of several makers, with and without fees, have enough gas by the least",
        arguments: [0, 70_000] as [UInt32]
    )
    func fills(_ multiplier: UInt32) async throws {
        var scene = Scene()
        scene.venue = .v4(multiplier: multiplier)
        for party in Party.traders {
            for token in scene.tokens { scene.allowances[.init(party, token)] = "1000000" }
        }
        let shapes: [(name: String, makers: [Party], fees: [Party?])] = [
            ("one", [.bob], [nil]),
            ("one, for a fee", [.bob], [.relay]),
            ("two of one maker", [.bob, .bob], [nil]),
            ("two of two makers", [.bob, .carol], [nil]),
            ("five of one maker", Array(repeating: .bob, count: 5), [nil]),
            ("six of three makers", [.bob, .carol, .alice, .bob, .carol, .alice], [nil]),
            ("three for fees to one", [.bob, .carol, .bob], [.relay]),
            ("four for fees to two", [.bob, .carol, .bob, .alice], [.relay, .coinbase]),
            ("ten of one maker", Array(repeating: .bob, count: 10), [nil]),
        ]
        try await EVMStage.run(scene) { stage in
            for shape in shapes {
                let fills = try await fills(stage, of: shape.makers, fees: shape.fees)
                let call = stage.exchange.batchCall(
                    fills,
                    mode: .skipping,
                    contracts: stage.contracts
                )
                try await check(
                    Measured(
                        name: "\(shape.name), multiplier \(multiplier)",
                        sender: .dave,
                        call: call,
                        events: fills.count
                    ),
                    stage
                )
            }
        }
    }

    @Test("cancels of orders and of pairs have enough gas by the least")
    func cancels() async throws {
        var scene = Scene()
        scene.venue = .v4()
        try await EVMStage.run(scene) { stage in
            for count in [1, 2, 5, 20] {
                let fills = try await fills(stage, of: Array(repeating: .bob, count: count))
                try await check(
                    Measured(
                        name: "\(count) orders cancelled",
                        sender: .bob,
                        call: stage.exchange.cancelCall(
                            fills.map(\.order),
                            contracts: stage.contracts
                        ),
                        events: count
                    ),
                    stage
                )
            }
            for count in [1, 2, 5] {
                let pairs = try (0..<count).map { index in
                    PairCancel(
                        maker: try Party.bob.address,
                        makerToken: World.address(UInt64(1_000 * count + index)),
                        takerToken: weth.address,
                        minimumSalt: 1_000
                    )
                }
                let call = stage.exchange.pairCancelCall(pairs, contracts: stage.contracts)
                try await check(
                    Measured(
                        name: "\(count) pairs cancelled",
                        sender: .bob,
                        call: try #require(call),
                        events: count
                    ),
                    stage
                )
            }
        }
    }
}
