/// A response of an HTTP server, with its whole body.
package struct HTTPResponse: Sendable, Hashable {
    /// 100 to 999.
    package let status: Int
    /// In the order received; of several answers on the way only the last one's.
    package let headers: [HTTPHeader]
    /// Decompressed.
    package let body: [UInt8]

    package init(status: Int, headers: [HTTPHeader] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The values of a header, in order; letter case does not matter.
    package func values(of name: String) -> [String] {
        let wanted = name.lowercased()
        return headers.filter { $0.name.lowercased() == wanted }.map(\.value)
    }

    package var isSuccess: Bool {
        (200..<300).contains(status)
    }
}
