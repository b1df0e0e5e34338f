import Ethereum
import EthereumWallet
import StrictJSON
import Testing

@testable import ZeroEx

@Suite("v4 calls, answers, events and reverts")
struct CallDataV4Tests {
    private static func domain() throws -> ExchangeDomainV4 {
        ExchangeDomainV4(
            chainID: try #require(try Vectors.calldataV4.number("chainId").uint64),
            exchange: try Vectors.calldataV4.address("exchangeProxy")
        )
    }

    @Test("all 29 calls of the vectors are encoded and decoded byte for byte")
    func vectors() throws {
        let calls = try Vectors.calldataV4.array("calls")
        #expect(calls.count == 29)
        for vector in calls {
            let name = try vector.text("name")
            let data = try vector.bytes("calldata")
            let signature = try vector.text("signature")
            let arguments = try vector.array("args")
            let call = try Self.call(signature, arguments)
            #expect(call.data == data, "\(name)")
            #expect(try ExchangeCallV4(data: data) == call, "\(name)")
            #expect(call.function.signature == signature)
            let general = try ABIFunction(signature)
            let values = try zip(arguments, general.inputs).map { try abiValue($0, as: $1) }
            #expect(try general.encode(values) == data, "\(name)")
        }
    }

    @Test("what the vectors' calls returned is decoded and encoded byte for byte")
    func answers() throws {
        var answers = 0
        for vector in try Vectors.calldataV4.array("calls") {
            let call = try ExchangeCallV4(data: vector.bytes("calldata"))
            let data: [UInt8]
            if let returns = vector["returns"] {
                data = try returns.bytes("data")
            } else if try vector.text("status") == "1" {
                data = try vector.bytes("returnData")
            } else {
                continue
            }
            let answer = try ExchangeAnswerV4(data, of: call.function)
            #expect(answer.data == data)
            answers += 1
            for extra in [data + [0], Array(data.dropLast())] where extra.count > 0 {
                #expect(throws: ExchangeError.self) {
                    try ExchangeAnswerV4(extra, of: call.function)
                }
            }
            if case .limit(.hash(let order)) = call {
                #expect(answer == .hash(order.hash(in: try Self.domain())))
            }
            if case .getProtocolFeeMultiplier = call {
                #expect(answer == .protocolFeeMultiplier(0))
            }
        }
        #expect(answers == 19)
    }

    @Test("the events of the vectors are those of their calls, amount for amount")
    func events() throws {
        let domain = try Self.domain()
        var fills = 0
        var all = 0
        for vector in try Vectors.calldataV4.array("calls") {
            let call = try ExchangeCallV4(data: vector.bytes("calldata"))
            for log in vector["logs"]?.arrayValue ?? [] {
                let topics = try log.array("topics").map { try Bytes32(hex: $0.stringValue ?? "") }
                let data = try log.bytes("data")
                let event = try #require(try ExchangeLogV4(topics: topics, data: data))
                #expect(event.encoded.topics == topics)
                #expect(event.encoded.data == data)
                #expect(event.kind.rawValue == (try log.text("event")))
                all += 1
                guard case .limitOrderFilled(let fill, let fees) = event else { continue }
                fills += 1
                let order = try #require(
                    Self.limitOrders(of: call).first {
                        $0.hash(in: domain) == fill.orderHash
                    }
                )
                let maker = FillMathV4.partialAmount(
                    part: fill.amounts.taker,
                    of: order.takerAmount,
                    target: order.makerAmount
                )
                #expect(fill.amounts.maker == maker)
                let fee = FillMathV4.partialAmount(
                    part: fill.amounts.taker,
                    of: order.takerAmount,
                    target: order.takerTokenFeeAmount
                )
                #expect(fees.takerTokenFee == fee)
                #expect(fees.protocolFee == 0)
                #expect([fill.maker, fees.recipient] == [order.maker, order.feeRecipient])
                #expect(
                    [fill.makerToken, fill.takerToken] == [order.makerToken, order.takerToken]
                )
            }
        }
        #expect(fills == 8)
        #expect(all == 13)
    }

    @Test("the reverts of the vectors are read with their arguments and written again")
    func reverts() throws {
        let domain = try Self.domain()
        var found: [ExchangeRevertV4.Kind: Int] = [:]
        for vector in try Vectors.calldataV4.array("calls") {
            guard let text = vector["revertData"]?.stringValue else { continue }
            let data = try Hex.decode(text)
            let revert = try #require(ExchangeRevertV4(data))
            #expect(revert.data == data)
            found[revert.kind, default: 0] += 1
            let call = try ExchangeCallV4(data: vector.bytes("calldata"))
            let hashes = Self.limitOrders(of: call).map { $0.hash(in: domain).hex }
            if !hashes.isEmpty {
                #expect(hashes.contains { revert.description.contains($0) }, "\(revert)")
            }
            if case .orderNotSignedByMaker(let hash, let signer, _) = revert,
                case .limit(.fill(_, let signature, _)) = call
            {
                #expect(try signature.signer(of: hash, recoverer: Secp256k1()) == signer)
            }
        }
        #expect(
            found == [
                .orderNotFillable: 2, .orderNotFillableByTaker: 1, .orderNotFillableBySender: 1,
                .orderNotFillableByOrigin: 1, .orderNotSignedByMaker: 1, .fillOrKillFailed: 1,
                .batchFillIncomplete: 1, .onlyOrderMakerAllowed: 1, .cancelSaltTooLow: 1,
            ]
        )
    }

    @Test("every signature of the vectors that filled is its maker's")
    func signers() throws {
        let domain = try Self.domain()
        var count = 0
        for vector in try Vectors.calldataV4.array("calls")
        where vector["logs"]?.arrayValue?.isEmpty == false {
            switch try ExchangeCallV4(data: vector.bytes("calldata")) {
            case .limit(.fill(let order, let signature, _)),
                .limit(.fillOrKill(let order, let signature, _)):
                let hash = order.hash(in: domain)
                #expect(try signature.signer(of: hash, recoverer: Secp256k1()) == order.maker)
            case .rfq(.fill(let order, let signature, _)):
                let hash = order.hash(in: domain)
                #expect(try signature.signer(of: hash, recoverer: Secp256k1()) == order.maker)
            default: continue
            }
            count += 1
        }
        #expect(count == 6)
    }

    @Test("selectors are the hashes of the signatures, which the ABI reads too")
    func selectors() throws {
        #expect(ExchangeFunctionV4.allCases.count == 28)
        var orderCalls = 0
        for function in ExchangeFunctionV4.allCases {
            let hash = Keccak256.hash(function.signature.utf8).limbs.0
            #expect(UInt32(hash >> 32) == function.rawValue, "\(function.signature)")
            #expect(try ABIFunction(function.signature).name == function.name)
            guard let (verb, kind) = function.orderCall else { continue }
            orderCalls += 1
            #expect(ExchangeFunctionV4(verb, kind) == function)
        }
        #expect(orderCalls == 24)
    }

    @Test("every kind of call is read as it was written, and by the general ABI")
    func allCalls() throws {
        let calls = SamplesV4.allCalls
        #expect(Set(calls.map(\.function)) == Set(ExchangeFunctionV4.allCases))
        for call in calls {
            let data = call.data
            #expect(try ExchangeCallV4(data: data) == call)
            let general = try ABIFunction(call.function.signature)
            #expect(try general.encode(general.decodeArguments(data)) == data)
        }
    }

    @Test("every truncation, every byte too many and every bit of an offset is refused")
    func truncations() throws {
        for call in SamplesV4.allCalls {
            let data = call.data
            for length in data.indices {
                #expect(throws: ExchangeCallError.self) {
                    try ExchangeCallV4(data: Array(data.prefix(length)))
                }
            }
            for extra in [1, 31, 32, 64] {
                #expect(throws: ExchangeCallError.self) {
                    try ExchangeCallV4(data: data + [UInt8](repeating: 0, count: extra))
                }
            }
        }
    }

    @Test("a flipped bit is refused or gives a call that encodes to just these bytes")
    func bitFlips() throws {
        var refused = 0
        for call in SamplesV4.allCalls {
            let data = call.data
            for bit in 0..<(8 * data.count) where bit % 3 == 0 {
                var flipped = data
                flipped[bit / 8] ^= 1 << (bit % 8)
                guard let other = try? ExchangeCallV4(data: flipped) else {
                    refused += 1
                    continue
                }
                #expect(other.data == flipped)
            }
        }
        #expect(refused > 1_000)
    }

    @Test("arrays of different lengths are handed over, endless ones are refused")
    func arrays() throws {
        let order = SamplesV4.limit
        let uneven = ExchangeCallV4.limit(
            .batchFill([order], [], amounts: [1, 2, 3], revertIfIncomplete: false)
        )
        #expect(try ExchangeCallV4(data: uneven.data) == uneven)
        let data = ExchangeCallV4.limit(.batchCancel([order])).data
        let numbers: [UInt256] = [
            0, 2, 31, 33, 64, 1 << 31, 1 << 32, (1 << 63) - 1, 1 << 63, (1 << 64) - 1, 1 << 64,
            .max - 31, .max,
        ]
        for position in [4, 36] {
            for number in numbers {
                var changed = data
                changed.replaceSubrange(position..<position + 32, with: number.bigEndianBytes)
                #expect(throws: ExchangeCallError.malformedArguments("batchCancelLimitOrders")) {
                    try ExchangeCallV4(data: changed)
                }
            }
        }
    }

    @Test("amounts above 128 bits and signature fields above a byte are refused")
    func widths() throws {
        let data = ExchangeCallV4.limit(.fill(SamplesV4.limit, SamplesV4.signature, amount: 1)).data
        #expect(data.count == 548)
        for (word, limit) in [(2, 128), (3, 128), (4, 128), (10, 64), (12, 8), (13, 8), (16, 128)] {
            let start = 4 + 32 * word
            var changed = data
            let largest = (UInt256(1) << limit) - 1
            changed.replaceSubrange(start..<start + 32, with: largest.bigEndianBytes)
            #expect(try ExchangeCallV4(data: changed).data == changed)
            changed.replaceSubrange(start..<start + 32, with: (largest + 1).bigEndianBytes)
            #expect(throws: ExchangeCallError.malformedArguments("fillLimitOrder")) {
                try ExchangeCallV4(data: changed)
            }
        }
    }

    @Test("what native orders do not have is named so")
    func unknownFunction() {
        for data in [[], [1, 2, 3], [0xDE, 0xAD, 0xBE, 0xEF]] as [[UInt8]] {
            #expect(throws: ExchangeCallError.unknownFunction(.v4)) {
                try ExchangeCallV4(data: data)
            }
        }
        #expect(
            ExchangeCallError.unknownFunction(.v4).description
                == "The call names no function of 0x v4's native orders."
        )
        #expect(
            ExchangeCallError.malformedArguments("fillLimitOrder").description
                == "The arguments of the call of fillLimitOrder are not well-formed."
        )
    }

    private static func limitOrders(of call: ExchangeCallV4) -> [LimitOrderV4] {
        guard case .limit(let call) = call else { return [] }
        switch call {
        case .fill(let order, _, _), .fillOrKill(let order, _, _), .cancel(let order),
            .info(let order), .relevantState(let order, _), .hash(let order):
            return [order]
        case .batchFill(let orders, _, _, _), .batchCancel(let orders),
            .batchRelevantStates(let orders, _):
            return orders
        case .cancelPair, .batchCancelPair, .cancelPairWithSigner: return []
        }
    }
}
