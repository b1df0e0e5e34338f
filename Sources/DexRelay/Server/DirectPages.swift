import HTTPServing
import HTTPTypes
import HummingbirdCore
import NIOCore

/// The pages of books that are ready, for the connections' own event loops.
///
/// An answer is the same as the one of the routes, with the same counts, names and limits. What
/// needs more than a look, such as a page that must be made, is left to the routes.
struct DirectPages: Sendable {
    let markets: [RelayMarket]
    let requests: DirectRequests
    let answers: CompressedAnswers

    /// - Parameter peer: the address of the connection.
    func answer(to request: HTTPRequest, from peer: String) -> DirectAnswer? {
        // Pages of other origins get headers more.
        guard request.headerFields[.origin] == nil else { return nil }
        let uri = URI(request.path ?? "")
        guard let market = markets.first(where: { $0.interface.bookPaths.contains(uri.path) }),
            let page = market.pages.ready(
                market.interface.pageKey(
                    authority: request.authority,
                    path: uri.path,
                    query: uri.query
                ),
                at: market.intake.horizon
            )
        else { return nil }
        let prefersGzip = AcceptEncoding.prefersGzip(request.headerFields[.acceptEncoding])
        let known = request.headerFields[.ifNoneMatch]
        if prefersGzip, let tag = EntityTag(header: page.etag), !tag.isKnown(to: known),
            !answers.isReady(page.body, tag)
        {
            return nil
        }
        let begun = requests.begin(request, from: peer)
        var answer = page.answer
        if begun.isExceeded {
            answer = DirectAnswer(market.interface.fault.throttled)
        } else if prefersGzip || known != nil {
            answer = DirectAnswer(status: .ok, headers: page.headers, body: page.body)
            answer.encode(for: request.headerFields, answers)
        }
        return requests.end(begun, route: uri.path, answer)
    }
}
