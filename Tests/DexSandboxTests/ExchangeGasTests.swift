import DexSandbox
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

/// The table of docs/protocol: gas used on the genuine contracts (2017 build, Prague), distinct
/// makers, no balance zero before, unlimited allowances, a plain token against WETH9.
@Suite("Gas of calls with many orders")
struct ExchangeGasTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let name: String
        let hasFees: Bool
        let gas: [UInt64]
        let call: @Sendable (ExchangeCallV1.Orders, ExchangeCallV1.Signatures) -> ExchangeCallV1

        var testDescription: String { name }
    }

    /// Each order is filled by its half, so `fillOrdersUpTo` is asked for all that N orders hold.
    static let rows = [
        Row(
            name: "fillOrdersUpTo true, no fees",
            hasFees: false,
            gas: [
                112_070, 176_991, 241_931, 306_864, 371_791, 436_737, 501_700, 566_633, 631_584,
                696_553,
            ],
            call: { .fillOrdersUpTo($0, fill: total($0), shouldThrow: true, $1) }
        ),
        Row(
            name: "fillOrdersUpTo false, no fees",
            hasFees: false,
            gas: [
                118_881, 190_637, 262_376, 334_132, 405_870, 477_639, 549_377, 621_145, 693_003,
                764_711,
            ],
            call: { .fillOrdersUpTo($0, fill: total($0), shouldThrow: false, $1) }
        ),
        Row(
            name: "fillOrdersUpTo true, both fees",
            hasFees: true,
            gas: [
                148_307, 233_377, 318_442, 403_488, 488_552, 573_647, 658_735, 743_805, 828_917,
                914_023,
            ],
            call: { .fillOrdersUpTo($0, fill: total($0), shouldThrow: true, $1) }
        ),
        Row(
            name: "fillOrdersUpTo false, both fees",
            hasFees: true,
            gas: [
                162_457, 261_701, 360_940, 460_196, 559_398, 658_691, 757_965, 857_161, 956_471,
                1_055_787,
            ],
            call: { .fillOrdersUpTo($0, fill: total($0), shouldThrow: false, $1) }
        ),
        Row(
            name: "batchFillOrKillOrders, no fees",
            hasFees: false,
            gas: [
                118_819, 190_374, 261_936, 333_503, 405_041, 476_646, 548_244, 619_813, 691_448,
                763_041,
            ],
            call: { .batchFillOrKillOrders($0, fills: $0.values.map(\.takerAmount), $1) }
        ),
    ]

    static func total(_ orders: ExchangeCallV1.Orders) -> UInt256 {
        orders.values.map(\.takerAmount).reduce(0, +)
    }

    @Test("a fill of one to ten orders uses the measured gas within 6 %", arguments: rows)
    func fills(_ row: Row) async throws {
        let test = try TestChain()
        let fees = OrderFees(
            recipient: TestChain.feeRecipient,
            makerFee: ether,
            takerFee: 2 * ether
        )
        let orders = try test.makers.map {
            try test.order(by: $0, fees: row.hasFees ? fees : .none)
        }
        for (index, expected) in row.gas.enumerated() {
            let some = orders.prefix(index + 1)
            let call = row.call(
                ExchangeCallV1.Orders(some.map(\.terms)),
                ExchangeCallV1.Signatures(some.map(\.signature))
            )
            // A chain of its own for each, so that every order is fresh.
            let fresh = try TestChain()
            let receipt = try await fresh.send(
                from: fresh.alice,
                to: TestChain.exchange,
                data: call.data,
                gas: 2_000_000
            )
            #expect(receipt.succeeded)
            let difference = max(receipt.gasUsed, expected) - min(receipt.gasUsed, expected)
            #expect(
                difference * 100 <= 6 * expected,
                "\(index + 1) orders: \(receipt.gasUsed) instead of \(expected)"
            )
        }
    }

    @Test("cancelling one to ten own orders uses the measured gas within 6 %")
    func cancels() async throws {
        let gas: [UInt64] = [
            57_582, 92_219, 126_849, 161_472, 196_124, 230_769, 265_419, 300_074, 334_722, 369_400,
        ]
        for (index, expected) in gas.enumerated() {
            let test = try TestChain()
            let orders = try (0...index).map {
                try test.order(by: test.makers[0], salt: UInt256(UInt64($0)))
            }
            let receipt = try await test.send(
                from: test.makers[0],
                to: TestChain.exchange,
                data: ExchangeCallV1.batchCancelOrders(
                    ExchangeCallV1.Orders(orders.map(\.terms)),
                    cancels: orders.map(\.takerAmount)
                ).data,
                gas: 1_000_000
            )
            #expect(receipt.succeeded)
            #expect(receipt.logs.count == index + 1)
            let difference = max(receipt.gasUsed, expected) - min(receipt.gasUsed, expected)
            #expect(
                difference * 100 <= 6 * expected,
                "\(index + 1) orders: \(receipt.gasUsed) instead of \(expected)"
            )
        }
    }

    @Test("an estimate is the least gas that succeeds, and one less fails")
    func estimate() async throws {
        let test = try TestChain()
        let order = try test.order(by: test.makers[0])
        var request = CallRequest(
            from: test.alice.address,
            to: TestChain.exchange,
            data: TestChain.fill(order, ether)
        )
        let estimate = try await test.client.read(.estimateGas(request))
        request.gas = estimate
        #expect(UInt256(bigEndian: try await test.client.call(request)) == ether)
        request.gas = estimate - 1
        let error = await chainError { _ = try await test.client.call(request) }
        #expect(error != nil)
        let receipt = try await test.send(
            from: test.alice,
            to: TestChain.exchange,
            data: request.data,
            gas: estimate
        )
        #expect(receipt.succeeded)
        #expect(receipt.logs.count == 3)
        #expect(receipt.gasUsed <= estimate)
    }

    @Test("an estimate of a plain transfer is 21,000, of one that reverts an error with its data")
    func estimateEdges() async throws {
        let test = try TestChain()
        let transfer = CallRequest(from: test.alice.address, to: test.bob.address, data: [])
        #expect(try await test.client.read(.estimateGas(transfer)) == 21_000)
        let revert = CallRequest(
            from: test.alice.address,
            to: TestChain.dai,
            data: ERC20.transfer(to: test.bob.address, amount: 5_000 * ether)
        )
        let reverted = await chainError { _ = try await test.client.read(.estimateGas(revert)) }
        #expect(reverted == .reverted(data: [], message: "execution reverted"))
        let burning = CallRequest(
            from: test.alice.address,
            to: TestChain.exchange,
            data: [1, 2, 3, 4]
        )
        let invalid = await chainError { _ = try await test.client.read(.estimateGas(burning)) }
        #expect(invalid == .reverted(data: [], message: "invalid opcode: INVALID"))
        var poor = CallRequest(
            from: test.alice.address,
            to: TestChain.weth,
            data: ERC20.call("deposit()"),
            value: Wei(ether)
        )
        poor.gas = 25_000
        let short = await chainError { _ = try await test.client.read(.estimateGas(poor)) }
        #expect(short == .reverted(data: [], message: "gas required exceeds allowance (25000)"))
    }
}
