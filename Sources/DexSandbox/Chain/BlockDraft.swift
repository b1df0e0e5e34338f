import EVM
import Ethereum

/// A block that is being made or verified: its transactions, one after another.
struct BlockDraft {
    let context: BlockContext
    private let view: StateView
    private let execution: Execution
    private(set) var gasUsed: UInt64 = 0
    private(set) var included: [(PooledTransaction, TransactionOutcome)] = []
    private var touched: Set<StateKey> = []

    /// Begins on the newest block's state.
    init(_ context: BlockContext, on chain: isolated SandboxChain) {
        self.context = context
        view = chain.world.latest
        execution = chain.execution(on: view)
    }

    /// The next nonce of an account after the transactions so far; nil where it has none.
    func nonce(of sender: Address) -> UInt64? {
        guard case .known(let account) = execution.account(sender) else { return nil }
        return account?.nonce ?? 0
    }

    /// Runs a transaction and takes it into the block.
    ///
    /// - Throws: `Execution.Gap` if the block cannot have it; then nothing is changed.
    mutating func run(
        _ pooled: PooledTransaction,
        on chain: isolated SandboxChain
    ) throws(Execution.Gap) {
        let outcome = try chain.outcome(of: pooled.signed, in: context, on: execution)
        touched.formUnion(outcome.changed)
        let result = TransactionOutcome(outcome, of: pooled.signed, in: context)
        included.append((pooled, result))
        gasUsed += result.gasUsed
    }

    /// What the transactions changed.
    var effects: BlockEffects {
        var effects = BlockEffects()
        func set(_ address: Address, _ slot: Slot, _ value: UInt256) {
            let key = StorageKey(address, slot)
            if view[key] != value { effects.changes[key] = value }
        }
        for key in touched {
            switch key {
            case .account(let address):
                guard case .known(let found) = execution.account(address) else { continue }
                let account = found ?? AccountRecord()
                set(address, .nonce, UInt256(account.nonce))
                set(address, .ether, account.balance.rawValue)
                guard account.codeHash != StateAccount.emptyCodeHash else {
                    set(address, .code, .zero)
                    continue
                }
                set(address, .code, UInt256(account.codeHash))
                guard effects.changes[StorageKey(address, .code)] != nil,
                    case .known(let code) = execution.code(account.codeHash)
                else { continue }
                effects.codes[account.codeHash] = code
            case .word(let place, let address):
                guard case .known(let word) = execution.word(place, of: address) else { continue }
                set(address, .word(place), word)
            case .code, .blockHash: break
            }
        }
        return effects
    }
}

/// What a block changes.
struct BlockEffects {
    /// New values, each another one than before.
    var changes: [StorageKey: UInt256] = [:]
    /// Of contracts that it creates, by hash.
    var codes: [Bytes32: [UInt8]] = [:]
}

extension SandboxChain {
    /// Runs a transaction, which the execution then has.
    ///
    /// - Throws: `Execution.Gap`, also for a price beyond 64 bits, which receipts cannot keep.
    func outcome(
        of signed: SignedTransaction,
        in context: BlockContext,
        on execution: Execution
    ) throws(Execution.Gap) -> Execution.Outcome {
        guard signed.transaction.maximumGasPrice.rawValue.uint64 != nil else {
            throw .refused(.fees)
        }
        var message = signed.message
        message.authorizations = signed.transaction.authorizations.messages(recoverer)
        return try run(in: context) { (context) throws(Execution.Gap) in
            try execution.run(message, in: context)
        }
    }
}

extension TransactionOutcome {
    init(_ outcome: Execution.Outcome, of signed: SignedTransaction, in block: BlockContext) {
        let baseFee = block.baseFee.rawValue
        // The block takes no cap below its base fee.
        let room = signed.transaction.maximumGasPrice.rawValue - baseFee
        let price = baseFee + min(room, signed.transaction.tipCap.rawValue)
        self.init(
            succeeded: outcome.ending == .succeeded,
            gasUsed: outcome.gasUsed,
            gasPrice: price.w0,
            logs: outcome.logs.map { Log(address: $0.address, topics: $0.topics, data: $0.data) }
        )
    }
}
