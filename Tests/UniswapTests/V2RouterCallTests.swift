import DexTestSupport
import Ethereum
import StrictJSON
import Testing

@testable import Uniswap

@Suite("Calls of v2 Router02, against the genuine contract's")
struct V2RouterCallTests {
    private func cases() throws -> [CallVector] {
        let router = try ContractVectors.calldata.address("v2Router02")
        return try ContractVectors.cases().filter { $0.to == router }
    }

    /// The call of a case from its named arguments.
    private func call(_ vector: CallVector) throws -> V2RouterCall {
        let json = try vector.calls[0].member("args")
        let name = try vector.calls[0].string("function").prefix { $0 != "(" }
        let tokens = try json.list("path").map { try Address(lenient: $0.stringValue ?? "") }
        let kinds = Array(repeating: PoolKind.v2, count: tokens.count - 1)
        let sellsCoin = name.hasPrefix("swapExactETH") || name.hasPrefix("swapETH")
        let isExactIn = name.hasPrefix("swapExact")
        let given = sellsCoin ? vector.value.rawValue : nil
        return V2RouterCall(
            path: try #require(PoolPath(tokens, kinds)),
            amount: isExactIn
                ? .exactIn(try given ?? json.integer("amountIn"))
                : .exactOut(try json.integer("amountOut")),
            bound: isExactIn
                ? try json.integer("amountOutMin") : try given ?? json.integer("amountInMax"),
            recipient: try json.address("to"),
            deadline: try #require(try json.integer("deadline").uint64),
            coin: sellsCoin
                ? .sold
                : name.contains("ForETH") || name.contains("ForExactETH") ? .bought : .none,
            measures: name.contains("Supporting")
        )
    }

    private func terms(_ call: V2RouterCall) throws -> RouterTerms {
        let swap = RouterSwap(
            path: call.path,
            amount: call.amount,
            bound: call.bound,
            recipient: call.recipient
        )
        var terms = try RouterTerms(
            of: RouterCall(deadline: call.deadline, swaps: [swap]),
            account: RouterTerms.trader
        )
        if call.coin == .sold { terms.sold = .native }
        if call.coin == .bought { terms.bought = .native }
        terms.allowsV2 = false
        return terms
    }

    @Test("all 19 calls have the genuine bytes and are read back; only what must not be is refused")
    func vectors() throws {
        let faults: [String: RouterFault] = [
            "Router02: expired": .deadlinePassed(1_699_999_999),
            "Router02: path must begin with WETH": .sameToken,
            "Router02: no allowance": .otherRecipient(RouterTerms.stranger),
        ]
        var names: Set<String> = []
        for vector in try cases() {
            let call = try call(vector)
            #expect(call.data == vector.data && call.value == vector.value, "\(vector.name)")
            names.insert(try vector.calls[0].string("function"))
            if vector.name.contains("0x..01") {
                #expect(throws: RouterFault.reservedRecipient(RouterSwap.sender)) {
                    try V2RouterCall(data: vector.data, value: vector.value)
                }
                continue
            }
            #expect(try V2RouterCall(data: vector.data, value: vector.value) == call)
            let terms = try terms(call)
            if let fault = faults[vector.name] {
                #expect(throws: fault, "\(vector.name)") { try call.check(terms) }
            } else {
                try call.check(terms)
            }
        }
        #expect(try cases().count == 19)
        #expect(names == Set(V2RouterFunction.allCases.map(\.rawValue)))
    }

    @Test("each term is checked, and value follows from the side of the coin")
    func check() throws {
        for vector in try cases() where vector.json["status"]?.numberText == "1" {
            let call = try call(vector)
            guard call.recipient == RouterTerms.trader else { continue }
            let terms = try terms(call)
            try refuses(call, terms, .aboveMaximum(terms.maximum, maximum: terms.maximum - 1)) {
                $1.maximum -= 1
            }
            try refuses(call, terms, .belowMinimum(terms.minimum, minimum: terms.minimum + 1)) {
                $1.minimum += 1
            }
            try refuses(call, terms, .deadlinePassed(0)) { call, _ in call.deadline = 0 }
            try refuses(call, terms, .deadlineTooFar(.max)) { call, _ in call.deadline = .max }
            try refuses(call, terms, .zeroBound) { call, _ in call.bound = 0 }
            try refuses(call, terms, .otherRecipient(RouterTerms.stranger)) { call, _ in
                call.recipient = RouterTerms.stranger
            }
            try refuses(call, terms, .reservedRecipient(.zero)) { call, _ in
                call.recipient = .zero
            }
            if call.coin != .none {
                try refuses(call, terms, .noWrappedCoin) { $1.wrapped = nil }
                var plain = call
                plain.coin = .none
                #expect(throws: RouterFault.self) { try plain.check(terms) }
            }
            let effects = call.effects
            #expect(effects.receives.map(\.recipient) == [RouterTerms.trader])
            #expect(effects.receives.map(\.minimum) == [terms.minimum])
            #expect(effects.receives.map(\.asset) == [terms.bought])
            #expect(effects.pays == (call.coin == .sold ? [:] : [call.path.sold: terms.maximum]))
        }
    }

    private func refuses(
        _ call: V2RouterCall,
        _ terms: RouterTerms,
        _ fault: RouterFault,
        _ change: (inout V2RouterCall, inout RouterTerms) -> Void
    ) throws {
        var (call, terms) = (call, terms)
        change(&call, &terms)
        #expect(throws: fault) { try call.check(terms) }
    }

    @Test("1,000 random changes of each call: what still passes stays within the terms")
    func mutations() throws {
        var random = SeededGenerator(seed: 2)
        for vector in try cases() where vector.json["status"]?.numberText == "1" {
            let call = try call(vector)
            guard call.recipient == RouterTerms.trader else { continue }
            let terms = try terms(call)
            for _ in 0..<1_000 {
                var data = vector.data
                let start = 4 + 4 * random.below((data.count - 36) / 4 + 1)
                switch random.below(4) {
                case 0: data[random.below(data.count)] ^= 1 << UInt8(random.below(8))
                case 1: data.replaceSubrange(start..<start + 32, with: random.bytes(32))
                case 2: data.removeLast(1 + random.below(data.count - 1))
                default: data += random.bytes(1 + random.below(64))
                }
                guard let changed = try? V2RouterCall(data: data, value: vector.value),
                    (try? changed.check(terms)) != nil
                else { continue }
                #expect(changed.data == data && changed.value == vector.value)
                #expect(changed.recipient == RouterTerms.trader)
                #expect(changed.path.sold == call.path.sold)
                #expect(changed.path.bought == call.path.bought)
                #expect(changed.effects.receives[0].minimum >= terms.minimum)
                #expect(changed.effects.pays.values.allSatisfy { $0 <= terms.maximum })
            }
        }
    }
}
