import Ethereum

extension Execution {
    /// Checks, pays, runs and refunds.
    func transact(_ message: Message, _ machine: Machine) throws(Gap) -> Outcome {
        let block = machine.block
        let intrinsic = message.intrinsicGas(prices)
        let floor = prices.transaction.floor(of: message.data)
        try check(message, block, minimum: max(intrinsic, floor))
        let sender = try known(world.account(message.sender))
        try check(message, sender, machine)
        let price = message.price(block.baseFee.rawValue)
        let cost = UInt256(message.gasLimit).multiplied(by: price)
            .adding(message.blobGas(prices).multiplied(by: block.blobBaseFee.rawValue))
        world.set(balance: sender.balance.subtracting(cost), of: sender)
        world.set(nonce: sender.nonce + 1, of: sender)
        world.touch(sender)
        world.makeExist(sender)
        (machine.origin, machine.gasPrice) = (message.sender, price)
        machine.blobHashes = message.blobs?.hashes.map { UInt256($0) } ?? []
        let coinbase = try known(world.account(block.coinbase))
        try warm(message, sender, coinbase)
        try authorize(message.authorizations ?? [], machine)
        let gas = Int64(message.gasLimit - intrinsic)
        let result = try start(message, sender, machine, gas: gas)
        let used = gasUsed(by: message, result, floor: Int64(floor))
        settle(message, used, price, sender, coinbase, block)
        let isCreation = message.to == nil && result.exit == .stop
        return outcome(
            result,
            used,
            machine,
            contract: isCreation
                ? Message.contract(of: message.sender, nonce: message.nonce) : nil
        )
    }

    /// A call outside of any transaction.
    func view(
        _ message: Message,
        price: UInt256,
        fee: UInt256,
        _ machine: Machine
    ) throws(Gap) -> Outcome {
        let sender = try known(world.account(message.sender))
        (machine.origin, machine.gasPrice) = (message.sender, price)
        if !fee.isZero { world.set(balance: sender.balance &- fee, of: sender) }
        try warm(message, sender, try known(world.account(machine.block.coinbase)))
        if let authorizations = message.authorizations {
            // As in a transaction, which has used the sender's nonce before.
            world.set(nonce: sender.nonce.addingSaturating(1), of: sender)
            try authorize(authorizations, machine)
        }
        let gas = Int64(min(message.gasLimit, UInt64(Int64.max)))
        guard message.to == nil else {
            let result = try start(message, sender, machine, gas: gas)
            return outcome(result, gas - result.gas, machine, contract: nil)
        }
        guard message.data.count <= SizeLimit.initCode, sender.nonce < .max else {
            throw .refused(.initCode)
        }
        var creation = message
        creation.nonce = sender.nonce
        world.set(nonce: sender.nonce + 1, of: sender)
        let result = try start(creation, sender, machine, gas: gas)
        let contract = Message.contract(of: message.sender, nonce: creation.nonce)
        guard result.exit == .stop else {
            return outcome(result, gas - result.gas, machine, contract: nil)
        }
        let account = try known(world.account(contract))
        let code = try known(world.code(of: account))
        return outcome(
            Machine.Result(exit: .stop, gas: result.gas, output: code.bytes),
            gas - result.gas,
            machine,
            contract: contract
        )
    }

    private func outcome(
        _ result: Machine.Result,
        _ gasUsed: Int64,
        _ machine: Machine,
        contract: Address?
    ) -> Outcome {
        Outcome(
            ending: result.exit == .stop
                ? .succeeded : result.exit == .revert ? .reverted : .failed,
            failure: machine.failure,
            gasUsed: UInt64(gasUsed),
            refund: UInt64(max(0, world.refund)),
            output: result.output,
            logs: world.logs,
            contract: contract,
            reads: machine.reads
        )
    }

    // MARK: What a block does not take

    /// Whatever the state.
    private func check(
        _ message: Message,
        _ block: BlockContext,
        minimum: UInt64
    ) throws(Gap) {
        if let authorizations = message.authorizations {
            guard !authorizations.isEmpty, message.to != nil, message.blobs == nil,
                revision >= .prague
            else { throw .refused(.authorizations) }
        }
        guard message.gasLimit >= minimum else { throw .refused(.gasTooLow(minimum: minimum)) }
        let maximum = min(block.gasLimit, prices.transaction.maximum ?? .max, UInt64(Int64.max))
        guard message.gasLimit <= maximum else { throw .refused(.gasTooHigh(maximum: maximum)) }
        guard message.maxFee >= block.baseFee, (message.tip ?? .zero) <= message.maxFee else {
            throw .refused(.fees)
        }
        guard message.to != nil || message.data.count <= SizeLimit.initCode else {
            throw .refused(.initCode)
        }
        if let blobs = message.blobs {
            guard !blobs.hashes.isEmpty, blobs.hashes.count <= prices.maximumBlobs,
                blobs.hashes.allSatisfy({ $0.limbs.0 >> 56 == 1 }), message.to != nil,
                blobs.maxFee >= block.blobBaseFee
            else { throw .refused(.blobs) }
        }
    }

    /// By its sender.
    private func check(
        _ message: Message,
        _ sender: Account,
        _ machine: Machine
    ) throws(Gap) {
        let code = try known(world.code(of: sender))
        guard sender.nonce == message.nonce, sender.nonce < .max else {
            throw .refused(.nonce(sender.nonce))
        }
        guard code.count == 0 || machine.delegate(of: code) != nil else {
            throw .refused(.contract)
        }
        guard let maximum = message.maximumCost(prices), maximum <= sender.balance else {
            throw .refused(.funds(Wei(sender.balance)))
        }
    }

    // MARK: Before the first instruction

    private func warm(
        _ message: Message,
        _ sender: Account,
        _ coinbase: Account
    ) throws(Gap) {
        _ = world.warm(sender)
        _ = world.warm(coinbase)
        if let to = message.to { _ = world.warm(try known(world.account(to))) }
        for entry in message.accessList {
            let account = try known(world.account(entry.address))
            _ = world.warm(account)
            for key in entry.storageKeys {
                _ = try known(world.word(UInt256(key), of: account))
            }
        }
    }

    private func authorize(
        _ authorizations: [Message.Authorization],
        _ machine: Machine
    ) throws(Gap) {
        let chain = UInt256(machine.block.chainID)
        for authorization in authorizations {
            guard let signer = authorization.signer,
                authorization.chainID == .zero || authorization.chainID == chain,
                authorization.nonce < .max
            else { continue }
            let account = try known(world.account(signer))
            _ = world.warm(account)
            let code = try known(world.code(of: account))
            guard code.count == 0 || machine.delegate(of: code) != nil,
                account.nonce == authorization.nonce
            else { continue }
            if account.exists, !account.isEmpty { world.refund += prices.authorizationRefund }
            world.makeExist(account)
            world.touch(account)
            let delegate = authorization.delegate
            world.set(
                code: delegate == .zero ? [] : Delegation.code(for: delegate),
                of: account
            )
            world.set(nonce: account.nonce + 1, of: account)
        }
    }

    private func start(
        _ message: Message,
        _ sender: Account,
        _ machine: Machine,
        gas: Int64
    ) throws(Gap) -> Machine.Result {
        let value = message.value.rawValue
        let result: Machine.Result
        if let to = message.to {
            let account = try known(world.account(to))
            if let delegate = machine.delegate(of: try known(world.code(of: account))) {
                _ = world.warm(try known(world.account(delegate)))
            }
            result = machine.call(
                from: sender,
                to: account,
                value: value,
                input: message.data,
                gas: gas
            )
        } else {
            result = machine.create(
                from: sender,
                value: value,
                code: message.data,
                nonce: message.nonce,
                gas: gas
            )
        }
        if let gap = machine.gap { throw gap }
        guard result.exit != .unknown else { throw .needs(world.missing) }
        return result
    }

    // MARK: After the last one

    private func gasUsed(
        by message: Message,
        _ result: Machine.Result,
        floor: Int64
    ) -> Int64 {
        let used = Int64(message.gasLimit) - result.gas
        return max(used - min(used / prices.refundQuotient, max(0, world.refund)), floor)
    }

    /// Gives back what is left, and pays the block's maker.
    private func settle(
        _ message: Message,
        _ used: Int64,
        _ price: UInt256,
        _ sender: Account,
        _ coinbase: Account,
        _ block: BlockContext
    ) {
        let rest = UInt256(message.gasLimit - UInt64(used)).multiplied(by: price)
        world.set(balance: sender.balance.adding(rest), of: sender)
        let fee = UInt256(UInt64(used))
            .multiplied(by: price.subtracting(block.baseFee.rawValue))
        world.touch(coinbase)
        guard !fee.isZero else { return }
        world.makeExist(coinbase)
        world.set(balance: coinbase.balance.adding(fee), of: coinbase)
    }
}
