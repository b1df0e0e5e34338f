public import Ethereum

/// Runs transactions one after another on a state.
///
/// Nothing leaves it: what they change is kept here, and the state's reader is only asked. As a reader
/// itself it gives the state after them. It belongs to one task at a time.
public final class Execution {
    let world: World
    let revision: Revision
    let prices: GasPrices
    private let recoverer: any SignatureRecovering
    /// Of the last run; its frames serve the next one.
    private var machine: Machine?

    /// - Parameters:
    ///   - state: before the first transaction.
    ///   - revision: the rules of its blocks.
    ///   - recoverer: for the precompile ecrecover.
    ///   - codes: what was prepared before, for executions on the same task.
    public init(
        _ state: any StateReader,
        _ revision: Revision,
        recoverer: any SignatureRecovering,
        codes: CodeCache? = nil
    ) {
        world = World(state, revision, codes)
        self.revision = revision
        self.recoverer = recoverer
        prices = GasPrices(revision)
    }

    /// What a transaction did.
    public struct Outcome: Sendable {
        public let ending: Ending
        /// Why it failed; of no meaning for another ending.
        public let failure: Failure
        public let gasUsed: UInt64
        /// What comes back of the gas for words that were cleared, before a transaction's limit of it;
        /// already taken off a transaction's `gasUsed`, not off a call's.
        public let refund: UInt64
        /// What it returned, or the reason of a revert.
        public let output: [UInt8]
        /// None of a transaction that failed.
        public let logs: [EventLog]
        /// The contract that it created; nil if it failed, or was a call.
        public let contract: Address?
        /// What it read of its surroundings.
        public let reads: ContextReads
        /// All that may be another in the state than before it; of storage only words.
        public internal(set) var changed: Set<StateKey> = []

        /// What ended a transaction against its wish.
        public enum Failure: Hashable, Sendable {
            case outOfGas
            /// By its byte: INVALID, or one that there is none of.
            case invalidInstruction(UInt8)
            case badJump
            /// Too few words on the stack, or too many.
            case stack
            /// Code that may not be stored, or an address that is taken.
            case creation
        }

        public enum Ending: Hashable, Sendable {
            case succeeded
            case reverted
            /// Not by its own wish: out of gas, a bad jump and the like; all gas is gone.
            case failed
        }
    }

    /// The reason why a run says nothing about a transaction.
    public enum Gap: Error, Hashable, Sendable {
        /// The state does not have what it reads: fetch it, and run again.
        case needs(Set<StateKey>)
        /// It calls a precompile that there is none of here.
        case precompile(Address)
        /// It calls code that is none of the EVM, such as Arbitrum's Stylus.
        case foreignCode(Address)
        /// It reads the block's number, which is another chain's there.
        case otherNumber
        /// The rules are not known here.
        case revision(Revision)
        /// No block takes it.
        case refused(MessageRefusal)
    }

    // MARK: Running

    /// Runs a transaction and keeps what it changed.
    ///
    /// - Throws: `Gap`; then nothing is changed.
    public func run(_ message: Message, in block: BlockContext) throws(Gap) -> Outcome {
        var outcome = try undoing { () throws(Gap) in
            try checked(transact(message, machine(block)), block)
        }
        outcome.changed = world.commit()
        return outcome
    }

    /// Runs a call outside of any transaction, as eth_call does, and keeps nothing of it.
    ///
    /// - Parameter gas: what it may cost; nothing is taken off it beforehand, and nobody pays for it.
    /// - Throws: `Gap`.
    public func call(
        _ contract: Address,
        _ data: [UInt8],
        from sender: Address = .zero,
        gas: UInt64 = 50_000_000,
        in block: BlockContext
    ) throws(Gap) -> Outcome {
        try call(Message(sender: sender, to: contract, data: data, gasLimit: gas), in: block)
    }

    /// Runs a message outside of any transaction, as eth_call does, and keeps nothing of it.
    ///
    /// - Parameters:
    ///   - message: its gas limit is what it may cost; nothing is taken off it beforehand, its nonce is
    ///     not looked at, and the sender has its value.
    ///   - price: what the code reads as the price of gas.
    ///   - fee: what the sender has paid for gas; at most what it has beside the value.
    /// - Returns: the outcome; of a creation the output is the code that was stored.
    /// - Throws: `Gap`.
    public func call(
        _ message: Message,
        price: UInt256 = .zero,
        fee: UInt256 = .zero,
        in block: BlockContext
    ) throws(Gap) -> Outcome {
        defer { world.revert(to: .start) }
        return try undoing { () throws(Gap) in
            try checked(view(message, price: price, fee: fee, machine(block)), block)
        }
    }

    /// The accounts and words that all runs have asked for, also those that were undone, without
    /// precompiles: what an access list may name.
    public var touched: [AccessListEntry] { world.touched }

    private func machine(_ block: BlockContext) -> Machine {
        let machine = machine ?? Machine(world, block, revision, recoverer)
        machine.reset(block)
        self.machine = machine
        return machine
    }

    /// - Throws: `Gap.otherNumber`.
    private func checked(_ outcome: Outcome, _ block: BlockContext) throws(Gap) -> Outcome {
        guard !block.hasOtherNumber || !outcome.reads.contains(.number) else { throw .otherNumber }
        return outcome
    }

    private func undoing(_ body: () throws(Gap) -> Outcome) throws(Gap) -> Outcome {
        // The prices of later rules are not all known: a number from them would be wrong.
        guard revision <= .osaka else { throw .revision(revision) }
        world.forgetMissing()
        do throws(Gap) {
            return try body()
        } catch {
            world.revert(to: .start)
            throw error
        }
    }

    /// What the state answered.
    func known<Value>(_ value: Value?) throws(Gap) -> Value {
        guard let value else { throw .needs(world.missing) }
        return value
    }
}

extension Execution: StateReader {
    /// An account after all transactions that were run.
    public func account(_ address: Address) -> Known<AccountRecord?> {
        world.account(address).map { .known($0.record) } ?? .unknown
    }

    /// Code, also of contracts that the transactions created.
    public func code(_ hash: Bytes32) -> Known<[UInt8]> {
        world.code(hash).map { .known($0.bytes) } ?? .unknown
    }

    /// A word after all transactions that were run.
    public func word(_ slot: UInt256, of address: Address) -> Known<UInt256> {
        world.account(address).flatMap { world.value(slot, of: $0) }.map { .known($0) } ?? .unknown
    }
}
