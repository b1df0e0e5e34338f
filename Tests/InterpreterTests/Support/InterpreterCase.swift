import EVM
import Ethereum
import EthereumWallet
import StrictJSON

/// A transaction with the state before it, as a line of a vector file has it (cases.py).
struct InterpreterCase {
    let name: String
    let message: Message
    let accounts: [Address: CaseAccount]
    /// nil is the block's own.
    let gasLimit: UInt64?
    /// By revision; what is missing at the end is as the one before.
    let results: [String]

    static let recoverer = Secp256k1()

    init(_ line: JSONValue, _ world: CaseWorld) throws {
        let reader = CaseReader(line)
        name = try reader.text("name")
        results = try reader.list("results").map { try CaseReader.text($0) }
        gasLimit = line["limit"] == nil ? nil : try reader.integer("limit")
        var accounts = world.accounts
        if let own = line["accounts"] {
            accounts.merge(try CaseAccount.all(own)) { $1 }
        }
        let code = try reader.bytes("code")
        if !code.isEmpty { accounts[world.contract, default: CaseAccount()].code = code }
        if let words = line["storage"] {
            accounts[world.contract, default: CaseAccount()].words = try CaseReader.words(words)
        }
        self.accounts = accounts
        message = try reader.message(world)
    }

    /// The result that a revision's specification has for it.
    func result(_ revision: Revision) -> String {
        results.isEmpty ? "" : results[min(revision.rawValue, results.count - 1)]
    }

    func block(_ revision: Revision, _ world: CaseWorld) -> BlockContext {
        var block = world.block
        block.blobBaseFee = Wei(world.blobFees[revision.rawValue])
        if let gasLimit { block.gasLimit = gasLimit }
        return block
    }

    /// The state before it.
    func state() -> MemoryState {
        let state = MemoryState()
        for (address, account) in accounts {
            state.put(
                address,
                nonce: account.nonce,
                balance: account.balance,
                code: account.code,
                words: account.words
            )
        }
        return state
    }

    /// What it does here, in the words of `Result.text` of cases.py.
    func run(_ revision: Revision, _ world: CaseWorld) throws(Execution.Gap) -> CaseRun {
        let state = state()
        let execution = Execution(state, revision, recoverer: Self.recoverer)
        var known = KnownKeys(state)
        return try run(execution, block(revision, world), &known)
    }

    /// The same in the state that others before it left.
    func run(
        _ execution: Execution,
        _ block: BlockContext,
        _ known: inout KnownKeys
    ) throws(Execution.Gap) -> CaseRun {
        do throws(Execution.Gap) {
            let outcome = try execution.run(message, in: block)
            known.add(outcome.changed)
            return CaseRun(outcome, CaseRun.lines(outcome, execution, known))
        } catch {
            guard case .refused(let refusal) = error else { throw error }
            return CaseRun(refusal)
        }
    }
}

/// An account before a transaction.
struct CaseAccount {
    var nonce: UInt64 = 0
    var balance = UInt256.zero
    var code: [UInt8] = []
    var words: [UInt256: UInt256] = [:]

    static func all(_ value: JSONValue) throws -> [Address: CaseAccount] {
        var accounts: [Address: CaseAccount] = [:]
        for member in value.objectValue?.members ?? [] {
            let (key, parts) = (member.key, member.value.arrayValue ?? [])
            guard parts.count == 4 else { throw CaseError(description: "\(key): no account") }
            accounts[try Address(key)] = CaseAccount(
                nonce: try CaseReader.number(parts[0]).w0,
                balance: try CaseReader.number(parts[1]),
                code: try CaseReader.bytes(parts[2]),
                words: try CaseReader.words(parts[3])
            )
        }
        return accounts
    }
}

/// What all cases have in common.
struct CaseWorld {
    let block: BlockContext
    /// By revision.
    let blobFees: [UInt256]
    let accounts: [Address: CaseAccount]
    let contract: Address
    let sender: Address

    init(_ value: JSONValue) throws {
        guard let block = value["block"], let world = value["world"] else {
            throw CaseError(description: "no world")
        }
        let reader = CaseReader(block)
        let number = try reader.integer("number")
        self.block = BlockContext(
            chainID: try reader.integer("chain"),
            number: number,
            timestamp: try reader.integer("time"),
            gasLimit: try reader.integer("limit"),
            baseFee: Wei(UInt256(try reader.integer("baseFee"))),
            coinbase: try Address(try reader.text("coinbase")),
            random: try reader.number("random"),
            hashes: Dictionary(
                uniqueKeysWithValues: (number - 256..<number).map {
                    ($0, BlockHash(Keccak256.hash("block \($0)".utf8)))
                }
            )
        )
        blobFees = try reader.list("blobFees").map { try CaseReader.decimal($0) }
        accounts = try CaseAccount.all(world)
        contract = try Address("0x00000000000000000000000000000000c0de0000")
        sender = try Address("0x000000000000000000000000000000005e4de200")
    }
}

/// A vector file is not as it should be.
struct CaseError: Error, CustomStringConvertible {
    let description: String
}
