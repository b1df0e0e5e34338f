import EVM
import Ethereum
import EthereumWallet

extension FuzzTarget {
    /// Any code, call data and state: the interpreter ends, spends no more than the gas limit, changes
    /// only what it says that it changed, makes no ether, and says the same again.
    static let interpreter = FuzzTarget(
        "interpreter",
        maximumLength: 1_024,
        seeds: InterpreterTarget.seeds
    ) { input in
        try InterpreterTarget.check(input)
    }
}

private enum InterpreterTarget {
    private static let sender = Address(truncating: UInt256(0x5E4D).word)
    private static let contracts = [UInt64(0xC0DE), 0xBEEF].map {
        Address(truncating: UInt256($0).word)
    }
    private static let revisions: [Revision] = [.cancun, .prague, .osaka]

    /// A first byte chooses the rules, a second one the gas, a third one how the code is cut in two
    /// contracts; then call data behind its length, and code.
    static let seeds: @Sendable () throws -> [[UInt8]] = {
        try [
            // SSTORE, SLOAD, LOG1, RETURN of KECCAK256
            "60016000556000546000526001602060005fa160205f205f5260205ff3",
            // a call of the other contract with a value, and its answer returned
            "60205f60205f600161beef5af13d5f5f3e3d5ff3",
            // itself with all gas; a creation of its own code; the same by CREATE2
            "5f5f5f5f5f305af15b600056", "385f5f39385f5ff0ff", "385f5f396007385f5ff55f5f5f5f845af1",
            // precompiles 1 to 5 and 9
            "5b6001015f5f60ff5f5f855af1505a600157", "60d5600052600960005f5f60d55f60095afa",
            // words of every size in every instruction
            "7fff00000000000000000000000000000000000000000000000000000000000001806002040a0b1d",
            "6001600160ff1b0360ff0560ff076000190860010960101a5e5c5d", "5f355b565b",
        ].map { code in
            try [2, 0xFF, 0, 3, 1, 2, 3] + Hex.decode("0x" + code)
        }
    }

    static func check(_ input: [UInt8]) throws {
        var reader = InputReader(input)
        let revision = revisions[reader.number(below: revisions.count)]
        let gas = 21_000 + UInt64(reader.byte()) * 1_500
        let cut = Int(reader.byte())
        let data = reader.bytes(Int(reader.byte()))
        let code = reader.rest()
        let state = FuzzedState()
        let whole = UInt256(1_000_000_000)
        state.put(sender, AccountRecord(nonce: 7, balance: Wei(whole)), [])
        state.put(contracts[0], AccountRecord(nonce: 1, balance: Wei(50)), code)
        state.put(contracts[1], AccountRecord(nonce: 1), Array(code.dropFirst(cut)))
        let message = Message(
            sender: sender,
            to: cut == 0xFF ? nil : contracts[0],
            nonce: 7,
            value: Wei(3),
            data: cut == 0xFF ? code : data,
            gasLimit: gas,
            maxFee: Wei(2)
        )
        let first = try run(message, state, revision, whole)
        let second = try run(message, state, revision, whole)
        try requireEqual(first, second, "a run is not repeatable")
        let used = Execution(state, revision, recoverer: Secp256k1(), codes: CodeCache())
        let calls = (0..<2).map { _ in called(message, used) }
        try requireEqual(calls[0], calls[1], "a call leaves something to the next one")
        try requireEqual(
            try run(message, state, revision, whole, used),
            first,
            "a run after calls is another one"
        )
    }

    /// What a call does in an execution, which keeps nothing of it but what it has prepared.
    private static func called(_ message: Message, _ execution: Execution) -> String {
        do {
            let outcome = try execution.call(message, in: block)
            return "\(outcome.ending) \(outcome.gasUsed) \(outcome.output) \(outcome.logs)"
        } catch {
            return "\(error)"
        }
    }

    private static let block = BlockContext(
        chainID: 1,
        number: 9,
        timestamp: 9,
        gasLimit: 30_000_000,
        coinbase: contracts[1]
    )

    private static func run(
        _ message: Message,
        _ state: FuzzedState,
        _ revision: Revision,
        _ whole: UInt256,
        _ used: Execution? = nil
    ) throws -> String {
        let execution = used ?? Execution(state, revision, recoverer: Secp256k1())
        let outcome: Execution.Outcome
        do {
            outcome = try execution.run(message, in: block)
        } catch {
            try requireEqual(
                execution.record(of: message.sender),
                state.record(of: message.sender),
                "a run that says nothing changed the state"
            )
            return "\(error)"
        }
        try check(outcome, message, execution, state, whole)
        return "\(outcome.ending) \(outcome.gasUsed) \(outcome.output) \(outcome.logs)"
    }

    private static func check(
        _ outcome: Execution.Outcome,
        _ message: Message,
        _ execution: Execution,
        _ state: FuzzedState,
        _ whole: UInt256
    ) throws {
        try require(outcome.gasUsed <= message.gasLimit, "more gas than there was")
        try require(outcome.gasUsed >= 21_000, "less gas than any transaction")
        if outcome.ending != .succeeded {
            try require(outcome.logs.isEmpty, "a failure that logs")
            try require(outcome.contract == nil, "a failure that creates")
            for case .word in outcome.changed { throw Violation("a failure that writes") }
        }
        if outcome.ending == .failed {
            try requireEqual(outcome.gasUsed, message.gasLimit, "a failure that leaves gas")
        }
        var accounts = Set(state.records.keys)
        for case .account(let address) in outcome.changed { accounts.insert(address) }
        var total = UInt256.zero
        for address in accounts {
            total = total &+ (execution.record(of: address)?.balance.rawValue ?? .zero)
        }
        try require(total <= whole &+ 50, "ether from nowhere")
        try requireEqual(
            execution.record(of: message.sender)?.nonce,
            8,
            "the nonce of the sender"
        )
    }
}

/// Accounts in memory, without storage.
private final class FuzzedState: StateReader {
    private(set) var records: [Address: AccountRecord] = [:]
    private var codes: [Bytes32: [UInt8]] = [:]

    func put(_ address: Address, _ record: AccountRecord, _ code: [UInt8]) {
        let hash = Keccak256.hash(code)
        codes[hash] = code
        records[address] = AccountRecord(
            nonce: record.nonce,
            balance: record.balance,
            codeHash: hash
        )
    }

    func account(_ address: Address) -> Known<AccountRecord?> { .known(records[address]) }

    func code(_ hash: Bytes32) -> Known<[UInt8]> { codes[hash].map { .known($0) } ?? .unknown }

    func word(_ slot: UInt256, of address: Address) -> Known<UInt256> { .known(.zero) }
}

extension StateReader {
    fileprivate func record(of address: Address) -> AccountRecord? {
        if case .known(let record) = account(address) { record } else { nil }
    }
}
