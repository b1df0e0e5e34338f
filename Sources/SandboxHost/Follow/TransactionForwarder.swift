import DexSandbox
import Ethereum
import StrictJSON

/// Passes transactions on to the machine that makes the blocks.
struct TransactionForwarder: Sendable {
    let chain: SandboxChain
    let leader: any LeaderConnection

    /// The method that takes a signed transaction.
    static let method = "eth_sendRawTransaction"
    /// What a node answers to a transaction that waits already.
    static let known = "already known"
    /// The longest words of another machine that are passed on.
    private static let maximumWords = 300

    /// What the other machine said of a transaction.
    enum Verdict: Hashable, Sendable {
        case taken
        case refused(code: Int, words: String)
    }

    /// Passes one on that is valid here; one that is refused is forgotten here, too.
    ///
    /// - Parameter raw: the signed bytes.
    /// - Throws: `LeaderSilence` if there is no usable answer, although the transaction may have
    ///   arrived; `SandboxError`.
    func forward(_ raw: [UInt8]) async throws -> Verdict {
        let body: JSONValue = [
            "jsonrpc": "2.0", "id": 1, "method": .string(Self.method),
            "params": [.string(Hex.encode(raw))],
        ]
        let answer = try await leader.post("/", to: .node, body.utf8)
        guard answer.status == 200 else {
            throw LeaderSilence(reason: "it answered with HTTP \(answer.status)")
        }
        guard let json = try? JSONParser.parse(answer.body) else {  // nil: not JSON
            throw LeaderSilence(reason: "its answer is not JSON")
        }
        guard let error = json["error"], !error.isNull else {
            guard json["result"]?.stringValue != nil else {
                throw LeaderSilence(reason: "its answer has no result")
            }
            return .taken
        }
        let words = Self.plain(error["message"]?.stringValue ?? "")
        guard words != Self.known else { return .taken }
        try await chain.forget(TransactionHash(Keccak256.hash(raw)))
        return .refused(
            code: error["code"]?.numberText.flatMap { Int($0) } ?? -32_000,
            words: words
        )
    }

    /// Passes on what waits here, for the time that the other machine was away.
    ///
    /// - Throws: `LeaderSilence`; `SandboxError`.
    func forwardWaiting() async throws {
        for raw in await chain.waitingBytes { _ = try await forward(raw) }
    }

    /// Words of another machine without control characters, cut to a line or two.
    static func plain(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.filter { $0.value >= 32 && !(127..<160).contains($0.value) }
                    .prefix(maximumWords)
            )
        )
    }
}
