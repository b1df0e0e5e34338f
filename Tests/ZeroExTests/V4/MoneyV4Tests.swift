import Ethereum
import StrictJSON
import Testing

@testable import ZeroEx

@Suite("v4: fills, what they take, and why they fail")
struct MoneyV4Tests {
    private static let zeroEx = ZeroExV4(domain: SamplesV4.domain, signatureKind: .ethSign)

    private static func contracts(_ multiplier: UInt32 = 0) -> ExchangeContracts {
        ExchangeContracts(
            exchange: SampleOrder.exchange,
            transferContract: SampleOrder.exchange,
            feeToken: nil,
            protocolFeeMultiplier: multiplier
        )
    }

    private static func order(
        _ number: UInt64,
        makerAmount: UInt128 = 1_000,
        takerAmount: UInt128 = 3_000,
        fee: UInt128 = 0,
        recipient: UInt64 = 0xA4
    ) -> SignedOrderV4 {
        var terms = SamplesV4.limit
        terms.maker = SampleOrder.address(0xB00 + number)
        terms.makerAmount = makerAmount
        terms.takerAmount = takerAmount
        terms.takerTokenFeeAmount = fee
        terms.feeRecipient = SampleOrder.address(recipient)
        return SignedOrderV4(
            terms: terms,
            domain: SamplesV4.domain,
            signature: SamplesV4.signature
        )
    }

    private static func fill(_ order: SignedOrderV4, _ amount: UInt256) -> PlannedFill {
        PlannedFill(order: order, takerAmount: amount)
    }

    private static func calls() throws -> [(JSONValue, ExchangeCallV4)] {
        try Vectors.calldataV4.array("calls").map { vector in
            (vector, try ExchangeCallV4(data: vector.bytes("calldata")))
        }
    }

    /// The orders of a vector's call with what was asked of each.
    private static func fills(_ call: ExchangeCallV4) -> [PlannedFill] {
        let (terms, signatures, amounts): ([LimitOrderV4], [SignatureV4], [UInt128])
        switch call {
        case .limit(.fill(let order, let signature, let amount)):
            (terms, signatures, amounts) = ([order], [signature], [amount])
        case .limit(.batchFill(let orders, let all, let asked, _)):
            (terms, signatures, amounts) = (orders, all, asked)
        default: return []
        }
        return zip(zip(terms, signatures), amounts).map { signed, amount in
            fill(
                SignedOrderV4(
                    terms: signed.0,
                    domain: SamplesV4.domain,
                    signature: signed.1
                ),
                UInt256(amount)
            )
        }
    }

    // MARK: Calls

    @Test("our calls of the vectors' orders are the vectors' call data, byte for byte")
    func vectors() throws {
        var singles = 0
        var batches = 0
        for (vector, call) in try Self.calls() {
            let fills = Self.fills(call)
            let data = try vector.bytes("calldata")
            switch call {
            case .limit(.fill):
                singles += 1
                let made = Self.zeroEx.batchCall(
                    fills,
                    mode: .skipping,
                    contracts: Self.contracts()
                )
                #expect(made.data == data)
                #expect(made.function == "fillLimitOrder")
                #expect(made.to == SampleOrder.exchange)
            case .limit(.batchFill(_, _, _, let revertIfIncomplete)) where fills.count != 1:
                batches += 1
                let made = Self.zeroEx.batchCall(
                    fills,
                    mode: revertIfIncomplete ? .throwing : .skipping,
                    contracts: Self.contracts()
                )
                #expect(made.data == data)
                #expect(made.function == "batchFillLimitOrders")
            default: break
            }
        }
        #expect(singles == 9)
        #expect(batches == 3)
    }

    @Test("what the vectors' fills returned is what their events say was filled")
    func filledAmounts() throws {
        var checked = 0
        for (vector, verb) in try Self.calls() {
            guard case .limit(let limit) = verb, limit.verb == .fill || limit.verb == .batchFill,
                let returned = vector["returnData"]?.stringValue
            else { continue }
            let data = try Hex.decode(returned)
            let call = ExchangeCall(
                to: SampleOrder.exchange,
                data: verb.data,
                gasFloor: GasFloor(0),
                function: verb.function.name
            )
            let amounts = try #require(
                try Self.zeroEx.filledAmounts(returned: data, by: call)
            )
            #expect(amounts.count == Self.fills(verb).count)
            let logs = try vector.array("logs").compactMap { log -> UInt256? in
                let topics = try log.array("topics").map { try Bytes32(hex: $0.stringValue ?? "") }
                let event = try ExchangeLogV4(topics: topics, data: log.bytes("data"))
                guard case .limitOrderFilled(let fill, _)? = event else { return nil }
                return UInt256(fill.amounts.taker)
            }
            #expect(amounts.filter { $0 > 0 } == logs.filter { $0 > 0 })
            let sum = logs.reduce(UInt256.zero) { $0 + $1 }
            #expect(try Self.zeroEx.filledAmount(returned: data, by: call) == sum)
            #expect(throws: ExchangeError.self) {
                try Self.zeroEx.filledAmounts(returned: data + [0], by: call)
            }
            checked += 1
        }
        #expect(checked == 7)
    }

    @Test("a fill whose maker pays nothing moved nothing, whatever taker amount it returns")
    func dust() throws {
        let fills = [
            Self.fill(Self.order(1), 1), Self.fill(Self.order(2), 5), Self.fill(Self.order(3), 0),
        ]
        let call = Self.zeroEx.batchCall(fills, mode: .skipping, contracts: Self.contracts())
        let answer = ExchangeAnswerV4.batchFill([
            FillAmountsV4(taker: 1, maker: 0), FillAmountsV4(taker: 5, maker: 1),
            FillAmountsV4(taker: 0, maker: 0),
        ])
        #expect(
            try Self.zeroEx.filledAmounts(returned: answer.data, by: call) == [0, 5, 0]
        )
        #expect(try Self.zeroEx.filledAmount(returned: answer.data, by: call) == 5)
    }

    @Test("a call that fills nothing tells no amounts")
    func otherCalls() throws {
        let call = ExchangeCall(
            to: SampleOrder.exchange,
            data: [],
            gasFloor: GasFloor(0),
            function: "cancelLimitOrder"
        )
        #expect(try Self.zeroEx.filledAmounts(returned: [], by: call) == nil)
        #expect(try Self.zeroEx.filledAmount(returned: [], by: call) == nil)
    }

    @Test("a market call never asks for more than its total: what is beyond it is cut off the end")
    func total() throws {
        let fills = (1...4).map { Self.fill(Self.order($0), 1_000) }
        let cases: [(UInt256, [UInt128])] = [
            (10_000, [1_000, 1_000, 1_000, 1_000]), (2_500, [1_000, 1_000, 500]),
            (2_000, [1_000, 1_000]), (1_001, [1_000, 1]),
        ]
        for (total, wanted) in cases {
            let call = Self.zeroEx.marketCall(
                fills,
                total: total,
                mode: .skipping,
                contracts: Self.contracts()
            )
            guard
                case .limit(.batchFill(_, _, let amounts, false)) = try ExchangeCallV4(
                    data: call.data
                )
            else {
                Issue.record("\(call.function) is not a batch that skips")
                continue
            }
            #expect(amounts == wanted)
            #expect(
                try #require(Self.zeroEx.effects(of: call.data)).pays[SampleOrder.address(0x72)]
                    == min(total, 4_000)
            )
        }
        let single = Self.zeroEx.marketCall(
            fills,
            total: 7,
            mode: .skipping,
            contracts: Self.contracts()
        )
        guard case .limit(.fill(_, _, 7)) = try ExchangeCallV4(data: single.data) else {
            Issue.record("\(single.function) is not a fill of 7")
            return
        }
    }

    @Test("an amount beyond 128 bits asks for all that there can be")
    func hugeAmounts() throws {
        for amount: UInt256 in [UInt256(UInt128.max), 1 << 128, .max] {
            let call = Self.zeroEx.fillCall(
                Self.fill(Self.order(1), amount),
                mode: .skipping,
                contracts: Self.contracts()
            )
            guard case .limit(.fill(_, _, .max)) = try ExchangeCallV4(data: call.data) else {
                Issue.record("\(amount) is not cut to 128 bits")
                continue
            }
        }
    }

    @Test("an order of another version is called with a signature that nobody accepts")
    func foreignOrder() throws {
        let call = Self.zeroEx.fillCall(
            PlannedFill(order: try SampleOrder().unsigned, takerAmount: 5),
            mode: .skipping,
            contracts: Self.contracts()
        )
        guard case .limit(.fill(_, let signature, 5)) = try ExchangeCallV4(data: call.data) else {
            Issue.record("\(call.function) is not a fill")
            return
        }
        #expect(SignatureKindV4(rawValue: signature.type) == nil)
    }

    // MARK: Gas and the protocol's fee

    @Test("the gas floors are never below what was measured, and not far above")
    func gasFloors() {
        let measured: [(Int, UInt64)] = [(2, 176_000), (5, 330_000), (10, 585_000)]
        for (count, gas) in measured {
            let same = Array(repeating: Self.fill(Self.order(1), 10), count: count)
            let floor = Self.zeroEx.batchCall(
                same,
                mode: .skipping,
                contracts: Self.contracts()
            ).gasFloor.measured
            #expect(floor >= gas && floor * 100 <= gas * 105)
        }
        let single = Self.zeroEx.fillCall(
            Self.fill(Self.order(1), 10),
            mode: .skipping,
            contracts: Self.contracts()
        )
        #expect(single.gasFloor.measured == 112_500)
        let withFee = Self.zeroEx.fillCall(
            Self.fill(Self.order(1, fee: 1), 10),
            mode: .skipping,
            contracts: Self.contracts()
        )
        #expect(withFee.gasFloor.measured == 139_500)
    }

    @Test("one more order never needs more gas than is counted for it", arguments: [0, 70_000])
    func gasPerOrder(multiplier: UInt32) {
        var last: UInt64?
        for count in 2...20 {
            let fills = (1...UInt64(count)).map {
                Self.fill(Self.order($0, fee: 3, recipient: 0xF00 + $0), 10)
            }
            let floor = Self.zeroEx.batchCall(
                fills,
                mode: .skipping,
                contracts: Self.contracts(multiplier)
            ).gasFloor.measured
            if let last { #expect(floor - last <= Self.zeroEx.gasPerOrder.measured) }
            last = floor
        }
    }

    @Test("ether goes along for each order, by the price of gas and the multiplier")
    func protocolFee() throws {
        let fills = (1...3).map { Self.fill(Self.order($0), 10) }
        let contracts = Self.contracts(70_000)
        let call = Self.zeroEx.batchCall(fills, mode: .skipping, contracts: contracts)
        #expect(call.protocolFeeGas == 210_000)
        #expect(call.value(at: Wei(2_000_000_000)) == Wei(420_000_000_000_000))
        #expect(call.value(at: Wei(.max)) == Wei(.max))
        let effects = try #require(Self.zeroEx.effects(of: call.data))
        #expect(effects.protocolFeeOrders == 3)
        #expect(effects.protocolFeeGas(contracts) == call.protocolFeeGas)
        #expect(effects.protocolFeeGas(Self.contracts()) == 0)
        let without = Self.zeroEx.batchCall(
            fills,
            mode: .skipping,
            contracts: Self.contracts()
        )
        #expect(without.value(at: Wei(.max)) == .zero)
        #expect(call.gasFloor.measured > without.gasFloor.measured)
        #expect(call.data == without.data)
    }

    // MARK: What a call can do

    @Test("the fee is on top of what is filled, in the same token")
    func effectsWithFee() throws {
        let taker = SampleOrder.address(0x72)
        let order = Self.order(1, fee: 31)
        for (asked, paid) in [(3_000, 3_031), (1_500, 1_515), (1, 1), (9_999, 3_031), (0, 0)]
            as [(UInt256, UInt256)]
        {
            let call = Self.zeroEx.fillCall(
                Self.fill(order, asked),
                mode: .skipping,
                contracts: Self.contracts()
            )
            let effects = try #require(Self.zeroEx.effects(of: call.data))
            #expect(effects.pays == [taker: paid])
            #expect(effects.fees == 0)
            #expect(effects.receives == [SampleOrder.address(0x71)])
        }
        let both = Self.zeroEx.batchCall(
            [Self.fill(order, 3_000), Self.fill(Self.order(2, fee: 300), 1_000)],
            mode: .throwing,
            contracts: Self.contracts()
        )
        let sum = try #require(Self.zeroEx.effects(of: both.data))
        #expect(sum.pays == [taker: UInt256(4_131)])
    }

    @Test("no vector moved more than its call's effects say")
    func effectsOfVectors() throws {
        var fills = 0
        for (vector, call) in try Self.calls() {
            let effects = try #require(Self.zeroEx.effects(of: call.data))
            var paid: [Address: UInt256] = [:]
            for log in vector["logs"]?.arrayValue ?? [] {
                let topics = try log.array("topics").map { try Bytes32(hex: $0.stringValue ?? "") }
                switch try ExchangeLogV4(topics: topics, data: log.bytes("data")) {
                case .limitOrderFilled(let fill, let fees)?:
                    let amount = UInt256(fill.amounts.taker) + UInt256(fees.takerTokenFee)
                    paid[fill.takerToken, default: 0] += amount
                    #expect(effects.receives.contains(fill.makerToken))
                    #expect(effects.protocolFeeOrders > 0)
                    fills += 1
                case .rfqOrderFilled(let fill)?:
                    paid[fill.takerToken, default: 0] += UInt256(fill.amounts.taker)
                    #expect(effects.protocolFeeOrders == 0)
                    fills += 1
                default: break
                }
            }
            for (token, amount) in paid { #expect(effects.pays[token] ?? 0 >= amount) }
            if Self.fills(call).isEmpty, effects.function.hasPrefix("cancel") {
                #expect(effects.pays.isEmpty && effects.receives.isEmpty)
            }
        }
        #expect(fills == 9)
    }

    @Test("whoever may sign for the sender may take everything, so that is not understood")
    func registrations() {
        let other = SampleOrder.address(9)
        let dangerous: [ExchangeCallV4] = [
            .registerAllowedOrderSigner(other, allowed: true),
            .registerAllowedRfqOrigins([other], allowed: true),
        ]
        for call in dangerous { #expect(Self.zeroEx.effects(of: call.data) == nil) }
        let harmless: [ExchangeCallV4] = [
            .registerAllowedOrderSigner(other, allowed: false),
            .registerAllowedRfqOrigins([other], allowed: false), .getProtocolFeeMultiplier,
        ]
        for call in harmless {
            #expect(Self.zeroEx.effects(of: call.data)?.pays == [:])
        }
    }

    @Test("what is not one canonical call is not understood")
    func notUnderstood() throws {
        let call = Self.zeroEx.batchCall(
            [Self.fill(Self.order(1), 1), Self.fill(Self.order(2), 2)],
            mode: .skipping,
            contracts: Self.contracts()
        )
        for data in [[], Array(call.data.dropLast()), call.data + [0], [1, 2, 3, 4]] {
            #expect(Self.zeroEx.effects(of: data) == nil)
        }
        let uneven = ExchangeCallV4.limit(
            .batchFill(
                [SamplesV4.limit],
                [SamplesV4.signature],
                amounts: [1, 2],
                revertIfIncomplete: false
            )
        )
        #expect(Self.zeroEx.effects(of: uneven.data) == nil)
    }

    // MARK: Reverts

    @Test("every revert of the vectors is told in a sentence")
    func reverts() throws {
        var reported = 0
        for (vector, _) in try Self.calls() {
            guard let text = vector["revertData"]?.stringValue else { continue }
            let sentence = try #require(Self.zeroEx.revertReason(try Hex.decode(text)))
            #expect(sentence.hasSuffix("."))
            reported += 1
        }
        #expect(reported == 10)
    }

    @Test("words of require are left to who tells them; those about the fee are explained")
    func words() {
        let words = ExchangeRevertV4.words("ERC20: transfer amount exceeds balance")
        #expect(Self.zeroEx.revertReason(words.data) == nil)
        let fee = ExchangeRevertV4.words("FixinProtocolFees/ETHER_TRANSFER_FALIED")
        #expect(Self.zeroEx.revertReason(fee.data)?.contains("too little of the coin") == true)
        for data in [[], [1], [0xDE, 0xAD, 0xBE, 0xEF]] as [[UInt8]] {
            #expect(Self.zeroEx.revertReason(data) == nil)
        }
    }
}
