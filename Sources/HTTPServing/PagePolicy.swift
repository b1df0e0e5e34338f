import FoundationEssentials
package import HTTPTypes
import OpenSSL

/// What a page of our own may load and do, for the browser: nothing but what it brings.
///
/// Source: Content Security Policy Level 3, https://www.w3.org/TR/CSP3/
package struct PagePolicy: Sendable {
    private let policy: String

    /// - Parameters:
    ///   - styles: the texts of its style elements.
    ///   - scripts: the texts of its script elements.
    ///   - formAction: where forms may lead: `'none'` or `'self'`.
    ///   - trustedTypes: the name of the script's own policy for markup; nil if it has none.
    package init(
        styles: [String],
        scripts: [String],
        formAction: String = "'none'",
        trustedTypes: String? = nil
    ) {
        policy = [
            "default-src 'none'",
            "script-src \(scripts.map(Self.source).joined(separator: " "))",
            "style-src \(styles.map(Self.source).joined(separator: " "))",
            "img-src data:",
            "connect-src 'self'",
            "base-uri 'none'",
            "form-action \(formAction)",
            "frame-ancestors 'none'",
            "require-trusted-types-for 'script'",
            trustedTypes.map { "trusted-types \($0)" },
        ].compactMap { $0 }.joined(separator: "; ")
    }

    /// The headers of the page, without its type.
    package var headers: HTTPFields {
        var headers: HTTPFields = [
            .contentSecurityPolicy: policy,
            .xContentTypeOptions: "nosniff",
        ]
        for (name, value) in Self.others {
            guard let name = HTTPField.Name(name) else { continue }
            headers[name] = value
        }
        return headers
    }

    /// Headers with names that are not predefined.
    private static let others = [
        ("Referrer-Policy", "no-referrer"), ("X-Frame-Options", "DENY"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
    ]

    /// `'sha256-…'` with the base64 of the hash, as a content policy names an element's text.
    private static func source(of text: String) -> String {
        let hash = HashFunction.sha256.hash(Array(text.utf8))
        return "'sha256-\(Data(hash).base64EncodedString())'"
    }
}
