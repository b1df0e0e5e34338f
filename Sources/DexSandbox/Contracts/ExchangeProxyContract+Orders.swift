import Ethereum
import ZeroEx

/// Whose orders one minimum salt cancels, of one kind.
struct SaltOwner: Hashable {
    let maker: Address
    let makerToken: Address
    let takerToken: Address
}

/// The state of v4 orders in the exchange, and their cancels.
extension ExchangeProxyContract {
    /// The order's hash, status and fill; the status checks are in the contract's order.
    func info<Order: SettledOrderV4>(_ order: Order) throws(CallFailure) -> OrderInfoV4 {
        var slots: [SaltOwner: Slot] = [:]
        return try info(order, hash: nil, &slots)
    }

    /// The same for one of many orders.
    ///
    /// - Parameters:
    ///   - known: its hash, if it is computed already.
    ///   - slots: the places of the minimum salts of orders before it.
    private func info<Order: SettledOrderV4>(
        _ order: Order,
        hash known: OrderHash?,
        _ slots: inout [SaltOwner: Slot]
    ) throws(CallFailure) -> OrderInfoV4 {
        try execution.charge(.nativeHash)
        try execution.charge(.nativeStatus)
        let hash = known ?? order.hash(in: contracts.domain)
        let owner = SaltOwner(
            maker: order.maker,
            makerToken: order.makerToken,
            takerToken: order.takerToken
        )
        let saltSlot =
            slots[owner]
            ?? ExchangeProxyStorage.minimumSalt(
                Order.kind,
                maker: order.maker,
                makerToken: order.makerToken,
                takerToken: order.takerToken
            )
        slots[owner] = saltSlot
        let minimumSalt = try execution.load(StorageKey(address, saltSlot))
        let slot = ExchangeProxyStorage.order(hash.word)
        let state = ExchangeProxyStorage.read(try execution.load(StorageKey(address, slot)))
        let status: OrderStatusV4 =
            if !order.isWellFormed {
                .invalid
            } else if state.filled >= order.takerAmount {
                .filled
            } else if state.isCancelled {
                .cancelled
            } else if order.expiry <= execution.block.timestamp {
                .expired
            } else if order.salt < minimumSalt {
                .cancelled
            } else {
                .fillable
            }
        return OrderInfoV4(orderHash: hash, status: status, filled: state.filled)
    }

    /// The order's state, the amount that the maker's funds allow, and whether the maker signed.
    func relevantState<Order: SettledOrderV4>(
        _ order: Order,
        _ signature: SignatureV4
    ) throws(CallFailure) -> OrderRelevantStateV4 {
        var slots: [SaltOwner: Slot] = [:]
        return try relevantState(order, signature, hash: nil, &slots)
    }

    private func relevantState<Order: SettledOrderV4>(
        _ order: Order,
        _ signature: SignatureV4,
        hash: OrderHash?,
        _ slots: inout [SaltOwner: Slot]
    ) throws(CallFailure) -> OrderRelevantStateV4 {
        let info = try info(order, hash: hash, &slots)
        var fillable: UInt128 = 0
        if info.status == .fillable, order.makerAmount > 0 {
            fillable = FillMathV4.fillableTakerAmount(
                orderMakerAmount: order.makerAmount,
                orderTakerAmount: order.takerAmount,
                filled: info.filled,
                makerFunds: try spendable(order.makerToken, of: order.maker)
            )
        }
        let signer = try signer(of: info.orderHash, signature)
        var isValid = signer == order.maker
        if !isValid { isValid = try isSigner(signer, of: order.maker) }
        return OrderRelevantStateV4(info: info, fillable: fillable, isSignatureValid: isValid)
    }

    /// The same for many orders; zeros for a failed one.
    func relevantStates<Order: SettledOrderV4>(
        _ orders: [(order: Order, signature: SignatureV4)]
    ) throws(CallFailure) -> [OrderRelevantStateV4] {
        let selector = ExchangeFunctionV4(.relevantState, Order.kind).rawValue
        let zeros = OrderRelevantStateV4(
            info: OrderInfoV4(orderHash: OrderHash(.zero), status: .invalid, filled: 0),
            fillable: 0,
            isSignatureValid: false
        )
        var states: [OrderRelevantStateV4] = []
        states.reserveCapacity(orders.count)
        var slots: [SaltOwner: Slot] = [:]
        let hashes = Order.hashes(of: orders.map { ($0.order, contracts.domain) })
        for (item, hash) in zip(orders, hashes) {
            try checkType(of: item.signature)
            try execution.charge(.nativeBatchElement)
            let result = try callSelf(selector) { () throws(CallFailure) -> OrderRelevantStateV4 in
                try relevantState(item.order, item.signature, hash: hash, &slots)
            }
            if case .success(let state) = result {
                states.append(state)
            } else {
                states.append(zeros)
            }
        }
        return states
    }

    func signer(of hash: OrderHash, _ signature: SignatureV4) throws(CallFailure) -> Address {
        try checkType(of: signature)
        // The result is not used further, so nothing is recovered.
        let isRecovered =
            signature.hasPartsInRange && SignatureKindV4(rawValue: signature.type) != nil
        try execution.charge(isRecovered ? .nativeSignature : .nativeSignatureRefusal)
        do throws(SignatureErrorV4) {
            return try signature.signer(of: hash, recoverer: contracts.recoverer)
        } catch {
            // Only an unknown type has no code, and that was refused above.
            guard let code = error.code else { throw .revert([]) }
            throw .exchange(.signatureValidation(code: code, hash.word))
        }
    }

    /// An unknown signature type fails where the contract first reads it.
    ///
    /// In a batch this fails the whole call, at that order.
    func checkType(of signature: SignatureV4) throws(CallFailure) {
        guard signature.isOfKnownType else { throw .revert([]) }
    }

    // MARK: Cancels

    /// Cancels the caller's order, or one of a maker who registered the caller.
    func cancel<Order: SettledOrderV4>(_ order: Order) throws(CallFailure) {
        try execution.charge(.nativeCancel)
        try execution.charge(.nativeHash)
        let hash = order.hash(in: contracts.domain)
        var isAllowed = caller == order.maker
        if !isAllowed { isAllowed = try isSigner(caller, of: order.maker) }
        guard isAllowed else {
            throw .exchange(.onlyOrderMakerAllowed(hash, sender: caller, maker: order.maker))
        }
        let key = StorageKey(address, ExchangeProxyStorage.order(hash.word))
        let state = ExchangeProxyStorage.read(try execution.load(key))
        try execution.store(
            key,
            ExchangeProxyStorage.state(filled: state.filled, isCancelled: true)
        )
        try emit(.orderCancelled(hash, maker: order.maker))
    }

    /// Cancels a maker's orders of a pair below a salt; the minimum salt never decreases.
    func cancel(
        _ pair: PairCancelV4,
        _ kind: NativeOrderKindV4,
        of maker: Address
    ) throws(CallFailure) {
        try execution.charge(.nativeCancel)
        let slot = ExchangeProxyStorage.minimumSalt(
            kind,
            maker: maker,
            makerToken: pair.makerToken,
            takerToken: pair.takerToken
        )
        let old = try execution.load(StorageKey(address, slot))
        guard pair.minValidSalt >= old else {
            throw .exchange(
                .cancelSaltTooLow(minValidSalt: pair.minValidSalt, oldMinValidSalt: old)
            )
        }
        try execution.store(StorageKey(address, slot), pair.minValidSalt)
        switch kind {
        case .limit: try emit(.pairCancelledLimitOrders(maker: maker, pair))
        case .rfq: try emit(.pairCancelledRfqOrders(maker: maker, pair))
        }
    }

    /// Cancels the caller's orders of several pairs.
    func batchCancel(
        _ makerTokens: [Address],
        _ takerTokens: [Address],
        _ salts: [UInt256],
        _ kind: NativeOrderKindV4
    ) throws(CallFailure) {
        guard makerTokens.count == takerTokens.count, makerTokens.count == salts.count else {
            throw .exchange(.words("NativeOrdersFeature/MISMATCHED_PAIR_ORDERS_ARRAY_LENGTHS"))
        }
        for index in makerTokens.indices {
            let pair = PairCancelV4(
                makerToken: makerTokens[index],
                takerToken: takerTokens[index],
                minValidSalt: salts[index]
            )
            try cancel(pair, kind, of: caller)
        }
    }

    /// The amount of a token that the exchange could take from an owner.
    private func spendable(_ token: Address, of owner: Address) throws(CallFailure) -> UInt256 {
        let allowed = try query(token, ERC20.allowance(owner: owner, spender: address))
        let owned = try query(token, ERC20.balanceOf(owner))
        return min(allowed, owned)
    }

    /// Queries a number from a token; an account without code fails, and so does a short answer.
    private func query(_ token: Address, _ data: [UInt8]) throws(CallFailure) -> UInt256 {
        try execution.charge(.nativeQuery)
        try execution.touch(token)
        guard contracts.isContract(token) else { throw .revert([]) }
        try execution.touch(token)
        let answer = try call(token, data)
        guard answer.count >= 32, let number = UInt256(bigEndian: answer.prefix(32)) else {
            throw .revert([])
        }
        return number
    }
}
