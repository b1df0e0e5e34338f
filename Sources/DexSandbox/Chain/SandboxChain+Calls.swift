import EVM
import Ethereum

/// The state and context of calls at one block; valid until the chain changes.
struct CallBase {
    let tag: BlockTag
    let view: StateView
    let context: BlockContext
    /// What the calls so far have read stays known to it.
    let execution: Execution
}

/// What a call did.
struct CallRun {
    let outcome: Execution.Outcome
    /// With what it costs beforehand, and without what comes back.
    let gasUsed: UInt64
    /// The most gas that it needed on the way.
    let gasBeforeRefund: UInt64
}

extension SandboxChain {
    /// The maximum gas of eth_call and eth_estimateGas, as in geth.
    static let callGasCap: UInt64 = 50_000_000
    /// Blocks behind the newest that count as safe and as finalized, as on mainnet's epochs.
    static let safeDistance: UInt64 = 32
    static let finalizedDistance: UInt64 = 64

    /// The block number of a tag.
    ///
    /// - Throws: `NodeError` for a future block, and for a hash that is not in the chain.
    func number(of tag: BlockTag) throws(NodeError) -> UInt64 {
        let newest = head.header.number
        switch tag {
        case .latest, .pending: return newest
        case .earliest: return try checked(0)
        case .finalized: return behind(Self.finalizedDistance)
        case .number(let number): return try checked(number)
        case .hash(let hash):
            guard let number = blockNumbers[hash] else {
                throw .refused("header for hash not found", as: ChainError.missingBlock)
            }
            return number
        }
    }

    /// The number, if there is such a block.
    private func checked(_ number: UInt64) throws(NodeError) -> UInt64 {
        guard number >= first else {
            throw .refused(
                "header not found: this fork begins at block \(first), and has nothing of before",
                as: ChainError.missingBlock
            )
        }
        guard number <= head.header.number else {
            throw .refused("header not found", as: ChainError.missingBlock)
        }
        return number
    }

    /// The number of a block some way behind the newest; of the first one if there is none.
    func behind(_ distance: UInt64) -> UInt64 {
        let newest = head.header.number
        return newest - first > distance ? newest - distance : first
    }

    /// The state after the block of a tag.
    ///
    /// - Throws: `NodeError` for a future block, or one whose state is no longer kept.
    func view(at tag: BlockTag) throws(NodeError) -> StateView {
        let number = try number(of: tag)
        guard let view = world.view(at: number) else {
            let root = blocks[index(number)].header.stateRoot
            throw .refused(
                "missing trie node \(root.hex) (path ) state \(root.hex) is not available: only "
                    + "the last \(WorldState.historyDepth) blocks keep their state",
                as: ChainError.missingBlock
            )
        }
        return view
    }

    /// The block in which a call at a tag runs.
    ///
    /// At the newest block it is that of the next block, since a quiet chain's newest block may be
    /// hours old. At others it is the block's own.
    private func context(at tag: BlockTag) throws(NodeError) -> BlockContext {
        let number = try number(of: tag)
        return number < head.header.number
            ? context(of: blocks[index(number)].header) : nextContext
    }

    /// The base of calls at a block.
    ///
    /// - Parameter known: the base of the last call, if the chain has not changed since: most
    ///   consecutive calls name the same block.
    func base(at tag: BlockTag, known: CallBase? = nil) throws(NodeError) -> CallBase {
        if let known, known.tag == tag { return known }
        let view = try view(at: tag)
        return CallBase(
            tag: tag,
            view: view,
            context: try context(at: tag),
            execution: execution(on: view)
        )
    }

    /// eth_call.
    ///
    /// - Throws: `NodeError`; a revert has code 3 and its data.
    func call(_ call: CallMessage, on base: CallBase) throws(NodeError) -> [UInt8] {
        let gas = min(call.gas ?? Self.callGasCap, Self.callGasCap)
        let outcome = try run(call, gas: gas, on: base).outcome
        if let error = Self.error(of: outcome) { throw error }
        return embellished(outcome.output, of: call)
    }

    /// eth_estimateGas: the minimum gas with which the call succeeds.
    ///
    /// - Throws: `NodeError` if it fails with any gas.
    func estimateGas(_ call: CallMessage, at tag: BlockTag) throws(NodeError) -> UInt64 {
        let base = try base(at: tag)
        let cap = CallPayment.affordable(
            call,
            ether: base.view[StorageKey(call.from ?? .zero, .ether)],
            maximum: min(call.gas ?? head.header.gasLimit, Self.callGasCap)
        )
        func passes(_ gas: UInt64) -> Bool {
            do throws(NodeError) {
                return try run(call, gas: gas, on: base).outcome.ending == .succeeded
            } catch {
                return false
            }
        }
        let first = try run(call, gas: cap, on: base)
        if let error = Self.error(of: first.outcome) {
            if first.outcome.ending == .failed, first.outcome.failure == .outOfGas {
                throw .failed("gas required exceeds allowance (\(cap))")
            }
            throw error
        }
        // The used gas can be too little only for the 64th part that inner calls must leave.
        var low = first.gasUsed - 1
        var high = cap
        let guess = first.gasBeforeRefund
        if guess < high {
            if passes(guess) { high = guess } else { low = guess }
        }
        while low + 1 < high {
            // The result is usually close to low, so the search begins there.
            let middle = high > 2 * low ? 2 * low : low + (high - low) / 2
            if passes(middle) { high = middle } else { low = middle }
        }
        return high
    }

    /// eth_createAccessList: the accounts and slots that a call touches, and its gas with them.
    func accessList(_ call: CallMessage, at tag: BlockTag) throws(NodeError) -> AccessListTrace {
        let cap = min(call.gas ?? head.header.gasLimit, Self.callGasCap)
        var call = call
        call.accessList = []
        var last: CallRun
        // With a list a call may get further and touch more; repeat until the list is stable.
        var rounds = 0
        repeat {
            let base = try base(at: tag)
            last = try run(call, gas: cap, on: base)
            let sender = call.from ?? .zero
            let target =
                call.to
                ?? Message.contract(of: sender, nonce: base.view[StorageKey(sender, .nonce)].w0)
            let warm: Set<Address> = [sender, target, base.context.coinbase]
            let list = base.execution.touched.filter { entry in
                !entry.storageKeys.isEmpty || !warm.contains(entry.address)
            }
            rounds += 1
            if list == call.accessList || rounds > Self.maximumTraces { break }
            call.accessList = list
        } while true
        return AccessListTrace(
            entries: call.accessList,
            gasUsed: last.gasUsed,
            failure: Self.error(of: last.outcome)?.message
        )
    }

    /// The most runs of eth_createAccessList.
    private static let maximumTraces = 8

    /// Runs a call, as a node does it for eth_call, and counts its work.
    ///
    /// - Throws: `NodeError` if the gas does not cover what it costs beforehand, ether is missing, or
    ///   this chain cannot run it.
    private func run(
        _ call: CallMessage,
        gas: UInt64,
        on base: CallBase
    ) throws(NodeError) -> CallRun {
        try checkRules(of: call.authorizations)
        var message = call.message(gas: gas)
        let intrinsic = message.intrinsicGas(genesis.revision)
        guard gas >= intrinsic else {
            throw .refused(
                "err: intrinsic gas too low: have \(gas), want \(intrinsic) (supplied gas \(gas))",
                as: ChainError.unaffordable
            )
        }
        let floor = transactionGas.floor(of: call.data)
        guard gas >= floor else {
            throw .refused(
                "err: insufficient gas for floor data gas cost: have \(gas), "
                    + "want \(floor) (supplied gas \(gas))",
                as: ChainError.unaffordable
            )
        }
        let payment = try CallPayment(call, gas: gas, in: base.context)
        if call.fee != nil || call.value != .zero {
            let ether = base.view[StorageKey(message.sender, .ether)]
            try payment.check(ether)
            guard ether >= call.value.rawValue else {
                throw .refused(
                    "err: insufficient funds for transfer: address \(message.sender.checksummed) "
                        + "(supplied gas \(gas))",
                    as: ChainError.unaffordable
                )
            }
        }
        message.gasLimit = gas - intrinsic
        message.authorizations = call.authorizations.messages(recoverer)
        let outcome: Execution.Outcome
        do throws(Execution.Gap) {
            outcome = try run(in: base.context) { (context) throws(Execution.Gap) in
                try base.execution.call(
                    message,
                    price: payment.price,
                    fee: payment.price * UInt256(gas),
                    in: context
                )
            }
        } catch {
            work(Self.workOfRequest)
            if case .refused(.initCode) = error { throw Self.initCodeRefusal(call.data.count) }
            throw .refused(error.refusal ?? "this chain cannot run it: \(error)")
        }
        let spent = intrinsic + outcome.gasUsed
        let refund = min(outcome.refund, spent / Self.refundQuotient)
        work(spent)
        return CallRun(
            outcome: outcome,
            gasUsed: max(spent - refund, floor),
            gasBeforeRefund: max(spent, floor)
        )
    }

    /// At most this part of the gas used comes back (EIP-3529).
    private static let refundQuotient: UInt64 = 5

    /// geth's words for too much code that creates a contract.
    static func initCodeRefusal(_ count: Int) -> NodeError {
        .refused("max initcode size exceeded: code size \(count) limit \(Message.maximumInitCode)")
    }

    /// Why a call failed, in geth's words; nil if it succeeded.
    private static func error(of outcome: Execution.Outcome) -> NodeError? {
        switch outcome.ending {
        case .succeeded: nil
        case .reverted: .reverted(outcome.output)
        case .failed: .failed(words(for: outcome.failure))
        }
    }

    private static func words(for failure: Execution.Outcome.Failure) -> String {
        switch failure {
        case .outOfGas: "out of gas"
        case .invalidInstruction(0xFE): "invalid opcode: INVALID"
        case .invalidInstruction(let byte):
            "invalid opcode: opcode 0x\(String(byte, radix: 16)) not defined"
        case .badJump: "invalid jump destination"
        case .stack: "stack underflow or overflow"
        case .creation: "contract creation failed"
        }
    }
}
