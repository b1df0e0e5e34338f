import Ethereum

/// What calls at one block run on; right until the chain changes.
struct CallBase {
    let tag: BlockTag
    let view: StateView
    let context: BlockContext
}

extension SandboxChain {
    /// The most gas of eth_call and eth_estimateGas, as geth has it.
    static let callGasCap: UInt64 = 50_000_000
    /// Blocks behind the newest that count as safe and as finalized, as on mainnet's epochs.
    static let safeDistance: UInt64 = 32
    static let finalizedDistance: UInt64 = 64

    /// The number of the block that a tag names.
    ///
    /// - Throws: `NodeError` for a block to come.
    func number(of tag: BlockTag) throws(NodeError) -> UInt64 {
        let newest = head.header.number
        switch tag {
        case .latest, .pending: return newest
        case .earliest: return 0
        case .finalized:
            return newest > Self.finalizedDistance ? newest - Self.finalizedDistance : 0
        case .number(let number):
            guard number <= newest else {
                throw .refused("header not found", as: ChainError.missingBlock)
            }
            return number
        }
    }

    /// The state after the block that a tag names.
    ///
    /// - Throws: `NodeError` for a block to come, or one whose state is not kept any more.
    func view(at tag: BlockTag) throws(NodeError) -> StateView {
        let number = try number(of: tag)
        guard let view = world.view(at: number) else {
            let root = blocks[Int(number)].header.stateRoot
            throw .refused(
                "missing trie node \(root.hex) (path ) state \(root.hex) is not available: only "
                    + "the last \(WorldState.historyDepth) blocks keep their state",
                as: ChainError.missingBlock
            )
        }
        return view
    }

    /// The surroundings of a call at a tag: at the newest block those of the block that would be
    /// made now, since a quiet chain's newest block may be hours old; at others those of the block.
    func context(at tag: BlockTag) throws(NodeError) -> BlockContext {
        let number = try number(of: tag)
        guard number < head.header.number else { return nextContext }
        let header = blocks[Int(number)].header
        return BlockContext(
            number: header.number,
            timestamp: header.timestamp,
            baseFee: header.baseFee,
            coinbase: header.coinbase
        )
    }

    /// What calls at a block run on.
    ///
    /// - Parameter known: what the last call ran on, where the chain has not changed since: most
    ///   calls one after another name the same block.
    func base(at tag: BlockTag, known: CallBase?) throws(NodeError) -> CallBase {
        if let known, known.tag == tag { return known }
        return CallBase(tag: tag, view: try view(at: tag), context: try context(at: tag))
    }

    /// eth_call.
    ///
    /// - Throws: `NodeError`; a revert has code 3 and its data.
    func call(_ request: CallRequest, on base: CallBase) throws(NodeError) -> [UInt8] {
        let run = try runner.call(
            request,
            gas: min(request.gas ?? Self.callGasCap, Self.callGasCap),
            on: base.view,
            in: base.context
        )
        work(run.gasUsed)
        switch run.result {
        case .success(let bytes): return bytes
        case .failure(let failure): throw Self.error(of: failure)
        }
    }

    /// eth_estimateGas: the least gas with which the call succeeds.
    ///
    /// - Throws: `NodeError` where it fails with any gas.
    func estimateGas(_ request: CallRequest, at tag: BlockTag) throws(NodeError) -> UInt64 {
        let view = try view(at: tag)
        let context = try context(at: tag)
        let cap = CallPayment.affordable(
            request,
            ether: view[StorageKey(request.from ?? .zero, .ether)],
            most: min(request.gas ?? head.header.gasLimit, Self.callGasCap)
        )
        func passes(_ gas: UInt64) -> Bool {
            do throws(NodeError) {
                let run = try runner.call(request, gas: gas, on: view, in: context)
                work(run.gasUsed)
                if case .success = run.result { return true }
                return false
            } catch {
                return false
            }
        }
        let first = try runner.call(request, gas: cap, on: view, in: context)
        work(first.gasUsed)
        if case .failure(let failure) = first.result {
            if failure == .outOfGas { throw .failed("gas required exceeds allowance (\(cap))") }
            throw Self.error(of: failure)
        }
        // What was used fails at most for the 64th parts that inner calls must leave behind.
        var low = first.gasUsed - 1
        var high = cap
        let guess = first.gasBeforeRefund
        if guess < high {
            if passes(guess) { high = guess } else { low = guess }
        }
        while low + 1 < high {
            // Low is nearly always the answer's neighbour, so the search begins close to it.
            let middle = high > 2 * low ? 2 * low : low + (high - low) / 2
            if passes(middle) { high = middle } else { low = middle }
        }
        return high
    }

    /// eth_createAccessList: the accounts and slots that a call touches, and its gas with them.
    func accessList(
        _ request: CallRequest,
        at tag: BlockTag
    ) throws(NodeError) -> AccessListTrace {
        let view = try view(at: tag)
        let context = try context(at: tag)
        let cap = min(request.gas ?? head.header.gasLimit, Self.callGasCap)
        let warm: Set<Address> = [request.from ?? .zero, request.to, context.coinbase]
        var request = request
        request.accessList = []
        func trace() throws(NodeError) -> TransactionRunner.CallRun {
            let run = try runner.call(
                request,
                gas: cap,
                on: view,
                in: context,
                recordingTouches: true
            )
            work(run.gasUsed)
            return run
        }
        var run = try trace()
        // A list may let a call get further, where more is touched; so until it stays the same.
        for _ in 0..<8 {
            let list = Self.union(
                run.execution.accessList(excluding: warm),
                request.accessList
            )
            if list == request.accessList { break }
            request.accessList = list
            run = try trace()
        }
        var failure: String?
        if case .failure(let reason) = run.result { failure = Self.error(of: reason).message }
        return AccessListTrace(
            entries: request.accessList,
            gasUsed: run.gasUsed,
            failure: failure
        )
    }

    private static func union(
        _ left: [AccessListEntry],
        _ right: [AccessListEntry]
    ) -> [AccessListEntry] {
        var slots: [Address: Set<Bytes32>] = [:]
        for entry in left + right {
            slots[entry.address, default: []].formUnion(entry.storageKeys)
        }
        return slots.sorted { $0.key < $1.key }.map { address, words in
            AccessListEntry(address: address, storageKeys: words.sorted())
        }
    }

    private static func error(of failure: CallFailure) -> NodeError {
        switch failure {
        case .revert(let data): .reverted(data)
        case .invalid: .failed("invalid opcode: INVALID")
        case .outOfGas: .failed("out of gas")
        }
    }
}
