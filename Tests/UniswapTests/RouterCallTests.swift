import DexTestSupport
import Ethereum
import StrictJSON
import Testing

@testable import Uniswap

@Suite("Calls of the router, against the genuine contract's")
struct RouterCallTests {
    /// All whose bytes are not a call that this program signs, and why.
    private static let refused: [String: RouterFault] = [
        "exactInputSingle, recipient = account": .noDeadline(.exactInputSingle),
        "exactInputSingle, recipient = 0x..01 (sender)": .noDeadline(.exactInputSingle),
        "exactInputSingle with price limit": .noDeadline(.exactInputSingle),
        "exactInputSingle, other direction": .noDeadline(.exactInputSingle),
        "exactOutputSingle": .noDeadline(.exactOutputSingle),
        "exactOutputSingle with price limit": .noDeadline(.exactOutputSingle),
        "exactOutputSingle, other direction": .noDeadline(.exactOutputSingle),
        "exactInput, one pool": .noDeadline(.exactInput),
        "exactInput, two pools": .noDeadline(.exactInput),
        "exactInput, three pools": .noDeadline(.exactInput),
        "exactInput, three pools to PAXG (fee token): arrives 1 % less": .noDeadline(.exactInput),
        "exactOutput, one pool": .noDeadline(.exactOutput),
        "exactOutput, two pools, path reversed": .noDeadline(.exactOutput),
        "exactOutput, three pools, path reversed": .noDeadline(.exactOutput),
        "exactOutput with the path NOT reversed: sells the wrong token": .noDeadline(.exactOutput),
        "v2 exact in": .noDeadline(.swapExactTokensForTokens),
        "v2 exact in, two pairs": .noDeadline(.swapExactTokensForTokens),
        "v2 exact in, recipient 0x..01": .noDeadline(.swapExactTokensForTokens),
        "v2 exact out": .noDeadline(.swapTokensForExactTokens),
        "v2 exact out, two pairs": .noDeadline(.swapTokensForExactTokens),
        "multicall without deadline": .noDeadline(.multicallWithoutDeadline),
        "native in, exact in, without multicall": .noDeadline(.exactInputSingle),
        "multicall, empty": .noSwaps,
        "wrapETH + amountIn 0 (contract balance)": .forbidden(.wrapETH),
        "wrapETH + amountIn X: double payment": .forbidden(.wrapETH),
        "native out, exact in": .zeroBound,
        "native out, exact in, path": .zeroBound,
        "native out, v2": .zeroBound,
        "native out, split v3 + v2, minimum on the sum": .zeroBound,
        "native out, minimum missed": .zeroBound,
        "native out, unwrapWETH9(uint256)": .forbidden(.unwrapToSender),
        "native out to 0x..01: lost": .zeroBound,
        "mixed: v3 then v2": .zeroBound,
        "mixed: v2 then v3": .zeroBound,
        "mixed: v2 then v3 path": .zeroBound,
        "swap to the router, sweepToken": .forbidden(.sweepToken),
        "swap to the router, sweepToken(token,minimum)": .forbidden(.sweepTokenToSender),
        "sweep minimum missed": .forbidden(.sweepToken),
        "pull and sell the contract balance": .forbidden(.pull),
        "mixed with a dust sweep at the end": .forbidden(.sweepToken),
        "recipient 0: burnt": .reservedRecipient(.zero),
    ]
    /// Of the others, those that their own terms refuse, and why.
    private static let outOfTerms: [String: RouterFault] = [
        "multicall, deadline passed": .deadlinePassed(1_699_999_999),
        "multicall, deadline = block time": .deadlinePassed(1_700_000_000),
        "native in, exact in, single": .refundMissing,
        "native in, exact in, path": .refundMissing,
        "native in, v2": .refundMissing,
        "native in, split v3 + v2": .refundMissing,
        "native in, exact out, NO refund: ether stays": .refundMissing,
        "native in, one wei short: WETH is taken instead":
            .otherValue(Wei(999_999_999_999_999_999), due: Wei(1_000_000_000_000_000_000)),
        "no allowance": .otherRecipient(RouterTerms.stranger),
    ]

    @Test("all 89 calls: allowed ones come out of the value byte for byte, the others are refused")
    func vectors() throws {
        let cases = try ContractVectors.cases()
        #expect(cases.count == 89)
        var allowed = 0
        for vector in cases {
            if let fault = try expectedFault(vector) {
                #expect(throws: fault, "\(vector.name)") {
                    try RouterCall(data: vector.data, value: vector.value)
                }
                continue
            }
            let call = try vector.routerCall()
            #expect(call.data == vector.data, "\(vector.name)")
            let decoded = try RouterCall(data: vector.data, value: vector.value)
            #expect(decoded == call, "\(vector.name)")
            allowed += 1
        }
        #expect(allowed == 29)
    }

    /// The router's own refusals, and all calls of the v2 Router02, of which none is known here.
    private func expectedFault(_ vector: CallVector) throws -> RouterFault? {
        if vector.to == (try ContractVectors.calldata.address("v2Router02")) {
            return .unknownFunction(try #require(RouterFunction.selector(of: vector.data)))
        }
        return Self.refused[vector.name]
    }

    @Test("every swap of the file has the genuine bytes, but one pool is never a path")
    func swaps() throws {
        var equal = 0
        for vector in try ContractVectors.cases()
        where try vector.to == ContractVectors.calldata.address("swapRouter02") {
            let swapCalls = try vector.calls.filter { call in
                let name = try call.string("function")
                return name.hasPrefix("exact") || name.hasPrefix("swap")
            }
            for (swap, json) in zip(try vector.swaps(), swapCalls) {
                let arguments = try json.member("args")
                let limit = arguments["sqrtPriceLimitX96"]?.stringValue ?? "0"
                let isOnePoolPath =
                    arguments["path"]?.stringValue != nil
                    && swap.path.pools.count == 1
                let genuine = try json.hexBytes("data")
                #expect((swap.data == genuine) == (limit == "0" && !isOnePoolPath))
                if swap.data == genuine { equal += 1 }
                let function = try #require(
                    RouterFunction.selector(of: genuine).flatMap(RouterFunction.init(selector:))
                )
                #expect(function.rawValue == (try json.string("function")))
                if limit != "0" {
                    #expect(throws: RouterFault.priceLimit) { try RouterSwap(function, genuine) }
                } else {
                    #expect(try RouterSwap(function, genuine) == swap, "\(vector.name)")
                }
            }
        }
        #expect(equal == 79)
    }

    @Test("the calls of the file pass within their own terms, but for what the rule forbids")
    func terms() throws {
        var passed = 0
        for vector in try ContractVectors.cases() where try expectedFault(vector) == nil {
            let call = try RouterCall(data: vector.data, value: vector.value)
            let terms = try RouterTerms(of: call, account: RouterTerms.trader)
            if let fault = Self.outOfTerms[vector.name] {
                #expect(throws: fault, "\(vector.name)") { try call.check(terms) }
                continue
            }
            try call.check(terms)
            let made = try RouterCall.make(call.legs, terms, deadline: call.deadline)
            #expect(made.data == vector.data && made.value == vector.value, "\(vector.name)")
            passed += 1
        }
        #expect(passed == 20)
    }

    @Test("the selectors are those of the contracts' documentation")
    func selectors() {
        let known: [RouterFunction: UInt32] = [
            .exactInputSingle: 0x04e4_5aaf, .exactOutputSingle: 0x5023_b4df,
            .exactInput: 0xb858_183f, .exactOutput: 0x09b8_1346,
            .swapExactTokensForTokens: 0x472b_43f3, .swapTokensForExactTokens: 0x4271_2a67,
            .multicall: 0x5ae4_01dc, .multicallWithoutDeadline: 0xac96_50d8,
            .multicallAfterBlock: 0x1f04_64d1, .unwrap: 0x4940_4b7c, .unwrapToSender: 0x4961_6997,
            .refundETH: 0x1221_0e8a, .wrapETH: 0x1c58_db4f, .sweepToken: 0xdf2a_b5bb,
            .sweepTokenToSender: 0xe90a_182f, .pull: 0xf2d5_d56b, .unwrapWithFee: 0x9b2c_0a37,
            .unwrapToSenderWithFee: 0xd4ef_38de, .sweepTokenWithFee: 0xe0e1_89a0,
            .sweepTokenToSenderWithFee: 0x3068_c554, .selfPermit: 0xf399_5c67,
            .selfPermitIfNecessary: 0xc2e3_140a, .selfPermitAllowed: 0x4659_a494,
            .approveMax: 0x571a_c8b0, .approveMaxMinusOne: 0xcab3_72ce,
            .approveZeroThenMax: 0x639d_71a9, .callPositionManager: 0xb3a2_af13,
            .olderExactInputSingle: 0x414b_f389,
        ]
        for (function, selector) in known {
            #expect(function.selector == selector, "\(function)")
            #expect(RouterFunction(selector: selector) == function)
        }
        #expect(known.count >= RouterFunction.allCases.count - 2)
    }

    @Test("no other function of the router is part of a call, nor a call within a call")
    func forbidden() throws {
        let swaps: Set<RouterFunction> = [
            .exactInputSingle, .exactOutputSingle, .exactInput, .exactOutput,
            .swapExactTokensForTokens, .swapTokensForExactTokens, .unwrap, .refundETH,
        ]
        let good = try ContractVectors.call("multicall with deadline, one swap").routerCall()
        for function in RouterFunction.allCases where !swaps.contains(function) {
            let inner = CallEncoder(selector: function.selector).data
            #expect(throws: RouterFault.forbidden(function)) {
                try RouterCall(data: multicall([good.swaps[0].data, inner]), value: .zero)
            }
            #expect(throws: RouterFault.forbidden(function)) {
                try RouterCall(data: multicall([inner, good.swaps[0].data]), value: .zero)
            }
        }
        #expect(throws: RouterFault.forbidden(.multicall)) {
            try RouterCall(data: multicall([good.data]), value: .zero)
        }
        #expect(throws: RouterFault.unknownFunction(0xdead_beef)) {
            try RouterCall(data: multicall([[0xde, 0xad, 0xbe, 0xef]]), value: .zero)
        }
        #expect(throws: RouterFault.noFunction) {
            try RouterCall(data: multicall([[]]), value: .zero)
        }
    }

    @Test("swaps come first, then one unwrapping, then one refund")
    func order() throws {
        let swap = try ContractVectors.call("native out, exact out").routerCall()
        let unwrap = try #require(swap.unwrap).data
        let refund = CallEncoder(selector: RouterFunction.refundETH.selector).data
        let data = swap.swaps[0].data
        let wrong: [([[UInt8]], RouterFault)] = [
            ([unwrap, data], .wrongOrder(.unwrap)), ([refund, data], .wrongOrder(.refundETH)),
            ([data, unwrap, unwrap], .wrongOrder(.unwrap)),
            ([data, refund, unwrap], .wrongOrder(.unwrap)),
            ([data, refund, refund], .wrongOrder(.refundETH)),
            ([data, unwrap, data], .wrongOrder(.exactOutputSingle)), ([data], .leftInRouter),
            ([data, unwrap, refund + [0]], .malformed(.refundETH)),
            ([data, unwrap + [0]], .malformed(.unwrap)),
            ([data + [0], unwrap], .malformed(.exactOutputSingle)),
        ]
        for (calls, fault) in wrong {
            #expect(throws: fault) { try RouterCall(data: multicall(calls), value: .zero) }
        }
        let both = try RouterCall(data: multicall([data, unwrap, refund]), value: .zero)
        #expect(both.refunds && both.unwrap == swap.unwrap)
    }

    @Test("a path of other length, or of one pool in the path's function, is refused")
    func paths() throws {
        let call = try ContractVectors.call("exactInput, two pools").swaps()[0]
        let path = call.path.encoded(reversed: false)
        for length in 0...90 where length != 66 && length != 43 && length != 89 {
            let bytes = Array((path + path).prefix(length))
            #expect(throws: RouterFault.badPath) {
                try RouterCall(data: multicall([exactInput(bytes)]), value: .zero)
            }
        }
        #expect(throws: RouterFault.otherEncoding) {
            try RouterCall(data: multicall([exactInput(Array(path.prefix(43)))]), value: .zero)
        }
        let same = Array(path.prefix(23) + path.prefix(20))
        #expect(throws: RouterFault.badPath) {
            try RouterCall(data: multicall([exactInput(same)]), value: .zero)
        }
        #expect(try RouterCall(data: multicall([exactInput(path)]), value: .zero).swaps.count == 1)
    }

    private func exactInput(_ path: [UInt8]) -> [UInt8] {
        var call = CallEncoder(selector: RouterFunction.exactInput.selector)
        call.add(.number(32), .number(128), RouterTerms.trader.word, .number(5), .number(6))
        call.add(bytes: path)
        return call.data
    }

    @Test("every fault is a sentence of its own")
    func sentences() throws {
        let pool = try #require(PoolID(.zero, RouterTerms.trader, .v2))
        let faults: [RouterFault] = [
            .noFunction, .unknownFunction(1), .forbidden(.pull), .noDeadline(.exactInput),
            .malformed(.exactInput), .otherEncoding, .wrongOrder(.unwrap), .noSwaps, .badPath,
            .priceLimit, .zeroAmount, .zeroBound, .mixedDirections, .poolTwice(pool),
            .reservedRecipient(.zero), .leftInRouter, .notUnwrapped, .deadlinePassed(1),
            .deadlineTooFar(1), .noWrappedCoin, .sameToken, .otherSold(.zero), .otherBought(.zero),
            .v2NotReached, .unwrapMissing, .unwrapNotWanted, .otherRecipient(.zero), .tooMuch,
            .aboveMaximum(2, maximum: 1), .belowMinimum(1, minimum: 2), .otherUnwrapMinimum(1),
            .otherValue(Wei(1), due: .zero), .refundMissing, .refundNotWanted,
        ]
        #expect(Set(faults.map(\.description)).count == faults.count)
        for fault in faults { #expect(fault.description.hasSuffix("."), "\(fault)") }
    }
}

/// The calls in a multicall with the file's deadline, strictly encoded.
func multicall(_ calls: [[UInt8]], deadline: UInt64 = 1_700_001_200) throws -> [UInt8] {
    let arguments: [ABIValue] = [.uint(UInt256(deadline)), .array(calls.map { .bytes($0) })]
    return CallEncoder(selector: RouterFunction.multicall.selector).data
        + (try ABI.encode(arguments, as: [.uint(256), .array(.bytes)]))
}

extension RouterTerms {
    static let trader = Address(
        truncating: UInt256(0xa1a1_a1a1_a1a1_a1a1_a1a1_a1a1_a1a1_a1a1_a1a1_a1a1).word
    )
    static let stranger = Address(
        truncating: UInt256(0xb0b0_b0b0_b0b0_b0b0_b0b0_b0b0_b0b0_b0b0_b0b0_b0b0).word
    )

    /// The tightest terms that a call can meet.
    init(of call: RouterCall, account: Address) throws {
        let weth = try ContractVectors.calldata.address("weth")
        self.init(
            account: account,
            sold: call.value > .zero ? .native : .token(call.swaps[0].path.sold),
            bought: call.unwrap != nil ? .native : .token(call.swaps[0].path.bought),
            wrapped: weth,
            maximum: call.swaps.reduce(0) { $0 + $1.maximum },
            minimum: call.swaps.reduce(0) { $0 + $1.minimum },
            now: 1_700_000_000,
            latestDeadline: 1_700_001_200,
            allowsV2: true
        )
    }
}

extension RouterCall {
    var legs: [RouterLeg] {
        swaps.map { RouterLeg(path: $0.path, amount: $0.amount, bound: $0.bound) }
    }
}
