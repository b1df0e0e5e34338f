/// Sends HTTP requests to servers and returns their answers.
package protocol HTTPTransport: Sendable {
    /// Sends a request and collects the complete answer, whatever its status.
    ///
    /// The request's limits apply while the answer arrives and is decompressed. Cancelling the task
    /// ends the transfer at once. Redirects are returned, not followed.
    ///
    /// - Throws: `HTTPError` if there is no complete answer.
    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse
}
