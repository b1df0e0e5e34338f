import DexTestSupport
import Ethereum
import StrictJSON
import Testing
import ZeroEx

/// What the blocks charge for what was told, with a base fee and without one.
@Suite("Prices of gas, on an EVM", .serialized)
struct FeesOnEVMTests {
    private let zrx = EVMToken.zrx
    private let weth = EVMToken.weth

    private func sent(_ stage: EVMStage, _ run: CommandRun) throws -> JSONValue {
        let hash = try run.text("transactions.0.hash")
        return try stage.node.call("eth_getTransactionByHash", .string(hash))
    }

    private func wrapped(_ times: Int128) throws -> [String: Int128] {
        let all = try weth("0.1") * times
        return ["alice ETH": -all, "WETH contract ETH": all, "alice WETH": all]
    }

    @Test("a fee history with tips of 20,000 gwei costs a small transfer 3 gwei a unit and no more")
    func lyingHistory() async throws {
        try await EVMStage.run { stage in
            // For each of the three priorities.
            let tips: JSONValue = ["0x12309ce54000", "0x12309ce54000", "0x12309ce54000"]
            stage.hooks.answer(
                "eth_feeHistory",
                with: [
                    "oldestBlock": "0x0", "baseFeePerGas": ["0x7", "0x7"],
                    "gasUsedRatio": [.number("0.5")], "reward": .array([tips]),
                ]
            )
            let bob = try Party.bob.address.checksummed
            let sent = try await stage.dex(.alice, "send ETH 0.0001 \(bob)")
            #expect(sent.transactions == ["send mined"])
            // 21,000 gas at the base fee of 1 gwei and a tip of 3.
            #expect(try sent.raw("transactions.0.cost") <= 21_000 * 4_000_000_000)
            #expect(sent.warnings.contains { $0.contains("20000 gwei") })
        }
    }

    @Test("with a base fee: tips by priority, --max-fee to the wei, and no --gas-price")
    func dynamic() async throws {
        try await EVMStage.run { stage in
            // Blocks whose tips a fee history tells, each higher than the one before.
            for _ in 0..<3 { try stage.send(try await stage.approve(weth, "5", by: .bob)) }
            let before = try stage.ledger()
            let high = try await stage.dex(.alice, "wrap 0.1 --priority high")
            let low = try await stage.dex(.alice, "wrap 0.1 --priority low")
            for (run, priority) in [(high, "high"), (low, "low")] {
                #expect(run.data.at("plan.gas.priority") == .string(priority))
                let sent = try sent(stage, run)
                #expect(sent.at("type") == "0x2")
                for key in ["maxFeePerGas", "maxPriorityFeePerGas"] {
                    #expect(
                        try sent.at(key).quantity().description == run.text("plan.gas.\(key)")
                    )
                }
                #expect(try run.raw("transactions.0.cost") <= run.raw("plan.gas.maxCost"))
                #expect(try run.raw("plan.gas.presentCost") < run.raw("plan.gas.maxCost"))
            }
            let reported = try await stage.dex(.alice, "wrap 0.1 --max-fee 200.000000001")
            #expect(try sent(stage, reported).at("maxFeePerGas").quantity() == 200_000_000_001)
            try stage.expect(wrapped(3), since: before, by: high, low, reported)

            let nothing = try stage.ledger()
            let wrap = ["wrap", "0.1"]
            for (flag, gwei, exit, code) in [
                ("--max-fee", "0.000000001", 6, "max-fee-too-low"),
                ("--max-fee", "100000000", 6, "fee-cap"),
                ("--gas-price", "5", 2, "has-base-fee"),
            ] as [(String, String, Int32, String)] {
                _ = try await stage.dex(
                    .alice,
                    arguments: wrap + [flag, gwei],
                    exit: exit,
                    code: code
                )
            }
            try stage.expect([:], since: nothing)
        }
    }

    @Test("without a base fee: the node's price or --gas-price, from wrap to fill and its approval")
    func legacy() async throws {
        var scene = Scene()
        scene.isLegacy = true
        try await EVMStage.run(scene) { stage in
            let order = try await stage.post(by: .bob, sells: (zrx, "100"), wants: (weth, "0.1"))
            let before = try stage.ledger()
            let usual = try await stage.dex(.alice, "wrap 0.1")
            let suggested = try stage.node.call("eth_gasPrice").quantity()
            let reported = try await stage.dex(.alice, "wrap 0.1 --gas-price 7.000000001")
            for (run, price) in [(usual, suggested), (reported, 7_000_000_001)] {
                let sent = try sent(stage, run)
                #expect(sent.at("type") == "0x0")
                #expect(try sent.at("gasPrice").quantity() == price)
                #expect(run.data.at("plan.gas.priority").isNull)
                #expect(try run.raw("plan.gas.presentCost") == run.raw("plan.gas.maxCost"))
            }
            try stage.expect(wrapped(2), since: before, by: usual, reported)

            let trade = try stage.ledger()
            let fill = try await stage.dex(.alice, "fill \(order.hash.hex) 30 --gas-price 3")
            #expect(fill.transactions == ["approve mined", "fill mined"])
            #expect(try sent(stage, fill).at("gasPrice").quantity() == 3_000_000_000)
            #expect(try fill.raw("outcome.received") == zrx("30"))
            try stage.expect(
                [
                    "alice ZRX": zrx("30"), "alice WETH": weth("-0.03"), "bob ZRX": zrx("-30"),
                    "bob WETH": weth("0.03"), "bob ZRX allowance": zrx("-30"),
                ],
                since: trade,
                by: fill
            )
            for flags in [["--max-fee", "9"], ["--priority", "low"]] {
                _ = try await stage.dex(
                    .alice,
                    arguments: ["wrap", "0.1"] + flags,
                    exit: 2,
                    code: "no-base-fee"
                )
            }
        }
    }

    @Test("without a base fee: what waits is sped up at a price that was told")
    func legacySpeedup() async throws {
        var scene = Scene()
        scene.isLegacy = true
        scene.receiptTimeout = 2
        try await EVMStage.run(scene) { stage in
            let before = try stage.ledger()
            let node = stage.node
            try node.call("evm_setAutomine", false)
            let first = try await stage.dex(.alice, "wrap 0.1 --gas-price 5", exit: 12)
            let hash = try first.text("transactions.0.hash")
            for (gwei, code) in [("5.4", "replacement-too-low"), ("7.6", "replacement-cap")] {
                _ = try await stage.dex(
                    .alice,
                    "tx speedup \(hash) --gas-price \(gwei)",
                    exit: 6,
                    code: code
                )
            }
            stage.hooks.after("eth_sendRawTransaction") {
                try node.call("evm_mine")
                try node.call("evm_setAutomine", true)
            }
            let faster = try await stage.dex(.alice, "tx speedup \(hash) --gas-price 5.5")
            #expect(try sent(stage, faster).at("gasPrice").quantity() == 5_500_000_000)
            try stage.expect(wrapped(1), since: before, by: faster)
        }
    }
}
