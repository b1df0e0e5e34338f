package import HTTPTypes
package import Hummingbird
package import NIOCore

extension Response {
    /// A whole answer that has no header but its content type.
    package init(_ status: HTTPResponse.Status = .ok, type: String, _ body: ByteBuffer) {
        self.init(
            status: status,
            headers: [.contentType: type],
            body: ResponseBody(byteBuffer: body)
        )
    }

    package init(_ status: HTTPResponse.Status = .ok, json: ByteBuffer) {
        self.init(status, type: "application/json", json)
    }
}
