import Ethereum

/// Why the exchange skips an order without failing; the numbers of its LogError.
enum ExchangeErrorID: UInt64 {
    case expired = 0
    case fullyFilledOrCancelled = 1
    case roundingErrorTooLarge = 2
    case insufficientBalanceOrAllowance = 3
}

extension ExchangeContract {
    /// fillOrder with parsed arguments: the checks in the contract's order.
    ///
    /// - Returns: the filled taker token.
    func fill(
        _ order: ExchangeOrder,
        amount: UInt256,
        throwing: Bool,
        signature: CalldataSignature
    ) throws(CallFailure) -> UInt256 {
        guard order.taker == .zero || order.taker == caller else { throw .revert([]) }
        guard order.makerTokenAmount > .zero, order.takerTokenAmount > .zero, amount > .zero
        else { throw .revert([]) }
        guard try isValid(signature, signer: order.maker, hash: order.hash) else {
            throw .revert([])
        }
        guard UInt256(execution.block.timestamp) < order.expiration else {
            return try skip(order, .expired)
        }
        let filledTaker = min(amount, try remaining(order))
        guard filledTaker > .zero else { return try skip(order, .fullyFilledOrCancelled) }
        try execution.charge(.rounding)
        let isRoundingError = try ExchangeArithmetic.isRoundingError(
            numerator: filledTaker,
            denominator: order.takerTokenAmount,
            target: order.makerTokenAmount
        )
        guard !isRoundingError else { return try skip(order, .roundingErrorTooLarge) }
        if !throwing {
            guard try isTransferable(order, filledTaker) else {
                return try skip(order, .insufficientBalanceOrAllowance)
            }
        }
        return try settle(order, filledTaker)
    }

    /// Records the fill, moves the tokens and fees, and logs.
    private func settle(
        _ order: ExchangeOrder,
        _ filledTaker: UInt256
    ) throws(CallFailure) -> UInt256 {
        let filledMaker = try part(filledTaker, of: order, target: order.makerTokenAmount)
        let key = StorageKey(address, .filled(order.hash))
        let filled = try ExchangeArithmetic.add(try execution.load(key), filledTaker)
        try execution.store(key, filled)
        try transfer(order.makerToken, from: order.maker, to: caller, filledMaker)
        try transfer(order.takerToken, from: caller, to: order.maker, filledTaker)
        var paidMakerFee = UInt256.zero
        var paidTakerFee = UInt256.zero
        if order.feeRecipient != .zero {
            if order.makerFee > .zero {
                paidMakerFee = try part(filledTaker, of: order, target: order.makerFee)
                try payFee(paidMakerFee, from: order.maker, order)
            }
            if order.takerFee > .zero {
                paidTakerFee = try part(filledTaker, of: order, target: order.takerFee)
                try payFee(paidTakerFee, from: caller, order)
            }
        }
        try execution.charge(.fillLog)
        try execution.emit(
            address,
            topics: [
                ExchangeTopics.fill, order.maker.word, order.feeRecipient.word, order.pairTopic,
            ],
            data: Words.bytes(
                caller.word,
                order.makerToken.word,
                order.takerToken.word,
                filledMaker.word,
                filledTaker.word,
                paidMakerFee.word,
                paidTakerFee.word,
                order.hash
            )
        )
        return filledTaker
    }

    private func payFee(
        _ amount: UInt256,
        from: Address,
        _ order: ExchangeOrder
    ) throws(CallFailure) {
        try execution.charge(.fee)
        let token = try contract(at: Self.feeTokenSlot)
        try transfer(token, from: from, to: order.feeRecipient, amount)
    }

    /// `getPartialAmount(filled, takerTokenAmount, target)`.
    func part(
        _ filled: UInt256,
        of order: ExchangeOrder,
        target: UInt256
    ) throws(CallFailure) -> UInt256 {
        try ExchangeArithmetic.partialAmount(
            numerator: filled,
            denominator: order.takerTokenAmount,
            target: target
        )
    }

    func remaining(_ order: ExchangeOrder) throws(CallFailure) -> UInt256 {
        try execution.charge(.remaining)
        return try ExchangeArithmetic.subtract(
            order.takerTokenAmount,
            try unavailable(order.hash)
        )
    }

    /// Logs why an order is skipped.
    ///
    /// - Returns: zero, since nothing is filled.
    func skip(_ order: ExchangeOrder, _ reason: ExchangeErrorID) throws(CallFailure) -> UInt256 {
        try execution.charge(.errorLog)
        try execution.emit(
            address,
            topics: [ExchangeTopics.error, UInt256(reason.rawValue).word, order.hash],
            data: []
        )
        return .zero
    }

    private func contract(at slot: Bytes32) throws(CallFailure) -> Address {
        Address(truncating: try execution.load(StorageKey(address, .fixed(slot))).word)
    }

    // MARK: Tokens

    /// Moves tokens through the proxy.
    ///
    /// - Throws: `.revert` if the token returns false, `.invalid` if it fails.
    private func transfer(
        _ token: Address,
        from: Address,
        to: Address,
        _ amount: UInt256
    ) throws(CallFailure) {
        try execution.charge(.transfer)
        let proxy = try contract(at: Self.proxySlot)
        try execution.touch(proxy)
        try execution.touch(proxy)
        let contract = ProxyContract(contracts: contracts, execution: execution, caller: address)
        let result = execution.frame { () throws(CallFailure) -> Bool in
            try contract.transferFrom(token: token, from: from, to: to, amount: amount)
        }
        guard case .success(let isMoved) = result else { throw .invalid }
        guard isMoved else { throw .revert([]) }
    }

    /// The check of the skipping functions: balances and allowances of both sides.
    private func isTransferable(
        _ order: ExchangeOrder,
        _ filledTaker: UInt256
    ) throws(CallFailure) -> Bool {
        try execution.charge(.transferable)
        let filledMaker = try part(filledTaker, of: order, target: order.makerTokenAmount)
        guard order.feeRecipient != .zero else {
            guard try has(order.maker, order.makerToken, filledMaker) else { return false }
            return try has(caller, order.takerToken, filledTaker)
        }
        try execution.charge(.transferableFees)
        let feeToken = try contract(at: Self.feeTokenSlot)
        let makerFee = try part(filledTaker, of: order, target: order.makerFee)
        let takerFee = try part(filledTaker, of: order, target: order.takerFee)
        let sellsFeeToken = order.makerToken == feeToken
        let buysWithFeeToken = order.takerToken == feeToken
        let makerNeeds =
            sellsFeeToken ? try ExchangeArithmetic.add(filledMaker, makerFee) : makerFee
        let takerNeeds =
            buysWithFeeToken ? try ExchangeArithmetic.add(filledTaker, takerFee) : takerFee
        guard try has(order.maker, feeToken, makerNeeds), try has(caller, feeToken, takerNeeds)
        else { return false }
        if !sellsFeeToken {
            guard try has(order.maker, order.makerToken, filledMaker) else { return false }
        }
        if !buysWithFeeToken {
            guard try has(caller, order.takerToken, filledTaker) else { return false }
        }
        return true
    }

    private func has(
        _ owner: Address,
        _ token: Address,
        _ amount: UInt256
    ) throws(CallFailure) -> Bool {
        let balance = try query(token) { contract throws(CallFailure) in
            try contract.balance(of: owner)
        }
        guard balance >= amount else { return false }
        let proxy = try contract(at: Self.proxySlot)
        let allowance = try query(token) { contract throws(CallFailure) in
            try contract.allowance(owner: owner, spender: proxy)
        }
        return allowance >= amount
    }

    /// A token query with exactly 4,999 gas; a query that needs more fails the whole call.
    private func query(
        _ token: Address,
        _ body: (TokenContract) throws(CallFailure) -> UInt256
    ) throws(CallFailure) -> UInt256 {
        try execution.charge(.query)
        return try contracts.call(
            token,
            from: address,
            gas: Self.queryGasLimit,
            in: execution,
            body
        )
    }
}

/// The first topics of the exchange's events.
enum ExchangeTopics {
    static let fill = Keccak256.hash(
        ("LogFill(address,address,address,address,address,uint256,uint256,uint256,uint256,"
            + "bytes32,bytes32)").utf8
    )
    static let cancel = Keccak256.hash(
        "LogCancel(address,address,address,address,uint256,uint256,bytes32,bytes32)".utf8
    )
    static let error = Keccak256.hash("LogError(uint8,bytes32)".utf8)
}
