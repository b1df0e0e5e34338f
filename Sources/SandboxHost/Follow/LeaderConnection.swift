/// Requests to the machine whose sandbox is copied.
///
/// Whatever comes back is another machine's word: the implementation bounds its size and the time
/// that it may take.
package protocol LeaderConnection: Sendable {
    /// Asks its node.
    ///
    /// - Parameter path: with a query, from the first slash.
    /// - Throws: `LeaderSilence` if there is no complete answer.
    func get(_ path: String) async throws(LeaderSilence) -> LeaderAnswer

    /// Passes a JSON body on to its node or its relay.
    ///
    /// - Throws: `LeaderSilence` if there is no complete answer; the request may have arrived.
    func post(
        _ path: String,
        to server: LeaderServer,
        _ body: [UInt8]
    ) async throws(LeaderSilence) -> LeaderAnswer
}

/// A server of the machine whose sandbox is copied.
package enum LeaderServer: Hashable, Sendable {
    case node
    /// The relay at a port of the same host.
    case relay(port: Int)
}

package struct LeaderAnswer: Hashable, Sendable {
    package let status: Int
    /// The header `LeaderRoutes.booksHeader`; nil without one.
    package let books: String?
    package let body: [UInt8]

    package init(status: Int, books: String? = nil, body: [UInt8]) {
        self.status = status
        self.books = books
        self.body = body
    }
}

/// The other machine gave no usable answer.
package struct LeaderSilence: Error, Hashable, Sendable {
    /// A sentence without the full stop.
    package let reason: String

    package init(reason: String) {
        self.reason = reason
    }
}
