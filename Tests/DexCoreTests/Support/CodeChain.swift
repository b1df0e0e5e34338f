import EVM
import Ethereum
import EthereumWallet
import Synchronization

@testable import DexCore

/// A node whose contracts are code: it answers what reads its state, and counts round trips.
final class CodeChain: ChainClient {
    struct Account: Sendable {
        var nonce: UInt64 = 0
        var balance = Wei.zero
        var code: [UInt8] = []
        var words: [UInt256: UInt256] = [:]
    }

    struct State: Sendable {
        var chainID: UInt64 = 1337
        var accounts: [Address: Account] = [:]
        /// What words are at `latest`, where a block came between.
        var newer: [Address: [UInt256: UInt256]] = [:]
        var givesAccessLists = true
        var givesState = true
        var trips = 0
        var block = Block(
            number: 100,
            hash: BlockHash(UInt256(100).word),
            parentHash: BlockHash(UInt256(99).word),
            timestamp: 1_800_000_000,
            baseFeePerGas: Wei(1_000_000_000),
            gasLimit: 30_000_000,
            gasUsed: 0,
            coinbase: CodeChain.coinbase,
            random: UInt256(7).word
        )

        /// One of the blocks before.
        func block(_ number: UInt64) -> Block {
            Block(
                number: number,
                hash: BlockHash(UInt256(number).word),
                parentHash: BlockHash(UInt256(number - 1).word),
                timestamp: block.timestamp - 12 * (block.number - number),
                baseFeePerGas: block.baseFeePerGas,
                gasLimit: block.gasLimit,
                gasUsed: 0
            )
        }
    }

    static let coinbase = Address(truncating: UInt256(0xC01).word)

    private let state = Mutex(State())

    func set(_ change: (inout sending State) -> Void) {
        state.withLock { change(&$0) }
    }

    var trips: Int { state.withLock { $0.trips } }
    var block: Block { state.withLock { $0.block } }

    func read(
        _ reads: [ChainRead]
    ) async throws(ChainError) -> [Result<ChainAnswer, ChainError>] {
        let now = state.withLock { state in
            state.trips += 1
            return state
        }
        return reads.map { Self.answer($0, now) }
    }

    func send(raw: [UInt8]) async throws(ChainError) -> TransactionHash {
        throw .nonsense("nothing is sent here")
    }

    private static func answer(
        _ read: ChainRead,
        _ state: State
    ) -> Result<ChainAnswer, ChainError> {
        let none = ChainError.rpc(code: -32_601, message: "the method does not exist")
        switch read {
        case .chainID: return .success(.number(state.chainID))
        case .block(.number(let number)) where number != state.block.number:
            return .success(.block(state.block(number)))
        case .block: return .success(.block(state.block))
        case .accessList(let call):
            guard state.givesAccessLists else { return .failure(none) }
            return .success(.accessList(trace(call, state)))
        case .balance(let address, _) where state.givesState:
            return .success(.wei(state.accounts[address]?.balance ?? .zero))
        case .transactionCount(let address, _) where state.givesState:
            return .success(.number(state.accounts[address]?.nonce ?? 0))
        case .code(let address, _) where state.givesState:
            return .success(.bytes(state.accounts[address]?.code ?? []))
        case .storage(let address, let slot, let tag) where state.givesState:
            let slot = UInt256(slot)
            if tag == .latest, let word = state.newer[address]?[slot] {
                return .success(.word(word))
            }
            return .success(.word(state.accounts[address]?.words[slot] ?? .zero))
        default: return .failure(none)
        }
    }

    /// What a call reads, as a node lists it.
    private static func trace(_ call: CallRequest, _ state: State) -> AccessListTrace {
        let reader = RecordingState(state)
        let execution = Execution(reader, .osaka, recoverer: Secp256k1())
        let block = BlockContext(
            chainID: state.chainID,
            number: state.block.number,
            timestamp: state.block.timestamp,
            gasLimit: state.block.gasLimit,
            coinbase: coinbase
        )
        // A gap lists what was read before it.
        let outcome = try? execution.call(call.to, call.data, from: call.from ?? .zero, in: block)
        let entries = reader.words.map { address, slots in
            AccessListEntry(address: address, storageKeys: slots.map(\.word).sorted())
        }
        return AccessListTrace(entries: entries, gasUsed: outcome?.gasUsed ?? 0)
    }
}

/// The state of a `CodeChain` that notes what is read.
private final class RecordingState: StateReader {
    private let state: CodeChain.State
    private(set) var words: [Address: Set<UInt256>] = [:]

    init(_ state: CodeChain.State) { self.state = state }

    func account(_ address: Address) -> Known<AccountRecord?> {
        // As nodes do: the producer of the block is warm, and in no list.
        if address != CodeChain.coinbase { words[address, default: []].formUnion([]) }
        return .known(
            state.accounts[address].map {
                AccountRecord(
                    nonce: $0.nonce,
                    balance: $0.balance,
                    codeHash: Keccak256.hash($0.code)
                )
            }
        )
    }

    func code(_ hash: Bytes32) -> Known<[UInt8]> {
        let account = state.accounts.values.first { Keccak256.hash($0.code) == hash }
        return .known(account?.code ?? [])
    }

    func word(_ slot: UInt256, of address: Address) -> Known<UInt256> {
        words[address, default: []].insert(slot)
        return .known(state.accounts[address]?.words[slot] ?? .zero)
    }
}
