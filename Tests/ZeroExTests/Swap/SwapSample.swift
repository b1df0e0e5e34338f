import Ethereum

@testable import ZeroEx

/// A genuine quote of one kind, with the terms that it keeps.
struct SwapSample: Sendable {
    let name: String
    var quote: SwapQuote
    var terms: SwapTerms
    var fields: [MappedCallData.Field]
    /// The fields that a quote may change without harm, and the rules let pass.
    var free: Set<String>

    static let account = SampleOrder.address(0xACC0)
    static let attacker = SampleOrder.address(0xBAD0)
    static let sold = SampleOrder.address(0x5011)
    static let bought = SampleOrder.address(0xB008)
    static let wrapped = SampleOrder.address(0x3333)
    static let settler = SampleOrder.address(0x5e77_0002)
    static let previous = SampleOrder.address(0x5e77_0001)
    static let now: UInt64 = 1_800_000_000
    static let rules = ZeroExSwapRules(chainID: 1)

    static let maximum: UInt256 = 1_000_000
    static let sells: UInt256 = 990_000
    static let bound: UInt256 = 480_000
    static let minimum: UInt256 = 490_000

    private static let freeOfSettler: Set = [
        "execute.minAmountOut", "execute.actions offset", "execute.zidAndAffiliate",
        "actions", "actions count", "actions offsets", "actions length", "actions padding",
        "allowanceTarget",
    ]
    private static let freeOfHolder = freeOfSettler.union([
        // Some zeros of the padding may belong to the data: the head alone counts.
        "exec.amount", "exec.data length", "exec.data padding", "end of the data",
    ])

    init(
        _ name: String,
        _ request: SwapRequest,
        to: Address,
        value: UInt256 = 0,
        _ data: MappedCallData,
        free: Set<String>
    ) {
        self.name = name
        terms = SwapTerms(
            request: request,
            account: Self.account,
            maximum: Self.maximum,
            minimum: Self.bound,
            genuine: [Self.settler, Self.previous],
            wrapped: Self.wrapped,
            now: Self.now
        )
        quote = SwapQuote(
            price: SwapPrice(
                sold: Self.sells,
                maximumSold: Self.sells,
                bought: 500_000,
                minimumBought: 1
            ),
            call: SwapCall(to: to, data: data.bytes, value: Wei(value)),
            namedSpender: ZeroExSwapContracts.allowanceHolder
        )
        fields = data.fields
        self.free = free
    }

    static func all() throws -> [SwapSample] {
        [
            try holder("exact-in", .token(sold), .token(bought)),
            try holder("exact-out", .token(sold), .token(bought), .exactOut(500_000)),
            try holder("native sell", .native, .token(bought)),
            try holder("native sell, exact-out", .native, .token(bought), .exactOut(500_000)),
            try holder("native buy", .token(sold), .native), try permit(), wrap(), unwrap(),
            directPool(),
        ]
    }

    static func request(
        _ sell: SwapAsset,
        _ buy: SwapAsset,
        _ amount: SwapAmount,
        _ payment: SwapPayment = .allowance
    ) -> SwapRequest {
        SwapRequest(
            chainID: 1,
            sell: sell,
            buy: buy,
            amount: amount,
            payment: payment,
            taker: account,
            slippage: 10_000
        )
    }

    static func holder(
        _ name: String,
        _ sell: SwapAsset,
        _ buy: SwapAsset,
        _ amount: SwapAmount = .exactIn(sells)
    ) throws -> SwapSample {
        let isNative = sell == .native
        let token = isNative ? ZeroExSwapContracts.nativeCoin : sold
        var actions = [
            isNative
                ? try MappedCallData.action(
                    "NATIVE_CHECK(uint256,uint256)",
                    [.uint(UInt256(now + 300)), .uint(sells)]
                ) : MappedCallData.transfer
        ]
        if case .exactOut = amount {
            actions.append(try .action("CHECK_SLIPPAGE(bool)", [.bool(true)]))
        }
        let execute = MappedCallData.execute(
            recipient: account,
            buyToken: buy == .native ? ZeroExSwapContracts.nativeCoin : bought,
            minimum: minimum,
            actions: actions
        )
        return SwapSample(
            name,
            request(sell, buy, amount),
            to: ZeroExSwapContracts.allowanceHolder,
            value: isNative ? sells : 0,
            .exec(operator: settler, token: token, amount: sells, target: settler, execute),
            free: isNative ? freeOfHolder.union(["exec.token"]) : freeOfHolder
        )
    }

    static func permit() throws -> SwapSample {
        let execute = MappedCallData.executeWithoutSignature(
            recipient: account,
            buyToken: bought,
            minimum: minimum,
            transfer: MappedCallData.transfer.bytes.dropLast(32) + UInt256(0xc0).bigEndianBytes,
            then: try .action("STAND_IN_UNWRAP()", [])
        )
        var sample = SwapSample(
            "Permit2",
            request(.token(sold), .token(bought), .exactIn(sells), .permit),
            to: settler,
            execute,
            free: freeOfSettler.union([
                "permit2.nonce", "permit2.deadline", "end of the data", "permit2.hash",
            ])
        )
        let permit = SwapPermit(
            chainID: 1,
            contract: ZeroExSwapContracts.permit2,
            token: sold,
            amount: sells,
            spender: settler,
            nonce: 11,
            deadline: UInt256(now + 300)
        )
        sample.quote.permit = permit
        sample.quote.permitHash = permit.hash
        return sample
    }

    static func wrap() -> SwapSample {
        var data = MappedCallData()
        data.put(selector: 0xd0e3_0db0, "deposit selector")
        return SwapSample(
            "wrap",
            request(.native, .token(wrapped), .exactIn(sells)),
            to: wrapped,
            value: sells,
            data,
            free: ["allowanceTarget"]
        )
    }

    static func unwrap() -> SwapSample {
        var data = MappedCallData()
        data.put(selector: 0x2e1a_7d4d, "withdraw selector")
        data.put("withdraw.wad", sells)
        return SwapSample(
            "unwrap",
            request(.token(wrapped), .native, .exactIn(sells)),
            to: wrapped,
            data,
            free: ["allowanceTarget", "withdraw.wad"]
        )
    }

    static func directPool(hops: Int = 1) -> SwapSample {
        let between = [UInt8](repeating: 9, count: 24 + 44 * (hops - 1))
        let action = MappedCallData.directPool(
            recipient: account,
            token: sold,
            amount: sells,
            path: sold.bytes + between + bought.bytes,
            minimum: minimum
        )
        let execute = MappedCallData.execute(
            recipient: .zero,
            buyToken: .zero,
            minimum: 0,
            actions: [action]
        )
        return SwapSample(
            "direct pool",
            request(.token(sold), .token(bought), .exactIn(sells)),
            to: ZeroExSwapContracts.allowanceHolder,
            .exec(operator: settler, token: sold, amount: sells, target: settler, execute),
            free: [
                "allowanceTarget", "exec.amount", "execute.zidAndAffiliate",
                "VIP.permitted.amount", "VIP.nonce", "VIP.deadline", "VIP.path pool",
                "VIP.amountOutMin",
            ]
        )
    }
}

extension MappedCallData {
    /// Settler's action that takes the sold token: six words and the length of no signature.
    static let transfer: MappedCallData = {
        var action = MappedCallData()
        action.put(selector: 0xc1fb_425e, "actions")
        let words: [UInt256] = [
            UInt256(SwapSample.settler.word), UInt256(SwapSample.sold.word), SwapSample.sells, 11,
            1_800_000_300, 0xc0, 0,
        ]
        for word in words { action.put("actions", word) }
        return action
    }()
}
