/// What carries an HTTP request to a server and its answer back.
package protocol HTTPTransport: Sendable {
    /// Sends a request and collects the whole answer, whatever its status.
    ///
    /// The answer is held against the request's bounds while it comes and is decompressed.
    ///
    /// Cancelling the task ends the transfer at once. Redirects are answers, not followed.
    ///
    /// - Throws: `HTTPError` where no whole answer came.
    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse
}
