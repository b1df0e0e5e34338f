import DexSandbox
import Ethereum
import Synchronization

/// The node of a live chain, as a fork sees it: honest, lying, or gone.
final class LiveNode: ChainClient {
    enum Behaviour: Sendable {
        case honest
        /// No connection.
        case gone
        /// It limits requests.
        case limited
        /// Another block stands at each number.
        case reorganized
        /// It answers for the block before the one it is asked for.
        case otherBlock
        case otherChain
        /// Its blocks are there, and no state.
        case pruned
        /// It does not take hashes of blocks where a state is asked for.
        case byNumber
        /// It gives no block at all.
        case empty
        /// Storage has the wrong kind of answer.
        case confused
    }

    private let chain: SandboxChain
    private let state = Mutex((behaviour: Behaviour.honest, batches: 0, questions: [ChainRead]()))

    init(_ chain: SandboxChain) { self.chain = chain }

    var behaviour: Behaviour {
        get { state.withLock { $0.behaviour } }
        set { state.withLock { $0.behaviour = newValue } }
    }
    /// Round trips so far.
    var batches: Int { state.withLock { $0.batches } }
    /// All that it was asked.
    var questions: [ChainRead] { state.withLock { $0.questions } }

    func send(raw: [UInt8]) async throws(ChainError) -> TransactionHash {
        throw .rpc(code: -1, message: "a fork sends nothing")
    }

    func read(
        _ reads: [ChainRead]
    ) async throws(ChainError) -> [Result<ChainAnswer, ChainError>] {
        let behaviour = state.withLock { state in
            state.batches += 1
            state.questions += reads
            return state.behaviour
        }
        switch behaviour {
        case .gone: throw .unreachable(url: "http://node", reason: "no connection")
        case .limited: throw .rateLimited(url: "http://node", retryAfter: nil)
        default: break
        }
        let answers = try await chain.read(reads)
        return zip(reads, answers).map { Self.answer($0, $1, behaviour) }
    }

    private static func answer(
        _ read: ChainRead,
        _ answer: Result<ChainAnswer, ChainError>,
        _ behaviour: Behaviour
    ) -> Result<ChainAnswer, ChainError> {
        switch (behaviour, read, answer) {
        case (.reorganized, .block(.number), .success(.block(let block?))):
            .success(.block(other(block, number: block.number)))
        case (.otherBlock, .block(.number), .success(.block(let block?))):
            .success(.block(other(block, number: block.number - 1)))
        case (.otherChain, .chainID, _): .success(.number(5))
        case (.pruned, .balance, _), (.pruned, .storage, _):
            .failure(.missingBlock(code: -32000, message: "missing trie node"))
        case (.byNumber, .balance(_, .hash), _), (.byNumber, .storage(_, _, .hash), _),
            (.byNumber, .code(_, .hash), _), (.byNumber, .transactionCount(_, .hash), _):
            .failure(.rpc(code: -32602, message: "invalid argument 1: hex string expected"))
        case (.empty, .block, _): .success(.block(nil))
        case (.confused, .storage, _): .success(.bytes([1, 2, 3]))
        default: answer
        }
    }

    private static func other(_ block: Block, number: UInt64) -> Block {
        Block(
            number: number,
            hash: BlockHash(Keccak256.hash(block.hash.word.bytes)),
            parentHash: block.parentHash,
            timestamp: block.timestamp,
            baseFeePerGas: block.baseFeePerGas,
            gasLimit: block.gasLimit,
            gasUsed: block.gasUsed
        )
    }
}
