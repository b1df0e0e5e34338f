import Ethereum

@testable import DexNetwork

/// A node's words as the client reads them: tests say what a node says, and not what it means.
enum NodeWords {
    typealias Answers = [Result<ChainAnswer, ChainError>]

    static func read(_ answers: Answers, to reads: [ChainRead]) -> Answers {
        answers.enumerated().map { index, answer in
            guard reads.indices.contains(index), case .failure(.rpc(let code, let message)) = answer
            else { return answer }
            return .failure(RPCFault(code: code, message: message).error(of: reads[index]))
        }
    }

    /// The answer to a broadcast that failed.
    static func sent(
        _ raw: [UInt8],
        _ error: ChainError
    ) throws(ChainError) -> TransactionHash {
        guard case .rpc(let code, let message) = error else { throw error }
        let fault = RPCFault(code: code, message: message)
        guard fault.isAlreadyKnown else { throw fault.errorOfSend }
        return TransactionHash(Keccak256.hash(raw))
    }
}
