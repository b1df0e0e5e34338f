import Ethereum
package import HTTPServing
import HTTPTypes
import NIOCore

/// Serves an explorer's pages: GET and HEAD only.
package struct ExplorerRoutes: Sendable {
    private let explorer: Explorer
    private let gate: PageGate

    /// The most pages that are made at once; others wait.
    private static let width = 2
    /// The most requests that wait.
    private static let queue = 64

    package init(_ explorer: Explorer) {
        self.explorer = explorer
        gate = PageGate(width: Self.width, queue: Self.queue)
    }

    /// The answer to a request.
    package func respond(to request: Request) async -> Response {
        guard request.method == .get || request.method == .head else {
            return Self.notAllowed
        }
        let response = await get(request)
        return request.method == .head ? response.withoutBody : response
    }

    private func get(_ request: Request) async -> Response {
        // No path of a page needs an encoded character, so none is decoded.
        let path = request.path
        if path == "/head" { return await head() }
        guard await gate.enter() else { return Self.busy }
        let query = Dictionary(
            request.queryItems.map { ($0.name, $0.value) },
            uniquingKeysWith: { first, _ in first }
        )
        // Read first: a block that comes meanwhile makes the page out of date.
        let head = await explorer.head()
        let answer = await explorer.answer(path: path, query: query)
        await gate.leave()
        switch answer {
        case .redirect(let path):
            return Response(status: .seeOther, headers: [.location: path])
        case .page(let page):
            let document = explorer.layout.document(
                page,
                head: head?.hex,
                query: path == "/search" ? query["q"] ?? "" : ""
            )
            var headers = Layout.policy.headers
            headers[.contentType] = "text/html; charset=utf-8"
            headers[.cacheControl] = "no-store"
            return Response(
                status: page.status.code,
                headers: headers,
                body: ByteBuffer(string: document)
            )
        }
    }

    /// The latest block's hash, by which an open page knows that it is out of date.
    private func head() async -> Response {
        guard let head = await explorer.head() else {
            return Response(status: .serviceUnavailable)
        }
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/plain; charset=utf-8", .cacheControl: "no-store",
                .xContentTypeOptions: "nosniff",
            ],
            body: ByteBuffer(string: head.hex)
        )
    }

    /// Any other method; JSON-RPC is posted to `/`.
    package static var notAllowed: Response {
        Response(
            status: .methodNotAllowed,
            headers: [.allow: "GET, HEAD", .contentType: "text/plain; charset=utf-8"],
            body: ByteBuffer(string: "Pages are read with GET.\n")
        )
    }

    private static var busy: Response {
        Response(
            status: .serviceUnavailable,
            headers: [.retryAfter: "1", .contentType: "text/plain; charset=utf-8"],
            body: ByteBuffer(string: "Too many pages at once.\n")
        )
    }
}

extension Page.Status {
    fileprivate var code: HTTPResponse.Status {
        switch self {
        case .ok: .ok
        case .badRequest: .badRequest
        case .notFound: .notFound
        case .unavailable: .serviceUnavailable
        }
    }
}
