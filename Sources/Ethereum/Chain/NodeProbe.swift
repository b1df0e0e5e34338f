/// A node that is examined: asked once, in one request, with nothing smoothed over.
public protocol NodeProbe: Sendable {
    /// What may be shown of its address: scheme, host and port.
    var name: String { get }

    /// Asks in exactly one request: one call as an object, several as a batch.
    func ask(_ reads: [ChainRead]) async -> NodeProbeAnswer
}

extension NodeProbe {
    /// Asks one question alone.
    ///
    /// - Returns: its answer, and when it came.
    public func ask<Value: Sendable>(
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

    /// Asks all of a batch, in one request.
    public func ask(_ batch: ReadBatch) async -> Result<ReadAnswers, ChainError> {
        await ask(batch.questions).results.map { ReadAnswers($0) }
    }
}

/// What came of one request to a node.
public struct NodeProbeAnswer: Sendable {
    /// The answers, as many as questions; a failure where the request failed as a whole.
    public let results: Result<[Result<ChainAnswer, ChainError>], ChainError>
    /// The server's time by the Date header, seconds since 1970; nil where it does not tell.
    public let date: UInt64?
    /// Our time when the request left, milliseconds since 1970.
    public let sent: UInt64
    /// Our time when the answer was there, milliseconds since 1970.
    public let received: UInt64

    /// An answer with its times.
    public init(
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
