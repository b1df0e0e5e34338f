package import NIOCore

/// How a request gets its answer: at once, from a task, or when a future is there.
///
/// A task costs several hand-overs between threads, which for a short answer is more than the
/// answer itself.
package enum Answer: Sendable {
    case settled(Result<Response, any Error>)
    /// - Parameter endsWithClient: the task is cancelled as soon as the client sends no more.
    case task(endsWithClient: Bool, @Sendable () async throws -> Response)
    /// It is cancelled by nobody, and changed as soon as it is there.
    case later(
        EventLoopFuture<Response>,
        @Sendable (Result<Response, any Error>) throws -> Response
    )

    package static func now(_ response: Response) -> Answer {
        .settled(.success(response))
    }

    package static func failed(_ error: any Error) -> Answer {
        .settled(.failure(error))
    }

    package static func later(_ future: EventLoopFuture<Response>) -> Answer {
        .later(future) { try $0.get() }
    }

    package static func task(_ work: @escaping @Sendable () async throws -> Response) -> Answer {
        .task(endsWithClient: false, work)
    }

    /// The outcome of a handler that may throw.
    package static func result(of handler: () throws -> Answer) -> Answer {
        do {
            return try handler()
        } catch {
            return .failed(error)
        }
    }

    /// The same answer, changed when it is there.
    package func map(
        _ change: @escaping @Sendable (Result<Response, any Error>) throws -> Response
    ) -> Answer {
        switch self {
        case .settled(let result): .settled(Result { try change(result) })
        case .task(let endsWithClient, let work):
            .task(endsWithClient: endsWithClient) {
                let result: Result<Response, any Error>
                do {
                    result = .success(try await work())
                } catch {
                    result = .failure(error)
                }
                return try change(result)
            }
        case .later(let future, let before):
            .later(future) { result in try change(Result { try before(result) }) }
        }
    }

    /// The answer itself, waited for.
    package func response() async throws -> Response {
        switch self {
        case .settled(let result): try result.get()
        case .task(_, let work): try await work()
        case .later(let future, let change):
            try await future.map { Result<Response, any Error>.success($0) }
                .recover { .failure($0) }
                .flatMapThrowing(change).get()
        }
    }
}

/// What becomes of a request once its head is read.
package enum Reception: Sendable {
    /// It is answered whatever its body is.
    case answer(Answer)
    /// Its body is read, at most so many bytes, and then answered.
    case body(maximum: Int, @Sendable (Result<ByteBuffer, BodyFailure>) -> Answer)

    package static func now(_ response: Response) -> Reception {
        .answer(.now(response))
    }

    package static func failed(_ error: any Error) -> Reception {
        .answer(.failed(error))
    }

    /// Its body is read and then answered; one that cannot be read fails.
    package static func whole(
        maximum: Int,
        _ handler: @escaping @Sendable (ByteBuffer) -> Answer
    ) -> Reception {
        .body(maximum: maximum) { body in
            switch body {
            case .failure(let failure): .failed(failure)
            case .success(let body): handler(body)
            }
        }
    }

    /// The same answer, changed when it is there.
    package func map(
        _ change: @escaping @Sendable (Result<Response, any Error>) throws -> Response
    ) -> Reception {
        switch self {
        case .answer(let answer): .answer(answer.map(change))
        case .body(let maximum, let handler): .body(maximum: maximum) { handler($0).map(change) }
        }
    }

    /// The answer to a body that is there.
    package func answer(to body: ByteBuffer) -> Answer {
        switch self {
        case .answer(let answer): answer
        case .body(let maximum, let handler):
            handler(
                body.readableBytes > maximum ? .failure(.tooLong(maximum: maximum)) : .success(body)
            )
        }
    }
}

/// What receives requests, on the event loop of their connections; it must not wait.
package typealias Responder = @Sendable (Request) -> Reception

/// Stands before routes: it answers itself, or passes requests on and changes their answers.
///
/// What it refuses from the head of a request costs nobody the body.
package protocol RequestFilter: Sendable {
    func receive(_ request: Request, next: @escaping Responder) -> Reception
}
