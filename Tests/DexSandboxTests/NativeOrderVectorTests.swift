import EVM
import Ethereum
import StrictJSON
import Testing

@testable import DexSandbox
@testable import ZeroEx

/// Every v4 vector, run as the call that it was.
@Suite("The v4 vectors executed on the compiled contracts")
struct NativeOrderVectorTests {
    @Test("29 calls one after the other return, log and revert as the contracts did")
    func calls() throws {
        let json = NativeOrderVectors.calls
        let vectors = try #require(json["calls"]?.arrayValue)
        #expect(vectors.count == 29)
        let exchange = try NativeOrderVectors.address(json["exchangeProxy"])
        let first = try ExchangeCallV4(
            data: Hex.decode(vectors[0]["calldata"]?.stringValue ?? "")
        )
        guard case .limit(.fill(let order, _, _)) = first else {
            Issue.record("the first vector fills no limit order")
            return
        }
        let taker = try NativeOrderVectors.address(vectors[0]["from"])
        let stage = try ContractStage(
            NativeOrderVectors.genesis(
                chainID: number(json["chainId"]),
                exchange: exchange,
                tokens: [order.makerToken, order.takerToken],
                owners: [order.maker, taker]
            )
        )
        var returned = 0
        var reverted = 0
        var logs = 0
        for vector in vectors {
            let name = vector["name"]?.stringValue ?? ""
            let from = try vector["from"].map { try NativeOrderVectors.address($0) }
            let run = try stage.run(
                from: from ?? taker,
                to: exchange,
                Hex.decode(vector["calldata"]?.stringValue ?? "")
            )
            let data = Hex.encode(run.output)
            switch run.ending {
            case .succeeded:
                let wanted = vector["returnData"] ?? vector["returns"]?["data"]
                #expect(data == wanted?.stringValue, "\(name)")
                returned += 1
            case .reverted:
                #expect(data == vector["revertData"]?.stringValue, "\(name)")
                reverted += 1
            case .failed:
                Issue.record("\(name): \(run.failure)")
            }
            let emitted = run.logs.filter { $0.address == exchange }
            let wanted = vector["logs"]?.arrayValue ?? []
            #expect(emitted.count == wanted.count, "\(name)")
            for (log, expected) in zip(emitted, wanted) {
                #expect(
                    log.topics.map(\.hex) == expected["topics"]?.arrayValue?.map(\.stringValue),
                    "\(name)"
                )
                #expect(Hex.encode(log.data) == expected["data"]?.stringValue, "\(name)")
                logs += 1
            }
        }
        #expect(returned == 19)
        #expect(reverted == 10)
        #expect(logs == 13)
    }

    @Test("36 limit orders have the vectors' hashes, both signatures hold, and who may fills them")
    func limitOrders() throws {
        let vectors = try #require(NativeOrderVectors.orders["limitOrders"]?.arrayValue)
        #expect(vectors.count == 36)
        var fills = 0
        for vector in vectors {
            let json = try #require(vector["order"])
            let order = LimitOrderV4(
                makerToken: try NativeOrderVectors.address(json["makerToken"]),
                takerToken: try NativeOrderVectors.address(json["takerToken"]),
                makerAmount: try amount(json["makerAmount"]),
                takerAmount: try amount(json["takerAmount"]),
                takerTokenFeeAmount: try amount(json["takerTokenFeeAmount"]),
                maker: try NativeOrderVectors.address(json["maker"]),
                taker: try NativeOrderVectors.address(json["taker"]),
                sender: try NativeOrderVectors.address(json["sender"]),
                feeRecipient: try NativeOrderVectors.address(json["feeRecipient"]),
                pool: try Bytes32(hex: json["pool"]?.stringValue ?? ""),
                expiry: try UInt64(#require(json["expiry"]?.stringValue)) ?? 0,
                salt: try #require(UInt256(decimal: json["salt"]?.stringValue ?? ""))
            )
            let caller = [order.taker, order.sender].first { $0 != .zero } ?? TestChain.coinbase
            let mayFill = order.sender == .zero || order.sender == caller
            fills += try check(vector, order, caller: caller, mayFill: mayFill) {
                ExchangeCallV4.limit($0)
            }
        }
        #expect(fills > 0)
    }

    @Test("12 RFQ orders have the vectors' hashes, both signatures hold, and who may fills them")
    func rfqOrders() throws {
        let vectors = try #require(NativeOrderVectors.orders["rfqOrders"]?.arrayValue)
        #expect(vectors.count == 12)
        var fills = 0
        for vector in vectors {
            let json = try #require(vector["order"])
            let order = RfqOrderV4(
                makerToken: try NativeOrderVectors.address(json["makerToken"]),
                takerToken: try NativeOrderVectors.address(json["takerToken"]),
                makerAmount: try amount(json["makerAmount"]),
                takerAmount: try amount(json["takerAmount"]),
                maker: try NativeOrderVectors.address(json["maker"]),
                taker: try NativeOrderVectors.address(json["taker"]),
                txOrigin: try NativeOrderVectors.address(json["txOrigin"]),
                pool: try Bytes32(hex: json["pool"]?.stringValue ?? ""),
                expiry: try UInt64(#require(json["expiry"]?.stringValue)) ?? 0,
                salt: try #require(UInt256(decimal: json["salt"]?.stringValue ?? ""))
            )
            let mayFill = order.taker == .zero || order.taker == order.txOrigin
            fills += try check(vector, order, caller: order.txOrigin, mayFill: mayFill) {
                ExchangeCallV4.rfq($0)
            }
        }
        #expect(fills > 0)
    }

    private func amount(_ json: JSONValue?) throws -> UInt128 {
        try #require(UInt256(decimal: json?.stringValue ?? "")?.uint128)
    }

    /// Asks for the hash, the states by both signatures, and fills all of the order.
    ///
    /// - Returns: how many fills moved something.
    private func check<Order: NativeOrderV4>(
        _ vector: JSONValue,
        _ order: Order,
        caller: Address,
        mayFill: Bool,
        _ call: (OrderCallV4<Order>) -> ExchangeCallV4
    ) throws -> Int {
        let genesis = NativeOrderVectors.genesis(
            chainID: number(vector["chainId"]),
            exchange: try NativeOrderVectors.address(vector["verifyingContract"]),
            tokens: Array(Set([order.makerToken, order.takerToken])),
            owners: [order.maker, caller]
        )
        let hash = OrderHash(try Bytes32(hex: vector["orderHash"]?.stringValue ?? ""))
        var fills = 0
        for name in ["eip712", "ethSign"] {
            let stage = try ContractStage(genesis)
            func ask(_ asked: OrderCallV4<Order>) throws -> ExchangeAnswerV4 {
                let call = call(asked)
                let run = try stage.run(from: caller, to: genesis.exchangeProxy, call.data)
                return try ExchangeAnswerV4(#require(run.answer), of: call.function)
            }
            #expect(try ask(.hash(order)) == .hash(hash))
            let signature = try NativeOrderVectors.signature(vector["signatures"]?[name])
            guard case .relevantState(let state) = try ask(.relevantState(order, signature)) else {
                Issue.record("no state of \(hash)")
                continue
            }
            #expect(state.info.orderHash == hash)
            #expect(state.isSignatureValid)
            #expect(
                try ask(.batchRelevantStates([order, order], [signature, signature]))
                    == .batchRelevantStates([state, state])
            )
            let expired = order.expiry <= stage.timestamp
            let wanted: OrderStatusV4 =
                order.takerAmount == 0 ? .filled : expired ? .expired : .fillable
            #expect(state.info.status == wanted)
            let fill = try stage.run(
                from: caller,
                to: genesis.exchangeProxy,
                call(.fill(order, signature, amount: .max)).data
            )
            guard wanted == .fillable, mayFill else {
                #expect(fill.ending != .succeeded)
                continue
            }
            let isAll = order.makerAmount > 0
            let amounts = FillAmountsV4(
                taker: isAll ? order.takerAmount : 0,
                maker: isAll ? order.makerAmount : 0
            )
            let function = ExchangeFunctionV4(.fill, Order.kind)
            #expect(try ExchangeAnswerV4(#require(fill.answer), of: function) == .fill(amounts))
            if isAll { fills += 1 }
        }
        return fills
    }
}
