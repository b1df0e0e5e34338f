import DexResources
import HTTPServing
import HTTPTypes
import NIOCore

/// The relay's page for people: one document that loads nothing from elsewhere.
struct RelayPage: Sendable {
    private let body: ByteBuffer
    private let policy: PagePolicy

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
        policy = PagePolicy(styles: [style], scripts: scripts)
    }

    var response: Response {
        var headers = policy.headers
        headers[.contentType] = "text/html; charset=utf-8"
        return Response(status: .ok, headers: headers, body: body)
    }
}
