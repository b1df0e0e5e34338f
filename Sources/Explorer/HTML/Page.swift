/// A page of the explorer, before it is laid out.
package struct Page: Sendable {
    /// What makes an open page out of date.
    package enum Liveness: String, Sendable {
        /// Nothing: it shows something that does not change.
        case fixed
        /// A new block.
        case block
        /// A new block, or a new order on a relay.
        case book
    }

    package enum Status: Sendable {
        case ok
        /// The request is malformed.
        case badRequest
        /// There is no such thing.
        case notFound
        /// A node or a relay did not answer.
        case unavailable
    }

    package let title: String
    package let body: HTML
    package var status = Status.ok
    package var liveness = Liveness.block
}

/// What a request is answered with.
package enum ExplorerAnswer: Sendable {
    case page(Page)
    /// Another path of the explorer.
    case redirect(String)
}
