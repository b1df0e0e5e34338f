import Ethereum
import OpenSSL

/// The user's service that receives messages, each as one POST.
package struct Webhook: Sendable {
    /// The outcome of a post; reasons are sentences without the URL's path, query or password.
    package enum Outcome: Hashable, Sendable {
        case accepted
        /// The service may accept it later; the seconds to wait if it names them.
        case later(String, after: UInt64?)
        /// The service reports that it is permanently gone.
        case refused(String)
    }

    /// A key that is never shown.
    package struct Secret: Sendable {
        fileprivate let key: AuthenticationKey

        package init(_ bytes: UnsafeRawBufferPointer) {
            key = AuthenticationKey(bytes)
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
    /// `Idempotency-Key` is the id, the same for every attempt of a message. With a secret
    /// `X-Dex-Signature` is `t=SECONDS,v1=HEX`: HMAC-SHA256 of `SECONDS.BODY`. It reveals a change
    /// of either, and the replay of an old message.
    ///
    /// - Parameters:
    ///   - type: the body's Content-Type.
    ///   - now: seconds since 1970.
    package func post(
        _ body: [UInt8],
        type: String = "application/json",
        id: String,
        now: UInt64
    ) async -> Outcome {
        var headers = [
            HTTPHeader("Content-Type", type),
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
        let code = secret.key.code(of: Array("\(now).".utf8) + body, .sha256)
        return "t=\(now),v1=\(Hex.encode(code).dropFirst(2))"
    }
}
