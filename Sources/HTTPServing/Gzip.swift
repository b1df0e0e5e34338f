import CZlib
package import NIOCore

/// Compression of answers as gzip.
///
/// Source: RFC 1952.
package enum Gzip {
    /// Pages of a book are mostly hashes: level 6 takes 2.4 times as long and saves a tenth.
    private static let level: Int32 = 1

    /// The bytes as one gzip member; nil if zlib has no memory for it.
    package static func compress(_ input: ByteBuffer) -> ByteBuffer? {
        guard let size = UInt32(exactly: input.readableBytes) else { return nil }
        var stream = z_stream()
        guard dex_deflate_gzip_init(&stream, level) == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        // Enough for any input, so that one call suffices.
        let bound = Int(deflateBound(&stream, UInt(size)))
        var output = ByteBufferAllocator().buffer(capacity: bound)
        var status = Z_STREAM_ERROR
        _ = input.withUnsafeReadableBytes { source in
            output.writeWithUnsafeMutableBytes(minimumWritableBytes: bound) { target in
                // zlib only reads it; its type lacks the const.
                stream.next_in = UnsafeMutablePointer(
                    mutating: source.bindMemory(to: UInt8.self).baseAddress
                )
                stream.avail_in = size
                stream.next_out = target.bindMemory(to: UInt8.self).baseAddress
                stream.avail_out = UInt32(clamping: target.count)
                status = deflate(&stream, Z_FINISH)
                return max(0, target.count - Int(stream.avail_out))
            }
        }
        return status == Z_STREAM_END ? output : nil
    }
}
