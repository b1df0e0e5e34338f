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

    /// - Parameters:
    ///   - state: before the first transaction.
    ///   - revision: the rules of its blocks.
    ///   - recoverer: for the precompile ecrecover.
    public init(
        _ state: any StateReader,
        _ revision: Revision,
        recoverer: any SignatureRecovering
    ) {
        world = World(state, revision)
        self.revision = revision
        self.recoverer = recoverer
        prices = GasPrices(revision)
    }

    /// What a transaction did.
    public struct Outcome: Sendable {
        public let ending: Ending
        public let gasUsed: UInt64
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

        public enum Ending: Hashable, Sendable {
            case succeeded
            case reverted
            /// Not by its own wish: out of gas, a bad jump and the like; all gas is gone.
            case failed
        }
    }

    /// Why a run says nothing about a transaction.
    public enum Gap: Error, Hashable, Sendable {
        /// The state does not have what it reads: fetch it, and run again.
        case needs(Set<StateKey>)
        /// It calls a precompile that there is none of here.
        case precompile(Address)
        /// It calls code that is none of the EVM, such as Arbitrum's Stylus.
        case foreignCode(Address)
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
        var outcome = try undoing { () throws(Gap) in try transact(message, machine(block)) }
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
        let message = Message(sender: sender, to: contract, data: data, gasLimit: gas)
        defer { world.revert(to: .start) }
        return try undoing { () throws(Gap) in try view(message, machine(block)) }
    }

    private func machine(_ block: BlockContext) -> Machine {
        Machine(world, block, revision, recoverer)
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
