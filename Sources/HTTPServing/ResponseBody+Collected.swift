import HTTPTypes
package import HummingbirdCore
package import NIOCore

extension ResponseBody {
    /// The whole body; what is written in one piece is not copied.
    package consuming func collected() async throws -> ByteBuffer {
        let collector = BufferCollector()
        try await write(collector)
        return collector.buffer
    }
}

/// Keeps what a response writes; one buffer is kept without a copy.
private final class BufferCollector: ResponseBodyWriter {
    private(set) var buffer = ByteBuffer()

    func write(_ buffer: ByteBuffer) async throws {
        if self.buffer.readableBytes == 0 {
            self.buffer = buffer
        } else {
            self.buffer.writeImmutableBuffer(buffer)
        }
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
