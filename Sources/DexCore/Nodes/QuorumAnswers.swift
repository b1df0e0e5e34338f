import Ethereum

/// The answers of nodes that must agree, compared question by question.
///
/// What a block determines must be the same: state, calls, code, blocks, logs, the chain id. A
/// receipt or a transaction counts once all have it. The rest is bounded so that no node alone moves
/// it against the user: a nonce is what all nodes know of, fees are the lowest that a node names, and
/// gas is the highest estimate.
struct QuorumAnswers {
    typealias Answer = Result<ChainAnswer, ChainError>

    /// Whether a block is in the chain of all.
    enum Standing {
        case shared
        case other(NodeDisagreement)
        /// A node does not have it.
        case missing(ChainError)
    }

    /// For the caller, in the order of its questions; only without a disagreement.
    let merged: [Answer]
    /// The first question with different answers; nil if there is none.
    let disagreement: NodeDisagreement?
    /// All nodes answered at the same block, or the caller did not ask about the latest.
    let isAtOneBlock: Bool
    /// For each requested receipt the nodes that have it, as a sentence; nil unless only some do.
    let receiptsOfSome: [TransactionHash: String?]
    private let batch: QuorumBatch
    private let views: [NodeView]

    /// - Parameters:
    ///   - reads: the batch's questions as the nodes got them.
    ///   - views: one for each node that must agree, with as many answers as there are questions.
    init(_ batch: QuorumBatch, _ reads: [ChainRead], _ views: [NodeView]) {
        self.batch = batch
        self.views = views
        isAtOneBlock = !batch.asksLatest || Set(views.map(\.head.hash)).count == 1
        let comparison = AnswerComparison(views: views, batch: batch, reads: reads)
        var merged: [Answer] = []
        merged.reserveCapacity(batch.count)
        var disagreement: NodeDisagreement?
        for place in 0..<batch.count {
            do throws(NodeDisagreement) {
                merged.append(try comparison.answer(place))
            } catch {
                disagreement = error
                break
            }
        }
        receiptsOfSome = comparison.receiptsOfSome()
        self.merged = merged
        self.disagreement = disagreement
    }

    /// Whether a block, which the batch is pinned to, is in the chain of all nodes.
    func standing(of block: Block) -> Standing {
        for view in views {
            switch view.answers[batch.head] {
            case .success(.block(let reported?)):
                guard reported.hash != block.hash else { continue }
                let by = views.first { $0.head.hash == block.hash } ?? view
                return .other(
                    NodeDisagreement(
                        about: "block \(block.number)",
                        NodeDisagreement.Statement(node: by.name, said: "\(block.hash)"),
                        NodeDisagreement.Statement(node: view.name, said: "\(reported.hash)")
                    )
                )
            case .success:
                return .missing(
                    .missingBlock(
                        code: -32_000,
                        message: "\(view.name) has no block \(block.number)"
                    )
                )
            case .failure(let error): return .missing(error)
            }
        }
        return .shared
    }
}
