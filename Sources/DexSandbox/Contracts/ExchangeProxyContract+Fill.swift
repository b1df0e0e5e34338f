import Ethereum
import ZeroEx

/// The functions that fill v4 orders.
extension ExchangeProxyContract {
    /// The amounts that a fill moved, and its cost in wei.
    struct SettledFill {
        let amounts: FillAmountsV4
        let protocolFee: UInt256
    }

    /// Fills as much of an order as possible: the checks in the contract's order.
    func fill<Order: SettledOrderV4>(
        _ order: Order,
        _ signature: SignatureV4,
        amount: UInt128
    ) throws(CallFailure) -> SettledFill {
        try checkType(of: signature)
        let info = try info(order)
        guard info.status == .fillable else {
            throw .exchange(.orderNotFillable(info.orderHash, status: info.status.rawValue))
        }
        let refusal = try order.refusal(hash: info.orderHash, caller: caller) {
            origin throws(CallFailure) in
            let slot = ExchangeProxyStorage.allowedOrigin(origin, caller)
            return try execution.load(StorageKey(address, slot)) != .zero
        }
        if let refusal { throw .exchange(refusal) }
        let signer = try signer(of: info.orderHash, signature)
        if signer != order.maker {
            guard try isSigner(signer, of: order.maker) else {
                throw .exchange(
                    .orderNotSignedByMaker(info.orderHash, signer: signer, maker: order.maker)
                )
            }
        }
        let protocolFee = Order.paysProtocolFee ? try payProtocolFee(order.pool) : .zero
        let amounts = try settle(order, info, amount: amount)
        let fee = try payFee(order, filled: amounts.taker)
        try emit(
            order.log(
                ExchangeLogV4.Fill(
                    orderHash: info.orderHash,
                    maker: order.maker,
                    taker: caller,
                    makerToken: order.makerToken,
                    takerToken: order.takerToken,
                    amounts: amounts,
                    pool: order.pool
                ),
                ExchangeLogV4.Fees(
                    recipient: order.takerTokenFeeRecipient,
                    takerTokenFee: fee,
                    protocolFee: protocolFee
                )
            )
        )
        return SettledFill(amounts: amounts, protocolFee: protocolFee)
    }

    /// Fills exactly an amount of an order.
    ///
    /// - Returns: base units of maker token.
    func fillOrKill<Order: SettledOrderV4>(
        _ order: Order,
        _ signature: SignatureV4,
        amount: UInt128
    ) throws(CallFailure) -> UInt128 {
        let fill = try fill(order, signature, amount: amount)
        guard fill.amounts.taker >= amount else {
            throw .exchange(
                .fillOrKillFailed(
                    order.hash(in: contracts.domain),
                    filled: UInt256(fill.amounts.taker),
                    wanted: UInt256(amount)
                )
            )
        }
        try refund(allBut: fill.protocolFee)
        return fill.amounts.maker
    }

    /// Fills orders one after another, each by a call of the exchange to itself.
    ///
    /// A failed one is skipped, or fails the whole call.
    func batchFill<Order: SettledOrderV4>(
        _ orders: [(order: Order, signature: SignatureV4)],
        _ amounts: [UInt128],
        revertIfIncomplete: Bool
    ) throws(CallFailure) -> [FillAmountsV4] {
        try execution.charge(.nativeBatch)
        var paid = UInt256.zero
        var fills: [FillAmountsV4] = []
        fills.reserveCapacity(orders.count)
        for (item, amount) in zip(orders, amounts) {
            try checkType(of: item.signature)
            try execution.charge(.nativeBatchElement)
            let result = try callSelf(Order.batchedFill) { () throws(CallFailure) -> SettledFill in
                try fill(item.order, item.signature, amount: amount)
            }
            var filled = FillAmountsV4(taker: 0, maker: 0)
            if case .success(let fill) = result {
                filled = fill.amounts
                // No overflow: this much was paid from existing ether.
                paid += fill.protocolFee
            }
            guard filled.taker >= amount || !revertIfIncomplete else {
                throw .exchange(
                    .batchFillIncomplete(
                        item.order.hash(in: contracts.domain),
                        filled: UInt256(filled.taker),
                        wanted: UInt256(amount)
                    )
                )
            }
            fills.append(filled)
        }
        try refund(allBut: paid)
        return fills
    }

    /// A call of the exchange to itself, through the proxy.
    func callSelf<Value>(
        _ selector: UInt32,
        _ body: () throws(CallFailure) -> Value
    ) throws(CallFailure) -> Result<Value, CallFailure> {
        try execution.touch(address)
        return execution.frame { () throws(CallFailure) -> Value in
            try execution.charge(.nativeEntry)
            let slot = ExchangeProxyStorage.implementation(selector)
            _ = try execution.load(StorageKey(address, slot))
            try execution.touch(Self.feature(of: .fillLimitOrder))
            return try body()
        }
    }

    // MARK: Settlement

    /// Records the fill and moves both tokens; nothing if either amount is zero.
    private func settle<Order: SettledOrderV4>(
        _ order: Order,
        _ info: OrderInfoV4,
        amount: UInt128
    ) throws(CallFailure) -> FillAmountsV4 {
        try execution.charge(.nativeSettle)
        let taker = FillMathV4.takerAmount(
            asked: amount,
            orderTakerAmount: order.takerAmount,
            filled: info.filled
        )
        // An order whose taker amount is zero counts as filled and never gets here.
        let maker =
            FillMathV4.partialAmount(part: taker, of: order.takerAmount, target: order.makerAmount)
            ?? 0
        guard taker > 0, maker > 0 else { return FillAmountsV4(taker: 0, maker: 0) }
        try execution.store(
            StorageKey(address, ExchangeProxyStorage.order(info.orderHash.word)),
            ExchangeProxyStorage.state(filled: info.filled + taker, isCancelled: false)
        )
        try transfer(order.takerToken, from: caller, to: order.maker, taker)
        try transfer(order.makerToken, from: order.maker, to: caller, maker)
        return FillAmountsV4(taker: taker, maker: maker)
    }

    /// Moves the order's fee; the transfer is made even if the amount is zero.
    ///
    /// - Returns: base units of taker token.
    private func payFee<Order: SettledOrderV4>(
        _ order: Order,
        filled: UInt128
    ) throws(CallFailure) -> UInt128 {
        guard order.takerTokenFee > 0 else { return 0 }
        try execution.charge(.nativeFee)
        let fee =
            FillMathV4.partialAmount(
                part: filled,
                of: order.takerAmount,
                target: order.takerTokenFee
            ) ?? 0
        try transfer(order.takerToken, from: caller, to: order.takerTokenFeeRecipient, fee)
        return fee
    }

    /// Moves tokens; a token may return nothing, or one.
    private func transfer(
        _ token: Address,
        from: Address,
        to: Address,
        _ amount: UInt128
    ) throws(CallFailure) {
        guard token != address else {
            throw .exchange(.words("FixinTokenSpender/CANNOT_INVOKE_SELF"))
        }
        try execution.charge(.nativeTransfer)
        try execution.touch(token)
        let answer = try call(
            token,
            ERC20.call(
                "transferFrom(address,address,uint256)",
                from.word,
                to.word,
                UInt256(amount).word
            )
        )
        // An account without code returns nothing too.
        guard Words.isNothingOrTrue(answer) else { throw .revert(answer) }
    }

    /// Calls a token; a failure reverts with the token's data, if there is any.
    func call(_ token: Address, _ data: [UInt8]) throws(CallFailure) -> [UInt8] {
        switch enter(token, value: .zero, data) {
        case .success(let answer): return answer
        case .failure(.revert(let data)): throw .revert(data)
        case .failure: throw .revert([])
        }
    }

    /// Sends a message in a call of its own.
    private func enter(
        _ to: Address,
        value: UInt256,
        _ data: [UInt8]
    ) -> Result<[UInt8], CallFailure> {
        let message = Message(caller: address, to: to, value: value, data: data)
        return contracts.call(message, in: execution)
    }

    // MARK: Protocol fee

    /// Pays the fee from the exchange's ether.
    ///
    /// - Returns: wei.
    private func payProtocolFee(_ pool: Bytes32) throws(CallFailure) -> UInt256 {
        // The price fits 64 bits.
        let fee = UInt256(UInt64(contracts.protocolFeeMultiplier)) * execution.gasPrice
        guard fee > .zero else { return .zero }
        let collector = Address(
            truncating: Keccak256.hash(Array("dex sandbox: fee collector".utf8) + pool.bytes)
        )
        guard case .success = try send(fee, to: collector) else {
            throw .exchange(.words("FixinProtocolFees/ETHER_TRANSFER_FALIED"))
        }
        return fee
    }

    /// Returns the ether that exceeds the fees.
    func refund(allBut paid: UInt256) throws(CallFailure) {
        guard value > paid else { return }
        let surplus = value - paid
        guard case .success = try send(surplus, to: caller) else {
            throw .exchange(.protocolFeeRefundFailed(receiver: caller, amount: surplus))
        }
    }

    /// Sends ether by a call without data.
    private func send(
        _ amount: UInt256,
        to: Address
    ) throws(CallFailure) -> Result<[UInt8], CallFailure> {
        try execution.touch(to)
        try contracts.payForEther(to: to, in: execution)
        return enter(to, value: amount, [])
    }
}
