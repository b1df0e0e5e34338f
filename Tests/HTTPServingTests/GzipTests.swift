import CZlib
import HTTPServing
import NIOCore
import Testing

@Suite("Compression as gzip")
struct GzipTests {
    @Test(
        "what zlib unpacks is what was packed, from nothing to a megabyte",
        arguments: [0, 1, 1_023, 65_536, 1_048_576]
    )
    func roundTrip(count: Int) throws {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<count).map { index in
            index % 3 == 0 ? UInt8.random(in: 0...255, using: &generator) : UInt8(index % 7)
        }
        let packed = try #require(Gzip.compress(ByteBuffer(bytes: bytes)))
        #expect(packed.getBytes(at: packed.readerIndex, length: 2) == [0x1F, 0x8B])
        #expect(try unpack(Array(packed.readableBytesView), upTo: count + 64) == bytes)
    }

    @Test("bytes that cannot be packed come back too, a little longer")
    func random() throws {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<10_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let packed = try #require(Gzip.compress(ByteBuffer(bytes: bytes)))
        #expect(packed.readableBytes < 10_100)
        #expect(try unpack(Array(packed.readableBytesView), upTo: 10_064) == bytes)
    }

    /// Unpacks one gzip member with zlib's own reader.
    private func unpack(_ bytes: [UInt8], upTo maximum: Int) throws -> [UInt8] {
        var stream = z_stream()
        let version = zlibVersion()
        let size = Int32(MemoryLayout<z_stream>.size)
        try #require(inflateInit2_(&stream, 15 + 16, version, size) == Z_OK)
        defer { inflateEnd(&stream) }
        var input = bytes
        var output = [UInt8](repeating: 0, count: maximum)
        let written = input.withUnsafeMutableBufferPointer { source in
            output.withUnsafeMutableBufferPointer { target in
                stream.next_in = source.baseAddress
                stream.avail_in = UInt32(source.count)
                stream.next_out = target.baseAddress
                stream.avail_out = UInt32(target.count)
                let status = inflate(&stream, Z_FINISH)
                return status == Z_STREAM_END ? target.count - Int(stream.avail_out) : -1
            }
        }
        try #require(written >= 0)
        return Array(output[..<written])
    }
}
