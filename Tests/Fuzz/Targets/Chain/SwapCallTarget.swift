import Ethereum

@testable import ZeroEx

extension FuzzTarget {
    /// Call data of swaps: our readers and the general one of the ABI agree on `exec` and on the
    /// action with a minimum of its own; what the rules accept says so to the general reader too.
    static let swapCall = FuzzTarget(
        "swap-call",
        maximumLength: 2_048,
        seeds: SwapCallTarget.seeds
    ) { input in
        var reader = InputReader(input)
        let kind = reader.number(below: 4)
        let data = reader.rest()
        if kind == 3 { return try SwapCallTarget.checkAction(data) }
        try SwapCallTarget.checkExec(data)
        let terms = SwapCallTarget.terms(permit: kind == 1, unwraps: kind == 2)
        let to =
            switch kind {
            case 0: ZeroExSwapContracts.allowanceHolder
            case 1: SwapCallTarget.settler
            default: SampleOrders.weth
            }
        let quote = SwapQuote(
            price: SwapPrice(sold: 1_000, maximumSold: 1_000, bought: 900, minimumBought: 890),
            call: SwapCall(to: to, data: data, value: .zero)
        )
        let rules = ZeroExSwapRules(chainID: 1)
        guard (try? rules.verify(quote, terms)) != nil else { return }
        switch kind {
        case 0: try SwapCallTarget.checkAccepted(exec: data, terms)
        case 1: try SwapCallTarget.checkAccepted(execute: data, terms)
        default:
            let arguments = try ABIFunction("withdraw(uint256)").decodeArguments(data)
            guard case .uint(let amount)? = arguments.first else {
                throw Violation("an unwrap without an amount")
            }
            try require(
                amount <= terms.maximum && amount >= terms.minimum,
                "an amount out of bounds"
            )
        }
    }
}

private enum SwapCallTarget {
    static let settler = Address(truncating: UInt256(0x5E77).word)
    private static let account = Address(truncating: UInt256(0xACC0).word)
    private static let exec = "exec(address,address,uint256,address,bytes)"
    private static let execute = "execute((address,address,uint256),bytes[],bytes32)"
    private static let action =
        "UNISWAPV3_VIP(address,((address,uint256),uint256,uint256),bytes,bytes,uint256)"

    static func terms(permit: Bool, unwraps: Bool) -> SwapTerms {
        SwapTerms(
            request: SwapRequest(
                chainID: 1,
                sell: .token(unwraps ? SampleOrders.weth : SampleOrders.zrx),
                buy: unwraps ? .native : .token(SampleOrders.weth),
                amount: .exactIn(1_000),
                payment: permit ? .permit : .allowance,
                taker: account,
                slippage: 100
            ),
            account: account,
            maximum: 1_000,
            minimum: 890,
            genuine: [settler],
            wrapped: SampleOrders.weth,
            now: SampleOrders.now
        )
    }

    static func checkExec(_ data: [UInt8]) throws {
        guard data.selector == HolderCall.selector else { return }
        let ours = try? HolderCall(data)
        let general = try? ABIFunction(exec).decodeArguments(data)
        // Ours leaves the first 12 bytes of an address to the comparison with a whole word.
        let areClean =
            ours.map { call in
                [call.operator, call.token, call.target].allSatisfy {
                    Address(truncating: $0).word == $0
                }
            } ?? true
        try requireEqual(
            ours != nil && areClean,
            general != nil,
            "our reader of exec and that of the ABI disagree on what is well-formed"
        )
        guard let ours, case .bytes(let inner)? = general?.last else { return }
        try requireEqual(Array(ours.data), inner, "the data of exec")
    }

    static func checkAction(_ data: [UInt8]) throws {
        guard let ours = try? DirectPoolAction(data[...]) else { return }
        let isClean = [ours.recipient, ours.token].allSatisfy {
            Address(truncating: $0).word == $0
        }
        let general = try? ABIFunction(action).decodeArguments(data)
        try requireEqual(general != nil, isClean, "an action was read that the ABI refuses")
        guard let general, case .bytes(let path) = general[2] else { return }
        try require(path.count >= 64 && (path.count - 64) % 44 == 0, "a path of another length")
        try requireEqual(.uint(ours.minimum), general[4], "the minimum of an action")
    }

    static func checkAccepted(exec data: [UInt8], _ terms: SwapTerms) throws {
        let values = try ABIFunction(exec).decodeArguments(data)
        guard case .uint(let amount) = values[2], case .bytes(let inner) = values[4] else {
            throw Violation("exec without an amount and data")
        }
        try requireEqual(values[0], .address(settler), "the operator")
        try requireEqual(values[1], .address(SampleOrders.zrx), "the lent token")
        try require(amount <= terms.maximum, "more is lent than confirmed")
        try requireEqual(values[3], .address(settler), "the target")
        try checkAccepted(execute: inner, terms)
    }

    static func checkAccepted(execute data: [UInt8], _ terms: SwapTerms) throws {
        try requireEqual(data.selector, SettlerCall.selector, "the function of the Settler")
        let head = try ABIFunction("f(address,address,uint256,uint256,bytes32)").inputs
        let values = try ABI.decode(Array(data[4..<164]), as: head)
        guard case .uint(let minimum) = values[2] else { throw Violation("no minimum") }
        if minimum == 0 { return try checkAccepted(unchecked: data, terms) }
        try require(minimum >= terms.minimum, "less than confirmed")
        try requireEqual(values[0], .address(account), "the recipient")
        try requireEqual(values[1], .address(SampleOrders.weth), "the bought token")
    }

    private static func checkAccepted(unchecked data: [UInt8], _ terms: SwapTerms) throws {
        let values = try ABIFunction(execute).decodeArguments(data)
        guard case .array(let actions) = values[1], actions.count == 1,
            case .bytes(let only) = actions[0]
        else { throw Violation("not one action") }
        let arguments = try ABIFunction(action).decodeArguments(only)
        guard case .uint(let minimum) = arguments[4] else { throw Violation("no minimum") }
        try requireEqual(arguments[0], .address(account), "the recipient of an action")
        try require(minimum >= terms.minimum && minimum > 0, "an action brings too little")
    }

    @Sendable
    static func seeds() throws -> [[UInt8]] {
        let transfer = try ABIFunction("deposit()").encode([])
        let head: ABIValue = .tuple([
            .address(account), .address(SampleOrders.weth), .uint(890),
        ])
        let none: ABIValue = .tuple([.address(.zero), .address(.zero), .uint(0)])
        let path =
            SampleOrders.zrx.bytes + [UInt8](repeating: 1, count: 24)
            + SampleOrders.weth.bytes
        let permit: ABIValue = .tuple([
            .tuple([.address(SampleOrders.zrx), .uint(1_000)]), .uint(1), .uint(2),
        ])
        let direct = try ABIFunction(action).encode([
            .address(account), permit, .bytes(path), .bytes([]), .uint(890),
        ])
        let usual = try ABIFunction(execute).encode([
            head, .array([.bytes(transfer), .bytes(direct)]), .word(.zero),
        ])
        let unchecked = try ABIFunction(execute).encode([
            none, .array([.bytes(direct)]), .word(.zero),
        ])
        let calls = try [usual, unchecked].map { data in
            try ABIFunction(exec).encode([
                .address(settler), .address(SampleOrders.zrx), .uint(1_000), .address(settler),
                .bytes(data),
            ])
        }
        let unwrap = try ABIFunction("withdraw(uint256)").encode([.uint(1_000)])
        return calls.map { [0] + $0 } + [[1] + usual, [2] + unwrap, [3] + direct]
    }
}
