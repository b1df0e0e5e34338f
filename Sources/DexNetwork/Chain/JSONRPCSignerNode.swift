package import DexSigning
import Ethereum
package import StrictJSON

/// A node or program that holds a key, reached over JSON-RPC 2.0.
///
/// Each question is asked once: a retry would make the user confirm twice.
package struct JSONRPCSignerNode: SignerNode {
    private let name: String
    private let url: String
    private let transport: any HTTPTransport

    /// - Parameters:
    ///   - name: its name in messages.
    ///   - url: may contain a key, so it is never shown in full.
    package init(name: String, url: String, transport: any HTTPTransport) {
        self.name = name
        self.url = url
        self.transport = transport
    }

    package func call(
        _ method: String,
        _ parameters: [JSONValue]
    ) async throws(SigningError) -> SignerNodeAnswer {
        let question: JSONValue = [
            "jsonrpc": "2.0", "id": 1, "method": .string(method), "params": .array(parameters),
        ]
        let response: HTTPResponse
        do throws(HTTPError) {
            response = try await transport.send(
                .question(to: url, json: question.utf8, mayRepeat: false)
            )
        } catch {
            if case .cancelled = error { throw .interrupted }
            throw unreachable(error.reason)
        }
        let reply: RPCReply
        do throws(ChainError) {
            reply = try RPCReply(body: response.body, ids: [1])
        } catch {
            guard response.isSuccess else {
                throw unreachable("it answered with HTTP status \(response.status)")
            }
            throw unreachable("its answer is not JSON-RPC")
        }
        switch reply {
        case .answers(let outcomes):
            switch outcomes.first ?? nil {
            case .success(let result): return .result(result)
            case .failure(let fault): return .refused(code: fault.code, message: fault.message)
            case nil: throw unreachable("it left the question unanswered")
            }
        case .refused(let fault): return .refused(code: fault.code, message: fault.message)
        }
    }

    private func unreachable(_ reason: String) -> SigningError {
        .unreachable(name: name, place: WebAddress.shown(url), reason: reason)
    }
}
