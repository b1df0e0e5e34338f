/// A node under examination: each question is one request, without retries or fallbacks.
package protocol NodeProbe: Sendable {
    /// The part of its address that may be shown: scheme, host and port.
    var name: String { get }

    /// Sends exactly one request: one call as an object, several as a batch.
    func ask(_ reads: [ChainRead]) async -> NodeProbeAnswer
}

extension NodeProbe {
    /// Asks a single question.
    ///
    /// - Returns: its answer, and when it came.
    package func ask<Value: Sendable>(
        _ read: Read<Value>
    ) async -> (value: Result<Value, ChainError>, answer: NodeProbeAnswer) {
        let answer = await ask([read.question])
        let value = Result { () throws(ChainError) in
            guard let first = try answer.results.get().first else {
                throw .nonsense("it leaves a question unanswered")
            }
            return try read.unwrap(first.get())
        }
        return (value, answer)
    }

    /// Asks a whole batch in one request.
    package func ask(_ batch: ReadBatch) async -> Result<ReadAnswers, ChainError> {
        await ask(batch.questions).results.map { ReadAnswers(results: $0) }
    }
}

/// The outcome of one request to a node.
package struct NodeProbeAnswer: Sendable {
    /// One answer for each question; a failure if the request failed as a whole.
    package let results: Result<[Result<ChainAnswer, ChainError>], ChainError>
    /// The server's time from its Date header, seconds since 1970; nil if there is none.
    package let date: UInt64?
    /// Local time when the request left, milliseconds since 1970.
    package let sent: UInt64
    /// Local time when the answer arrived, milliseconds since 1970.
    package let received: UInt64

    package init(
        results: Result<[Result<ChainAnswer, ChainError>], ChainError>,
        date: UInt64?,
        sent: UInt64,
        received: UInt64
    ) {
        self.results = results
        self.date = date
        self.sent = sent
        self.received = received
    }
}
