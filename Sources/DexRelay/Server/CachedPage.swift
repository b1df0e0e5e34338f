import Ethereum
import HTTPServing
import HTTPTypes
import NIOCore

/// A page of a book, ready to be sent.
final class CachedPage: Sendable {
    /// The JSON text.
    let body: ByteBuffer
    /// A strong entity tag, in quotes: equal pages of all instances have the same one.
    let etag: String
    /// What a client gets that neither has the page nor accepts gzip.
    let response: Response

    /// How many orders the longer side has on all pages.
    let total: Int

    init(body: ByteBuffer, total: Int) {
        self.body = body
        self.total = total
        etag = "\"\(ContentDigest(body.readableBytesView).hex)\""
        let headers: HTTPFields = [.contentType: "application/json", .eTag: etag]
        var response = Response(status: .ok, headers: headers, body: body)
        response.addTag()
        self.response = response
    }
}

/// A digest of bytes that tells contents apart, at several bytes a nanosecond.
///
/// It is no cryptographic hash: whoever can choose all bytes can make two contents with one digest.
struct ContentDigest: Hashable, Sendable {
    private var first: UInt64 = 0x9e37_79b9_7f4a_7c15
    private var second: UInt64 = 0xc2b2_ae3d_27d4_eb4f

    init(_ content: some Sequence<UInt8>) {
        let isAdded: Bool? = content.withContiguousStorageIfAvailable {
            add(UnsafeRawBufferPointer($0))
            return true
        }
        // A sequence without storage of its own is copied.
        if isAdded == nil { Array(content).withUnsafeBytes { add($0) } }
    }

    /// 32 lower-case hexadecimal digits.
    var hex: String {
        [first, second].map(Hex.digits).joined()
    }

    private mutating func add(_ bytes: UnsafeRawBufferPointer) {
        var offset = 0
        while offset + 16 <= bytes.count {
            mix(
                bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self),
                bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self)
            )
            offset += 16
        }
        var rest: (UInt64, UInt64) = (0, 0)
        for (place, byte) in bytes[offset...].enumerated() {
            let shifted = UInt64(byte) << UInt64(place % 8 * 8)
            if place < 8 { rest.0 |= shifted } else { rest.1 |= shifted }
        }
        mix(rest.0, rest.1)
        mix(UInt64(bytes.count), 0)
    }

    private mutating func mix(_ left: UInt64, _ right: UInt64) {
        let a = (first ^ left).multipliedFullWidth(by: right ^ 0xa076_1d64_78bd_642f)
        let b = (second ^ right).multipliedFullWidth(by: left ^ 0xe703_7ed1_a0b4_28db)
        first = (a.high ^ a.low) &+ second
        second = (b.high ^ b.low) &+ 0x8ebc_6af0_9c88_c6e3
    }
}
