package import Ethereum

/// Examines the node at a URL over JSON-RPC: no other node, no retry, no smaller batch.
package struct HTTPNodeProbe: NodeProbe {
    private let url: String
    private let transport: any HTTPTransport
    private let now: @Sendable () -> UInt64

    /// - Parameters:
    ///   - url: may contain a key, so it is never shown in full.
    ///   - now: milliseconds since 1970.
    package init(
        url: String,
        transport: any HTTPTransport,
        now: @escaping @Sendable () -> UInt64
    ) {
        self.url = url
        self.transport = transport
        self.now = now
    }

    package var name: String { WebAddress.shown(url) }

    package func ask(_ reads: [ChainRead]) async -> NodeProbeAnswer {
        let sent = now()
        let ids = Array(reads.indices)
        let request = HTTPRequest.question(
            to: url,
            json: RPCRequestWriter.request(reads, at: ids)
        )
        let response: HTTPResponse
        do throws(HTTPError) {
            response = try await transport.send(request)
        } catch {
            return answer(.failure(NodeFailure(error, url: url).error), nil, sent)
        }
        let date = ServerAdvice.date(of: response)
        do throws(ChainError) {
            return answer(.success(try results(response, reads, ids)), date, sent)
        } catch {
            return answer(.failure(error), date, sent)
        }
    }

    private func answer(
        _ results: Result<[Result<ChainAnswer, ChainError>], ChainError>,
        _ date: UInt64?,
        _ sent: UInt64
    ) -> NodeProbeAnswer {
        NodeProbeAnswer(results: results, date: date, sent: sent, received: now())
    }

    private func results(
        _ response: HTTPResponse,
        _ reads: [ChainRead],
        _ ids: [Int]
    ) throws(ChainError) -> [Result<ChainAnswer, ChainError>] {
        let failure = NodeFailure(response, url: url, now: now() / 1_000).error
        let reply: RPCReply
        do throws(ChainError) {
            reply = try RPCReply(body: response.body, ids: ids)
        } catch {
            guard response.isSuccess else { throw failure }
            throw error
        }
        // An error of a single call may come with its own HTTP status.
        guard response.isSuccess || response.status < 500 && response.status != 429 else {
            throw failure
        }
        switch reply {
        case .refused(let fault): throw fault.error
        case .answers(let outcomes):
            return zip(reads, outcomes).map { read, outcome in
                guard let outcome else {
                    return .failure(.nonsense("it leaves a question unanswered"))
                }
                return outcome.mapError(\.error).flatMap { json in
                    Result { () throws(ChainError) in try ChainAnswer(json, to: read) }
                }
            }
        }
    }
}
