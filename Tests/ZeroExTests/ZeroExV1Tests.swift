import Ethereum
import EthereumWallet
import Testing

@testable import ZeroEx

@Suite("v1 behind the seam")
struct ZeroExV1Tests {
    private let zeroEx = ZeroExV1()
    private let contracts = ExchangeContracts(
        exchange: SampleOrder.address(0xE1),
        transferContract: SampleOrder.address(0xE2),
        feeToken: SampleOrder.address(0xE3)
    )

    private func fill(
        _ amount: UInt256 = 200,
        maker: UInt64 = 0xA1,
        fees: Bool = false
    ) throws -> PlannedFill {
        var sample = SampleOrder()
        sample.draft.maker = SampleOrder.address(maker)
        if fees {
            sample.draft.fees = OrderFees(
                recipient: SampleOrder.address(0xFE),
                makerFee: 1,
                takerFee: 1
            )
        }
        return PlannedFill(order: try sample.unsigned, takerAmount: amount)
    }

    // MARK: Contracts

    @Test("the exchange is asked for its fee token and its proxy")
    func contractsOfAnExchange() throws {
        let calls = zeroEx.contractCalls(exchange: contracts.exchange)
        #expect(calls.map(\.data) == [[0x3b, 0x30, 0xba, 0x59], [0xad, 0xd1, 0xcb, 0xc5]])
        #expect(calls.allSatisfy { $0.to == contracts.exchange })
        let answers = [SampleOrder.address(0xE3).word.bytes, SampleOrder.address(0xE2).word.bytes]
        #expect(
            try zeroEx.contracts(exchange: contracts.exchange, answers: answers) == contracts
        )
    }

    @Test("what does not answer with two addresses is no exchange")
    func notAnExchange() {
        let good = SampleOrder.address(1).word.bytes
        let dirty = [1] + good.dropFirst()
        for answers in [
            [], [good], [good, []], [good, Bytes32.zero.bytes], [dirty, good],
            [good, good + [0]], [good, good, good],
        ] {
            #expect(throws: ExchangeError.notAnExchange(contracts.exchange, .v1)) {
                try zeroEx.contracts(exchange: contracts.exchange, answers: answers)
            }
        }
    }

    @Test("an exchange that the proxy does not authorize is not ready")
    func readiness() throws {
        let calls = zeroEx.readinessCalls(contracts)
        #expect(calls.map(\.to) == [contracts.transferContract])
        #expect(calls[0].data == ExchangeCallV1.authorized(contracts.exchange).data)
        try zeroEx.checkReadiness(contracts, answers: [UInt256(1).word.bytes])
        for answers in [[Bytes32.zero.bytes]] {
            #expect(
                throws: ExchangeError.notAuthorized(
                    exchange: contracts.exchange,
                    transferContract: contracts.transferContract
                )
            ) { try zeroEx.checkReadiness(contracts, answers: answers) }
        }
        // What a node of another chain answers says nothing of the proxy.
        for answers in [[], [[]], [UInt256(2).word.bytes]] as [[[UInt8]]] {
            #expect(
                throws: ExchangeError.unreadableAnswer("whether the exchange may move tokens")
            ) { try zeroEx.checkReadiness(contracts, answers: answers) }
        }
    }

    // MARK: States

    @Test("one call an order tells what remains, two tell filled and cancelled apart")
    func states() throws {
        let orders = [try SampleOrder().unsigned, try SampleOrder(100, 300).unsigned]
        let full = zeroEx.stateCalls(of: orders, contracts: contracts)
        #expect(
            full.map(\.data) == [
                ExchangeCallV1.filled(orders[0].hash).data,
                ExchangeCallV1.cancelled(orders[0].hash).data,
                ExchangeCallV1.filled(orders[1].hash).data,
                ExchangeCallV1.cancelled(orders[1].hash).data,
            ]
        )
        let answers = ([20, 30, 0, 300] as [UInt256]).map(\.bigEndianBytes)
        #expect(
            try zeroEx.states(of: orders, answers: answers) == [
                OrderState(filled: 20, cancelled: 30, remaining: 150),
                OrderState(filled: 0, cancelled: 300, remaining: 0),
            ]
        )
        let few = zeroEx.stateCalls(of: orders, contracts: contracts, detail: .remaining)
        #expect(
            few.map(\.data)
                == orders.map {
                    ExchangeCallV1.getUnavailableTakerTokenAmount($0.hash).data
                }
        )
        let used = ([50, 301] as [UInt256]).map(\.bigEndianBytes)
        #expect(
            try zeroEx.states(of: orders, answers: used, detail: .remaining).map(\.remaining)
                == [150, 0]
        )
    }

    @Test("amounts that overflow leave nothing, answers that are no words are an error")
    func hostileStates() throws {
        let orders = [try SampleOrder().unsigned]
        let largest = UInt256.max.bigEndianBytes
        let state = try zeroEx.states(of: orders, answers: [largest, largest])
        #expect(state[0].remaining == 0)
        for answers in [[], [largest], [largest, []], [largest, largest + [0]]] as [[[UInt8]]] {
            #expect(throws: ExchangeError.self) {
                try zeroEx.states(of: orders, answers: answers)
            }
        }
    }

    // MARK: Calls

    @Test("a market call over several orders is fillOrdersUpTo, over one it is fillOrder")
    func marketCall() throws {
        let fills = [try fill(), try fill(maker: 0xA2)]
        let many = zeroEx.marketCall(fills, total: 250, mode: .skipping, contracts: contracts)
        guard case .fillOrdersUpTo(let orders, 250, false, _) = try ExchangeCallV1(data: many.data)
        else { throw VectorError(what: many.function) }
        #expect(orders.addresses.map(\.maker) == fills.map(\.order.maker))
        #expect(many.function == "fillOrdersUpTo")

        let one = zeroEx.marketCall([fills[0]], total: 150, mode: .throwing, contracts: contracts)
        guard case .fillOrder(_, _, 150, true, _) = try ExchangeCallV1(data: one.data) else {
            throw VectorError(what: one.function)
        }
        let capped = zeroEx.marketCall(
            [try fill(80)],
            total: 150,
            mode: .throwing,
            contracts: contracts
        )
        guard case .fillOrder(_, _, 80, true, _) = try ExchangeCallV1(data: capped.data) else {
            throw VectorError(what: capped.function)
        }
        #expect(!zeroEx.marketCallCapsEachOrder)
    }

    @Test("a batch call gives each order its own amount")
    func batchCall() throws {
        let fills = [try fill(10), try fill(20, maker: 0xA2)]
        let call = zeroEx.batchCall(fills, mode: .throwing, contracts: contracts)
        guard case .batchFillOrders(_, [10, 20], true, _) = try ExchangeCallV1(data: call.data)
        else { throw VectorError(what: call.function) }
        let one = zeroEx.batchCall([fills[0]], mode: .skipping, contracts: contracts)
        #expect(one.function == "fillOrder")
        #expect(try zeroEx.filledAmount(returned: [], by: call) == nil)
    }

    @Test("a cancel takes the whole of each order")
    func cancelCall() throws {
        let orders = [try SampleOrder().unsigned, try SampleOrder(1, 70).unsigned]
        let one = zeroEx.cancelCall([orders[0]], contracts: contracts)
        guard case .cancelOrder(_, _, 200) = try ExchangeCallV1(data: one.data) else {
            throw VectorError(what: one.function)
        }
        let many = zeroEx.cancelCall(orders, contracts: contracts)
        guard case .batchCancelOrders(_, [200, 70]) = try ExchangeCallV1(data: many.data) else {
            throw VectorError(what: many.function)
        }
        #expect(zeroEx.cancelCall([], contracts: contracts).function == "batchCancelOrders")
    }

    @Test("fees without a recipient are passed as the maker signed them")
    func signedFees() throws {
        var sample = SampleOrder()
        sample.draft.fees = OrderFees(recipient: .zero, makerFee: 5, takerFee: 6)
        let planned = PlannedFill(order: try sample.unsigned, takerAmount: 1)
        let call = zeroEx.fillCall(planned, mode: .skipping, contracts: contracts)
        guard case .fillOrder(_, let values, _, _, _) = try ExchangeCallV1(data: call.data) else {
            throw VectorError(what: call.function)
        }
        #expect(values.makerFee == 5)
        #expect(values.takerFee == 6)
    }

    // MARK: Gas

    static let measured: [(mode: FillMode, fees: Bool, gas: [UInt64])] = [
        (
            .throwing, false,
            [
                112_070, 176_991, 241_931, 306_864, 371_791, 436_737, 501_700, 566_633, 631_584,
                696_553,
            ]
        ),
        (
            .skipping, false,
            [
                118_881, 190_637, 262_376, 334_132, 405_870, 477_639, 549_377, 621_145, 693_003,
                764_711,
            ]
        ),
        (
            .throwing, true,
            [
                148_307, 233_377, 318_442, 403_488, 488_552, 573_647, 658_735, 743_805, 828_917,
                914_023,
            ]
        ),
        (
            .skipping, true,
            [
                162_457, 261_701, 360_940, 460_196, 559_398, 658_691, 757_965, 857_161, 956_471,
                1_055_787,
            ]
        ),
    ]

    @Test("the gas floor is within 0.1 % of what the contracts used", arguments: measured)
    func gasOfFills(mode: FillMode, fees: Bool, gas: [UInt64]) throws {
        for (index, used) in gas.enumerated().dropFirst() {
            let fills = try (0...index).map { try fill(maker: UInt64(100 + $0), fees: fees) }
            let call = zeroEx.marketCall(
                fills,
                total: .max,
                mode: mode,
                contracts: contracts
            )
            #expect(abs(Int64(call.gasFloor.measured) - Int64(used)) * 1000 < Int64(used))
        }
    }

    @Test("single fills and cancels have the gas that was measured")
    func gasOfSingleCalls() throws {
        let singles: [(FillMode, Bool, Int64)] = [
            (.throwing, false, 108_978), (.throwing, true, 145_215), (.skipping, false, 115_765),
            (.skipping, true, 159_377),
        ]
        for (mode, fees, used) in singles {
            let call = zeroEx.fillCall(try fill(fees: fees), mode: mode, contracts: contracts)
            #expect(abs(Int64(call.gasFloor.measured) - used) * 1000 < used)
        }
        let order = try SampleOrder().unsigned
        let cancels: [(Int, Int64)] = [(1, 55_639), (2, 92_219), (5, 196_124), (10, 369_400)]
        for (count, used) in cancels {
            let orders = Array(repeating: order, count: count)
            let call = zeroEx.cancelCall(orders, contracts: contracts)
            #expect(abs(Int64(call.gasFloor.measured) - used) * 1000 < used)
        }
    }

    @Test("one more order never takes more gas than is set aside for it, nor half as much")
    func gasPerOrder() throws {
        let fills = [try fill(fees: true), try fill(maker: 0xA2, fees: true)]
        let floors = [1, 2].map { count in
            zeroEx.marketCall(
                Array(fills.prefix(count)),
                total: .max,
                mode: .skipping,
                contracts: contracts
            ).gasFloor.measured
        }
        // 17,100 for a balance that was zero.
        let mostExpensive = floors[1] - floors[0] + 17_100
        #expect(mostExpensive <= zeroEx.gasPerOrder.measured)
        #expect(zeroEx.gasPerOrder.measured < 2 * mostExpensive)
    }

    @Test("only orders that the total reaches count, and one maker's second order costs less")
    func gasOfSpares() throws {
        let fills = [try fill(), try fill(maker: 0xA2), try fill(maker: 0xA3)]
        let floor = { (fills: [PlannedFill], total: UInt256) in
            zeroEx.marketCall(
                fills,
                total: total,
                mode: .skipping,
                contracts: contracts
            ).gasFloor.measured
        }
        #expect(floor(fills, 400) == floor(Array(fills.prefix(2)), 400))
        #expect(floor(fills, 401) > floor(fills, 400))
        let sameMaker = [fills[0], fills[0], fills[0]]
        #expect(floor(sameMaker, 600) + 2 * 11_600 == floor(fills, 600))
    }

    // MARK: Events

    @Test("the filter finds fills and cancels of a maker, or of all")
    func filter() {
        let maker = SampleOrder.address(0xA1)
        let filter = zeroEx.eventFilter(
            maker: maker,
            from: .number(5),
            to: .latest,
            exchange: contracts.exchange
        )
        let names = [ExchangeLogV1.fillTopic, ExchangeLogV1.cancelTopic]
        #expect(filter.topics == [names, [maker.word]])
        #expect(filter.addresses == [contracts.exchange])
        #expect(filter.fromBlock == .number(5))
        let all = zeroEx.eventFilter(
            maker: nil,
            from: .earliest,
            to: .latest,
            exchange: contracts.exchange
        )
        #expect(all.topics == [names])
    }

    @Test("the fee token is the exchange's ZRX")
    func feeToken() throws {
        let order = try SampleOrder().unsigned
        #expect(zeroEx.feeToken(of: order, contracts: contracts) == SampleOrder.address(0xE3))
        #expect(zeroEx.version == .v1)
    }
}
