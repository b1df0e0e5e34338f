import Ethereum

/// Runs transactions and calls by Ethereum's rules: gas purchase, execution, refund and payment.
struct TransactionRunner: Sendable {
    let contracts: Contracts

    /// The result of a run and the changed state.
    struct Run {
        let outcome: TransactionOutcome
        let changes: [StorageKey: UInt256]
    }

    /// Runs a valid transaction.
    ///
    /// - Returns: nil if it cannot run in this block: a wrong nonce, a fee cap below the base
    ///   fee, or too little ether.
    func run(_ signed: SignedTransaction, on base: StateView, in block: BlockContext) -> Run? {
        let transaction = signed.transaction
        guard let to = transaction.to, let maximumCost = transaction.maximumCost,
            base[StorageKey(signed.sender, .nonce)] == UInt256(transaction.nonce),
            base[StorageKey(signed.sender, .ether)] >= maximumCost
        else { return nil }
        let feeCap = transaction.maximumGasPrice.rawValue
        let baseFee = UInt256(block.baseFee)
        guard feeCap >= baseFee else { return nil }
        let tip = min(feeCap - baseFee, transaction.tipCap.rawValue)
        let price = baseFee + tip
        let costs = GasSchedule.intrinsic(
            data: transaction.data,
            accessList: transaction.accessList
        )
        guard let narrowPrice = price.uint64,
            transaction.gasLimit >= max(costs.gas, costs.floor)
        else { return nil }
        let execution = Execution(
            base: base,
            block: block,
            gas: transaction.gasLimit - costs.gas,
            gasPrice: price
        )
        let sender = StorageKey(signed.sender, .ether)
        // No overflow below: everything is at most the maximum cost, which the sender has.
        let bought = price * UInt256(transaction.gasLimit)
        execution.put(sender, execution.peek(sender) - bought)
        execution.put(StorageKey(signed.sender, .nonce), UInt256(transaction.nonce) + 1)
        prepare(execution, sender: signed.sender, to: to, accessList: transaction.accessList)
        let message = Message(
            caller: signed.sender,
            to: to,
            value: transaction.value.rawValue,
            data: transaction.data
        )
        let result = contracts.run(message, in: execution)
        let spent = transaction.gasLimit - execution.gasLeft
        let gasUsed = max(spent - refund(execution, spent: spent), costs.floor)
        execution.put(
            sender,
            execution.peek(sender) + price * UInt256(transaction.gasLimit - gasUsed)
        )
        let coinbase = StorageKey(block.coinbase, .ether)
        execution.put(coinbase, execution.peek(coinbase) + tip * UInt256(gasUsed))
        var succeeded = false
        if case .success = result { succeeded = true }
        return Run(
            outcome: TransactionOutcome(
                succeeded: succeeded,
                gasUsed: gasUsed,
                gasPrice: narrowPrice,
                logs: succeeded ? execution.logs : []
            ),
            changes: execution.changes
        )
    }

    /// A call's outcome: its return data and used gas.
    struct CallRun {
        let result: Result<[UInt8], CallFailure>
        let gasUsed: UInt64
        /// The maximum gas needed during the run, before refunds.
        let gasBeforeRefund: UInt64
        let execution: Execution
    }

    /// Runs a call without effects (eth_call, and each attempt of eth_estimateGas).
    ///
    /// - Throws: `NodeError` if the gas does not cover the call data, or ether is missing.
    func call(
        _ request: CallRequest,
        gas: UInt64,
        on base: StateView,
        in block: BlockContext,
        recordingTouches: Bool = false
    ) throws(NodeError) -> CallRun {
        let from = request.from ?? .zero
        let costs = GasSchedule.intrinsic(data: request.data, accessList: request.accessList)
        guard gas >= costs.gas else {
            throw .refused(
                "err: intrinsic gas too low: have \(gas), want \(costs.gas) (supplied gas \(gas))",
                as: ChainError.unaffordable
            )
        }
        guard gas >= costs.floor else {
            throw .refused(
                "err: insufficient gas for floor data gas cost: have \(gas), "
                    + "want \(costs.floor) (supplied gas \(gas))",
                as: ChainError.unaffordable
            )
        }
        let payment = try CallPayment(request, gas: gas, from: from, in: block)
        let execution = Execution(
            base: base,
            block: block,
            gas: gas - costs.gas,
            gasPrice: payment.price
        )
        if recordingTouches { execution.recordTouches() }
        prepare(execution, sender: from, to: request.to, accessList: request.accessList)
        let value = request.value.rawValue
        try payment.buy(from: execution)
        guard value == .zero || base[StorageKey(from, .ether)] >= value else {
            throw .refused(
                "err: insufficient funds for transfer: address \(from.checksummed) "
                    + "(supplied gas \(gas))",
                as: ChainError.unaffordable
            )
        }
        let message = Message(caller: from, to: request.to, value: value, data: request.data)
        let result = contracts.run(message, in: execution)
        let spent = gas - execution.gasLeft
        return CallRun(
            result: result,
            gasUsed: max(spent - refund(execution, spent: spent), costs.floor),
            gasBeforeRefund: max(spent, costs.floor),
            execution: execution
        )
    }

    private func prepare(
        _ execution: Execution,
        sender: Address,
        to: Address,
        accessList: [AccessListEntry]
    ) {
        execution.announce(sender)
        execution.announce(to)
        execution.announce(execution.block.coinbase)
        if !accessList.isEmpty { execution.announce(accessList) }
    }

    private func refund(_ execution: Execution, spent: UInt64) -> UInt64 {
        min(UInt64(max(execution.refund, 0)), spent / GasSchedule.refundQuotient)
    }
}
