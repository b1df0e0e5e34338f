import Ethereum

/// Runs calls within a transaction: the frames, and what passes between them.
///
/// A call inside a call is a frame more, not a call of Swift's: a thousand of them need no stack.
final class Machine {
    let world: World
    let block: BlockContext
    let revision: Revision
    let prices: GasPrices
    /// 256 of them, by their bytes.
    let instructions: UnsafeMutablePointer<Instruction>
    private let recoverer: any SignatureRecovering
    private var frames: [Frame] = []
    /// Of the running frame.
    private(set) var depth = 0

    // Of the transaction.
    var origin = Address.zero
    var gasPrice = UInt256.zero
    var blobHashes: [UInt256] = []

    /// What was read of the surroundings.
    var reads: ContextReads = []
    /// What a run needed and that there is none of.
    private(set) var gap: Execution.Gap?
    /// Why the outermost frame failed, if it did.
    var failure = Execution.Outcome.Failure.outOfGas

    static let maximumDepth = 1_024

    private static let tables = Revision.allCases.map(Instruction.table)

    init(
        _ world: World,
        _ block: BlockContext,
        _ revision: Revision,
        _ recoverer: any SignatureRecovering
    ) {
        self.world = world
        self.recoverer = recoverer
        self.block = block
        self.revision = revision
        prices = GasPrices(revision)
        let table = Self.tables[revision.rawValue]
        instructions = .allocate(capacity: table.count)
        instructions.initialize(from: table, count: table.count)
    }

    deinit { instructions.deallocate() }

    /// How a frame ends.
    enum Exit {
        /// It is done.
        case stop
        /// It was undone by its own wish; what is left of its gas comes back.
        case revert
        /// It was undone, and its gas is gone.
        case fail
        /// A frame inside it begins.
        case enter
        /// Nobody knows how it goes on: the state does not have what it reads, or there is a `gap`.
        case unknown
    }

    /// What a whole call did.
    struct Result {
        let exit: Exit
        let gas: Int64
        let output: [UInt8]
    }

    static let unknown = Result(exit: .unknown, gas: 0, output: [])

    // MARK: Calls

    /// The call of a transaction.
    func call(
        from sender: Account,
        to account: Account,
        value: UInt256,
        input: [UInt8],
        gas: Int64
    ) -> Result {
        depth = 0
        let checkpoint = world.checkpoint
        world.transfer(value, from: sender, to: account)
        if let number = account.precompile {
            switch run(number, input, gas: gas) {
            case .answer(let output, let price):
                return Result(exit: .stop, gas: gas - price, output: output)
            case .fail:
                world.revert(to: checkpoint)
                return Result(exit: .fail, gas: 0, output: [])
            case .unsupported: return Self.unknown
            }
        }
        guard let code = executed(by: account) else { return Self.unknown }
        let frame = begin(at: 0, account, code, checkpoint)
        (frame.caller, frame.value, frame.input) = (sender.address, value, input)
        (frame.gas, frame.isStatic) = (gas, false)
        return drive()
    }

    /// The creation of a transaction.
    ///
    /// - Parameter nonce: the sender's before it.
    func create(
        from sender: Account,
        value: UInt256,
        code: [UInt8],
        nonce: UInt64,
        gas: Int64
    ) -> Result {
        depth = 0
        let address = Message.contract(of: sender.address, nonce: nonce)
        guard let account = world.account(address) else { return Self.unknown }
        _ = world.warm(account)
        guard !account.isOccupied else {
            failure = .creation
            return Result(exit: .fail, gas: 0, output: [])
        }
        let frame = begin(at: 0, account, Code(code), world.checkpoint)
        (frame.caller, frame.value, frame.input) = (sender.address, value, [])
        (frame.gas, frame.isStatic, frame.isCreation) = (gas, false, true)
        world.create(account)
        world.transfer(value, from: sender, to: account)
        return drive()
    }

    /// The address of a contract by its code (EIP-1014).
    static func address(of creator: Address, salt: UInt256, code: [UInt8]) -> Address {
        Address(
            truncating: Keccak256.hash(
                [0xFF] + creator.bytes + salt.bigEndianBytes + Keccak256.hash(code).bytes
            )
        )
    }

    /// The code that a call of an account runs: its own, or its delegate's, one step only.
    ///
    /// - Returns: nil if it is not known, or none of the EVM.
    func executed(by account: Account) -> Code? {
        guard let code = world.code(of: account) else { return nil }
        guard let address = delegate(of: code) else { return native(code, account) }
        guard let other = world.account(address) else { return nil }
        guard other.precompile == nil else { return Code([]) }
        return world.code(of: other).flatMap { native($0, other) }
    }

    private func native(_ code: Code, _ account: Account) -> Code? {
        guard code.isForeign || block.hasOwnPrecompile(at: account.address) else { return code }
        gap = code.isForeign ? .foreignCode(account.address) : .precompile(account.address)
        return nil
    }

    func delegate(of code: Code) -> Address? {
        revision >= .prague ? code.delegate : nil
    }

    // MARK: Frames

    /// A frame for a call at a depth.
    func begin(
        at depth: Int,
        _ account: Account,
        _ code: Code,
        _ checkpoint: World.Checkpoint
    ) -> Frame {
        if depth == frames.count { frames.append(Frame(account, code)) }
        let frame = frames[depth]
        frame.reset()
        (frame.account, frame.code, frame.checkpoint) = (account, code, checkpoint)
        return frame
    }

    private func drive() -> Result {
        while true {
            let frame = frames[depth]
            var exit = run(frame)
            switch exit {
            case .enter:
                depth += 1
                continue
            case .unknown: return Self.unknown
            case .stop:
                if frame.isCreation, !deposit(frame) {
                    exit = .fail
                    failure = .creation
                }
            case .revert, .fail: break
            }
            if exit == .fail { (frame.gas, frame.output) = (0, []) }
            if exit != .stop { world.revert(to: frame.checkpoint) }
            guard depth > 0 else {
                return Result(exit: exit, gas: frame.gas, output: frame.output)
            }
            failure = .outOfGas
            depth -= 1
            resume(frames[depth], after: frame, exit)
        }
    }

    /// Stores the code that a creation returned; false if it may not be stored.
    private func deposit(_ frame: Frame) -> Bool {
        let code = frame.output
        let price = Int64(code.count) * prices.codeByte
        guard code.count <= SizeLimit.code, code.first != 0xEF, price <= frame.gas else {
            return false
        }
        frame.gas -= price
        world.set(code: code, of: frame.account)
        frame.output = []
        return true
    }

    /// Gives a frame what the one inside it left.
    private func resume(_ frame: Frame, after inner: Frame, _ exit: Exit) {
        frame.gas += inner.gas
        if inner.isCreation {
            frame.top.pointee =
                exit == .stop ? UInt256(inner.account.address.word) : .zero
            frame.returned = exit == .revert ? inner.output : []
        } else {
            frame.top.pointee = UInt256(exit == .stop)
            frame.returned = inner.output
            frame.memory.write(
                inner.output,
                at: frame.answer.offset,
                atMost: frame.answer.size
            )
        }
        frame.top += 1
        inner.output = []
    }

    // MARK: Precompiles

    func run(_ number: UInt64, _ input: [UInt8], gas: Int64) -> Precompile.Outcome {
        let outcome = Precompile(
            number: number,
            revision: revision,
            prices: prices,
            recoverer: recoverer
        ).run(input, gas: gas)
        if case .unsupported = outcome {
            gap = .precompile(Address(truncating: UInt256(number).word))
        }
        return outcome
    }
}
