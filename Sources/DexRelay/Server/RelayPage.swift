import Crypto
import DexResources
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

/// The relay's page for people: one document that loads nothing from elsewhere.
struct RelayPage: Sendable {
    private let body: ByteBuffer
    private let policy: String

    /// The page of `Resources/relay-page.*`.
    static let embedded = RelayPage(
        html: String(decoding: DexResources.relayPage, as: UTF8.self),
        style: String(decoding: DexResources.relayPageStyle, as: UTF8.self),
        scripts: [DexResources.relayPageBook, DexResources.relayPageScript].map {
            String(decoding: $0, as: UTF8.self)
        }
    )

    /// A page whose own scripts and style alone may run, known by their hashes.
    ///
    /// - Parameter html: its comments `style` and `script` are replaced.
    init(html: String, style: String, scripts: [String]) {
        let elements = scripts.map { "<script>\($0)</script>" }.joined(separator: "\n")
        var text = html
        for (mark, content) in [
            ("<!-- style -->", "<style>\(style)</style>"), ("<!-- script -->", elements),
        ] {
            guard let range = text.firstRange(of: mark) else { continue }
            text.replaceSubrange(range, with: content)
        }
        body = ByteBuffer(string: text)
        policy = [
            "default-src 'none'",
            "script-src \(scripts.map(Self.source).joined(separator: " "))",
            "style-src \(Self.source(of: style))",
            "img-src data:",
            "connect-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
            "require-trusted-types-for 'script'",
        ].joined(separator: "; ")
    }

    var response: Response {
        var headers: HTTPFields = [
            .contentType: "text/html; charset=utf-8",
            .contentSecurityPolicy: policy,
            .xContentTypeOptions: "nosniff",
        ]
        headers.set("Referrer-Policy", "no-referrer")
        headers.set("X-Frame-Options", "DENY")
        headers.set("Cross-Origin-Opener-Policy", "same-origin")
        headers.set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: body))
    }

    /// `'sha256-…'` with the base64 of the hash, as a content policy names an element's text.
    private static func source(of text: String) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        // 32 bytes are ten groups of three, and one of two.
        let bytes = Array(SHA256.hash(data: Array(text.utf8))) + [0]
        var encoded: [UInt8] = []
        for group in stride(from: 0, to: 33, by: 3) {
            let bits =
                UInt32(bytes[group]) << 16 | UInt32(bytes[group + 1]) << 8
                | UInt32(bytes[group + 2])
            for shift in [18, 12, 6, 0] { encoded.append(digits[Int(bits >> shift & 63)]) }
        }
        encoded[43] = UInt8(ascii: "=")
        return "'sha256-\(String(decoding: encoded, as: UTF8.self))'"
    }
}
