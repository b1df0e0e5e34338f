import DexCore
import DexNetwork
import StrictJSON

/// The node of the sandbox that runs on this machine, for the methods that only a sandbox has.
struct SandboxNode {
    let url: String

    /// Calls a method of the sandbox's node.
    ///
    /// - Throws: `DexError`: exit 2 if it refuses, 4 if it does not answer.
    ///
    /// - Parameter parameter: nil for a method without one.
    func call(
        _ method: String,
        _ parameter: JSONValue? = [:]
    ) async throws -> JSONValue {
        // Loopback needs no proxy, whatever the environment says.
        let transport = CurlTransport(
            options: .init(connectTimeout: 1_000, timeout: 10_000, environment: { _ in nil })
        )
        let body: JSONValue = [
            "jsonrpc": "2.0", "id": 1, "method": .string(method),
            "params": .array(parameter.map { [$0] } ?? []),
        ]
        let headers = [HTTPHeader("Content-Type", "application/json")]
        let response: HTTPResponse
        do {
            response = try await transport.send(
                HTTPRequest(.post, url: url, headers: headers, body: body.utf8)
            )
        } catch {
            throw silent("\(error.reason)")
        }
        guard let answer = try? JSONParser.parse(response.body) else {  // nil: not JSON
            throw silent("it answered with HTTP \(response.status)")
        }
        if let message = answer["error"]?["message"]?.stringValue {
            throw SandboxUseError.badFault(message: message)
        }
        guard let result = answer["result"] else { throw silent("its answer has no result") }
        return result
    }

    private func silent(_ reason: String) -> DexError {
        SandboxUseError.silent(reason: reason)
    }
}
