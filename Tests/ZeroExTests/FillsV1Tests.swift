import Ethereum
import EthereumWallet
import StrictJSON
import Testing

@testable import ZeroEx

/// What can be said of the 62 executed calls without executing them: the sandbox's chain runs them.
@Suite("v1 fills as the contracts executed them")
struct FillsV1Tests {
    private let zeroEx = ZeroExV1()

    private func scenarios() throws -> [JSONValue] {
        let scenarios = try Vectors.fills.array("scenarios")
        #expect(scenarios.count == 62)
        return scenarios
    }

    private func contracts() throws -> ExchangeContracts {
        let json = try Vectors.fills.object("contracts")
        return ExchangeContracts(
            exchange: try json.address("exchange"),
            transferContract: try json.address("tokenTransferProxy"),
            feeToken: try json.address("ZRX")
        )
    }

    private func orders(_ scenario: JSONValue) throws -> [SignedOrderV1] {
        try scenario.array("orders").map { entry in
            try #require(try zeroEx.decodeOrder(entry.object("order")) as? SignedOrderV1)
        }
    }

    @Test("the hashes of all orders")
    func hashes() throws {
        for scenario in try scenarios() {
            let hashes = try scenario.array("orders").map { try $0.text("orderHash") }
            #expect(try orders(scenario).map(\.hash.hex) == hashes)
        }
    }

    @Test("the call data is what our calls of the same orders encode to")
    func callData() throws {
        for scenario in try scenarios() {
            let json = try scenario.object("call")
            let data = try json.bytes("data")
            let orders = try orders(scenario)
            let call = try ExchangeCallV1(data: data)
            #expect(call.data == data)
            let name = try json.text("function")
            #expect(call.function.name == name)
            let mode: FillMode =
                json["shouldThrowOnInsufficientBalanceOrAllowance"] == true
                ? .throwing : .skipping
            let made: ExchangeCall
            switch name {
            case "fillOrder":
                let fill = PlannedFill(
                    order: orders[0],
                    takerAmount: try json.number("fillTakerTokenAmount")
                )
                made = zeroEx.fillCall(fill, mode: mode, contracts: try contracts())
            case "fillOrdersUpTo":
                let total = try json.number("fillTakerTokenAmount")
                let fills = orders.map { PlannedFill(order: $0, takerAmount: $0.takerAmount) }
                if fills.count == 1 { continue }
                made = zeroEx.marketCall(
                    fills,
                    total: total,
                    mode: mode,
                    contracts: try contracts()
                )
            case "batchFillOrders":
                let amounts = try json.array("fillTakerTokenAmounts").compactMap {
                    UInt256(decimal: $0.stringValue ?? "")
                }
                let fills = zip(orders, amounts).map { PlannedFill(order: $0, takerAmount: $1) }
                made = zeroEx.batchCall(fills, mode: mode, contracts: try contracts())
            default: continue
            }
            #expect(made.data == data, "\(scenario["name"]?.text ?? "")")
            #expect(made.to == (try contracts().exchange))
            #expect(made.function == name)
            #expect(made.protocolFeeGas == 0)
        }
    }

    @Test("the exchange's logs are read to their fields and written byte for byte")
    func logs() throws {
        var fills = 0
        var cancels = 0
        var errors = 0
        for scenario in try scenarios() {
            let logs = try Self.logs(scenario)
            let events = try zeroEx.events(in: logs, exchange: contracts().exchange)
            let json = try scenario.object("outcome").array("logs")
                .filter { $0["event"] != "Transfer" }
            #expect(events.count == json.count)
            for (event, log) in zip(events, json) {
                let arguments = try log.object("args")
                let hash = OrderHash(try arguments.word("orderHash"))
                switch (event, try log.text("event")) {
                case (.filled(let fill), "LogFill"):
                    fills += 1
                    #expect(fill.orderHash == hash)
                    #expect(fill.maker == (try arguments.address("maker")))
                    #expect(fill.taker == (try arguments.address("taker")))
                    #expect(fill.feeRecipient == (try arguments.address("feeRecipient")))
                    #expect(fill.makerToken == (try arguments.address("makerToken")))
                    #expect(fill.takerToken == (try arguments.address("takerToken")))
                    #expect(fill.makerAmount == (try arguments.number("filledMakerTokenAmount")))
                    #expect(fill.takerAmount == (try arguments.number("filledTakerTokenAmount")))
                    #expect(fill.makerFee == (try arguments.number("paidMakerFee")))
                    #expect(fill.takerFee == (try arguments.number("paidTakerFee")))
                case (.cancelled(let cancel), "LogCancel"):
                    cancels += 1
                    #expect(cancel.orderHash == hash)
                    #expect(cancel.maker == (try arguments.address("maker")))
                    let makerAmount = try arguments.number("cancelledMakerTokenAmount")
                    #expect(cancel.makerAmount == makerAmount)
                    let takerAmount = try arguments.number("cancelledTakerTokenAmount")
                    #expect(cancel.takerAmount == takerAmount)
                case (.skipped(let skipped, let reason), "LogError"):
                    errors += 1
                    #expect(skipped == hash)
                    #expect(
                        UInt256(UInt64(reason.errorID ?? .max)) == (try arguments.number("errorId"))
                    )
                default: Issue.record("\(event) for \(log.text)")
                }
            }
            for log in logs where log.address == (try contracts().exchange) {
                let parsed = try #require(try ExchangeLogV1(topics: log.topics, data: log.data))
                #expect(parsed.encoded.topics == log.topics)
                #expect(parsed.encoded.data == log.data)
            }
        }
        #expect(fills > 30)
        #expect(cancels > 3)
        #expect(errors > 10)
    }

    @Test("maker amounts and fees in the logs are what our arithmetic gives for the taker amount")
    func amounts() throws {
        for scenario in try scenarios() {
            let byHash = Dictionary(
                try orders(scenario).map { ($0.hash, $0) },
                uniquingKeysWith: { first, _ in first }
            )
            let logs = try Self.logs(scenario)
            for event in try zeroEx.events(in: logs, exchange: contracts().exchange) {
                switch event {
                case .filled(let fill):
                    let order = try #require(byHash[fill.orderHash])
                    let amount = fill.takerAmount
                    #expect(zeroEx.makerAmount(of: order, filling: amount) == fill.makerAmount)
                    #expect(zeroEx.takerFee(of: order, filling: amount) == fill.takerFee)
                    #expect(zeroEx.makerFee(of: order, filling: amount) == fill.makerFee)
                    #expect(!zeroEx.hasRoundingError(order, filling: amount))
                case .cancelled(let cancel):
                    let order = try #require(byHash[cancel.orderHash])
                    let amount = zeroEx.makerAmount(of: order, filling: cancel.takerAmount)
                    #expect(amount == cancel.makerAmount)
                case .skipped(let hash, .roundingError):
                    let order = try #require(byHash[hash])
                    let left = try Self.unfilled(scenario, order)
                    #expect(zeroEx.hasRoundingError(order, filling: left))
                case .skipped, .cancelSeen, .pairCancelled: break
                }
            }
        }
    }

    @Test("the return value of a simulated call is read as its filled amount")
    func returnValues() throws {
        for scenario in try scenarios() {
            let outcome = try scenario.object("outcome")
            let data = try scenario.object("call").bytes("data")
            let name = try scenario.object("call").text("function")
            let call = ExchangeCall(
                to: try contracts().exchange,
                data: data,
                gasFloor: GasFloor(0),
                function: name
            )
            guard name == "fillOrder" || name == "fillOrdersUpTo" else {
                #expect(try zeroEx.filledAmount(returned: [], by: call) == nil)
                continue
            }
            guard let text = outcome["returnValue"]?.stringValue else {
                #expect(outcome["status"] == 0)
                continue
            }
            let value = try #require(UInt256(decimal: text))
            #expect(try zeroEx.filledAmount(returned: value.bigEndianBytes, by: call) == value)
            #expect(throws: ExchangeError.self) {
                try zeroEx.filledAmount(returned: Array(value.bigEndianBytes.dropLast()), by: call)
            }
        }
    }

    @Test("a fill that was skipped used less gas than the floor")
    func skippedGas() throws {
        var checked = 0
        for scenario in try scenarios() {
            let call = try scenario.object("call")
            let outcome = try scenario.object("outcome")
            guard try call.text("function") == "fillOrder", outcome["returnValue"] == "0",
                let order = try orders(scenario).first
            else { continue }
            let used = try #require(
                outcome["byBuild"]?["2017"]?["gasUsed"]?.numberText.flatMap { UInt64($0) }
            )
            let fill = PlannedFill(order: order, takerAmount: order.takerAmount)
            let made = zeroEx.fillCall(fill, mode: .throwing, contracts: try contracts())
            #expect(used < made.gasFloor.measured)
            checked += 1
        }
        #expect(checked > 5)
    }

    static func logs(_ scenario: JSONValue) throws -> [Log] {
        try scenario.object("outcome").array("logs").map { log in
            Log(
                address: try log.address("address"),
                topics: try log.array("topics").map { try Bytes32(hex: $0.stringValue ?? "") },
                data: try log.bytes("data")
            )
        }
    }

    /// What the scenario asked of an order that was skipped: all, less what others took.
    private static func unfilled(_ scenario: JSONValue, _ order: SignedOrderV1) throws -> UInt256 {
        let asked = try scenario.object("call").number("fillTakerTokenAmount")
        let filled = UInt256(
            decimal: scenario["outcome"]?["returnValue"]?.stringValue ?? ""
        )
        return min(asked - (filled ?? 0), order.takerAmount)
    }
}
