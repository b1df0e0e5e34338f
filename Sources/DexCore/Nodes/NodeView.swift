import Ethereum

/// One node's answers to a batch.
struct NodeView {
    typealias Answers = [Result<ChainAnswer, ChainError>]

    /// Its place in the list of nodes.
    let index: Int
    /// The part of its address that may be shown.
    let name: String
    /// Its latest block.
    let head: Block
    private(set) var answers: Answers

    /// - Throws: `ChainError` if it does not say which block is its latest, or answered something
    ///   else.
    init(
        _ index: Int,
        _ name: String,
        _ answers: Answers,
        _ batch: QuorumBatch
    ) throws(ChainError) {
        guard answers.count == batch.latest.count else {
            throw .nonsense(
                "the node gave \(answers.count) answers to \(batch.latest.count) questions"
            )
        }
        guard case .block(let head?) = try answers[batch.head].get() else {
            throw .nonsense("the node has no latest block")
        }
        self.index = index
        self.name = name
        self.head = head
        self.answers = answers
    }

    /// The same node with answers at a certain block.
    ///
    /// - Throws: `ChainError` if they are too few or too many.
    func answering(_ answers: Answers, to batch: QuorumBatch) throws(ChainError) -> NodeView {
        guard answers.count == batch.latest.count else {
            throw .nonsense(
                "the node gave \(answers.count) answers to \(batch.latest.count) questions"
            )
        }
        var view = self
        view.answers = answers
        return view
    }

    // MARK: Lag

    /// As many views as asked for whose latest blocks are close; nil if there are none.
    static func close(_ views: [NodeView], count: Int) -> [NodeView]? {
        guard views.count >= count else { return nil }
        // The newest that enough others are close to.
        let sorted = views.sorted { $0.head.number > $1.head.number }
        for first in 0...(sorted.count - count) {
            let group = sorted[first..<(first + count)]
            guard let newest = group.first, let oldest = group.last,
                isClose(newest.head, oldest.head)
            else { continue }
            return group.sorted { $0.index < $1.index }
        }
        return nil
    }

    /// The newest and the oldest of views that are not close, in words.
    static func apart(_ views: [NodeView]) -> NodeDisagreement? {
        guard let newest = views.max(by: { $0.head.number < $1.head.number }),
            let oldest = views.min(by: { $0.head.number < $1.head.number })
        else { return nil }
        return NodeDisagreement(
            about: "the latest block",
            NodeDisagreement.Statement(node: newest.name, said: "block \(newest.head.number)"),
            NodeDisagreement.Statement(node: oldest.name, said: "block \(oldest.head.number)")
        )
    }

    /// The older of two blocks is not far behind.
    static func isClose(_ newest: Block, _ oldest: Block) -> Bool {
        let (seconds, isEarlier) = newest.timestamp.subtractingReportingOverflow(oldest.timestamp)
        return newest.number - oldest.number <= QuorumChainClient.lag.blocks
            || !isEarlier && seconds <= QuorumChainClient.lag.seconds
    }
}
