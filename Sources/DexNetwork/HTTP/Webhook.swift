import Crypto
import Ethereum

/// Where a service of the user's takes messages: one POST of JSON each.
package struct Webhook: Sendable {
    /// What came of a post; reasons are sentences without the URL's path, query or password.
    package enum Outcome: Hashable, Sendable {
        case accepted
        /// It may take it later; seconds after which, where it told.
        case later(String, after: UInt64?)
        /// It says that it is gone for good.
        case refused(String)
    }

    /// A key of which nothing is shown.
    package struct Secret: Sendable {
        fileprivate let key: SymmetricKey

        package init(_ bytes: UnsafeRawBufferPointer) {
            key = SymmetricKey(data: bytes)
        }
    }

    private let url: String
    private let secret: Secret?
    private let transport: any HTTPTransport

    package init(url: String, secret: Secret?, transport: any HTTPTransport) {
        self.url = url
        self.secret = secret
        self.transport = transport
    }

    /// Posts a body.
    ///
    /// `Idempotency-Key` is the id, the same each time that a message is posted. With a secret
    /// `X-Dex-Signature` is `t=SECONDS,v1=HEX`: HMAC-SHA256 of `SECONDS.BODY`, so that neither can
    /// be changed, nor an old message be posted again unseen.
    ///
    /// - Parameters:
    ///   - body: JSON.
    ///   - now: seconds since 1970.
    package func post(_ body: [UInt8], id: String, now: UInt64) async -> Outcome {
        var headers = [
            HTTPHeader("Content-Type", "application/json"),
            HTTPHeader("Idempotency-Key", id),
        ]
        if let secret {
            headers.append(HTTPHeader("X-Dex-Signature", Self.signature(body, secret, now)))
        }
        let request = HTTPRequest(.post, url: url, headers: headers, body: body, mayRepeat: false)
        let response: HTTPResponse
        do throws(HTTPError) {
            response = try await transport.send(request)
        } catch {
            return .later("It cannot be reached: \(error.reason).", after: nil)
        }
        if response.isSuccess { return .accepted }
        // RFC 9110, section 15.5.11: likely to be permanent.
        if response.status == 410 { return .refused("It is gone (HTTP 410).") }
        let reason = ServerAdvice.reason(for: response)
        return .later(
            reason.prefix(1).uppercased() + reason.dropFirst() + ".",
            after: ServerAdvice.wait(in: response, now: now)
        )
    }

    static func signature(_ body: [UInt8], _ secret: Secret, _ now: UInt64) -> String {
        var code = HMAC<SHA256>(key: secret.key)
        code.update(data: Array("\(now).".utf8))
        code.update(data: body)
        return "t=\(now),v1=\(Hex.encode(Array(code.finalize())).dropFirst(2))"
    }
}
