import Ethereum

/// The state and context of calls at one block; valid until the chain changes.
struct CallBase {
    let tag: BlockTag
    let view: StateView
    let context: BlockContext
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
        case .earliest: return 0
        case .finalized:
            return newest > Self.finalizedDistance ? newest - Self.finalizedDistance : 0
        case .number(let number):
            guard number <= newest else {
                throw .refused("header not found", as: ChainError.missingBlock)
            }
            return number
        case .hash(let hash):
            guard let number = blockNumbers[hash] else {
                throw .refused("header for hash not found", as: ChainError.missingBlock)
            }
            return number
        }
    }

    /// The state after the block of a tag.
    ///
    /// - Throws: `NodeError` for a future block, or one whose state is no longer kept.
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

    /// The context of a call at a tag.
    ///
    /// At the newest block it is that of the next block, since a quiet chain's newest block may be
    /// hours old. At others it is the block's own.
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

    /// The base of calls at a block.
    ///
    /// - Parameter known: the base of the last call, if the chain has not changed since: most
    ///   consecutive calls name the same block.
    func base(at tag: BlockTag, known: CallBase?) throws(NodeError) -> CallBase {
        if let known, known.tag == tag { return known }
        return CallBase(tag: tag, view: try view(at: tag), context: try context(at: tag))
    }

    /// eth_call.
    ///
    /// - Throws: `NodeError`; a revert has code 3 and its data.
    func call(_ request: CallRequest, on base: CallBase) throws(NodeError) -> [UInt8] {
        let gas = min(request.gas ?? Self.callGasCap, Self.callGasCap)
        switch try run(request, gas: gas, on: base.view, in: base.context).result {
        case .success(let bytes): return embellished(bytes, of: request)
        case .failure(let failure): throw Self.error(of: failure)
        }
    }

    /// eth_estimateGas: the minimum gas with which the call succeeds.
    ///
    /// - Throws: `NodeError` if it fails with any gas.
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
                let run = try run(request, gas: gas, on: view, in: context)
                return if case .success = run.result { true } else { false }
            } catch {
                return false
            }
        }
        let first = try run(request, gas: cap, on: view, in: context)
        if case .failure(let failure) = first.result {
            if failure == .outOfGas { throw .failed("gas required exceeds allowance (\(cap))") }
            throw Self.error(of: failure)
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
            try run(request, gas: cap, on: view, in: context, recordingTouches: true)
        }
        var last = try trace()
        // With a list a call may get further and touch more; repeat until the list is stable.
        for _ in 0..<8 {
            let list = Self.union(
                last.execution.accessList(excluding: warm),
                request.accessList
            )
            if list == request.accessList { break }
            request.accessList = list
            last = try trace()
        }
        var failure: String?
        if case .failure(let reason) = last.result { failure = Self.error(of: reason).message }
        return AccessListTrace(
            entries: request.accessList,
            gasUsed: last.gasUsed,
            failure: failure
        )
    }

    /// Runs a call and counts its work.
    private func run(
        _ request: CallRequest,
        gas: UInt64,
        on view: StateView,
        in context: BlockContext,
        recordingTouches: Bool = false
    ) throws(NodeError) -> TransactionRunner.CallRun {
        let run = try runner.call(
            request,
            gas: gas,
            on: view,
            in: context,
            recordingTouches: recordingTouches
        )
        work(run.gasUsed)
        return run
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
