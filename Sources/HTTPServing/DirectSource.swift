package import HTTPTypes
package import NIOCore

/// What answers requests without the application's tasks.
package struct DirectSource: Sendable {
    /// The answer to a plain GET from a peer's address; nil leaves it to the application.
    package let get: @Sendable (HTTPRequest, _ peer: String) -> DirectAnswer?
    /// The paths whose posts are taken; none leaves them all to the application.
    package let paths: [String]
    /// The most bytes of a body that is taken; longer ones are left to the application.
    package let mostBytes: Int
    /// The headers that a taken post keeps.
    package let kept: [HTTPField.Name]
    /// Answers a taken post.
    package let post: @Sendable (DirectPost) -> Void
    /// Brings the answers of taken posts to the event loops of their connections.
    let answers = PlainPosts.turns()

    package init(
        get: @escaping @Sendable (HTTPRequest, _ peer: String) -> DirectAnswer? = { _, _ in nil },
        paths: [String] = [],
        mostBytes: Int = 0,
        kept: [HTTPField.Name] = [],
        post: @escaping @Sendable (DirectPost) -> Void = { _ in }
    ) {
        self.get = get
        self.paths = paths
        self.mostBytes = mostBytes
        self.kept = kept
        self.post = post
    }
}

/// A whole POST, to be answered at any later time.
package struct DirectPost: Sendable {
    /// The index of its path in the source's `paths`.
    package let path: Int
    /// Those headers of it that the source keeps.
    package let headers: HTTPFields
    package let body: ByteBuffer
    /// The address of the connection.
    package let peer: String
    package let eventLoop: any EventLoop
    /// Sends the answer, from any thread; called once.
    package let answer: @Sendable (DirectAnswer) -> Void
}
