import Glibc

/// A key of HMAC that is kept: never printed, and overwritten at the end.
package final class AuthenticationKey: Sendable {
    private let count: Int
    /// As a number because Swift's pointers are not Sendable; no code writes there between `init`
    /// and `deinit`.
    private let address: UInt

    /// Copies the key; the caller overwrites the original.
    package init(_ bytes: UnsafeRawBufferPointer) {
        count = bytes.count
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: count + 1, alignment: 1)
        UnsafeMutableRawBufferPointer(rebasing: copy.prefix(count)).copyMemory(from: bytes)
        address = UInt(bitPattern: copy.baseAddress)
    }

    /// HMAC of a message with this key: as many bytes as a hash has.
    package func code(of message: [UInt8], _ function: HashFunction) -> [UInt8] {
        let key = UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: address), count: count)
        return message.withUnsafeBytes { message in
            [UInt8](unsafeUninitializedCapacity: function.byteCount) { output, count in
                let output = UnsafeMutableRawBufferPointer(output)
                function.authenticate(message, key: key, into: output)
                count = function.byteCount
            }
        }
    }

    deinit {
        guard let start = UnsafeMutableRawPointer(bitPattern: address) else { return }
        explicit_bzero(start, count)
        start.deallocate()
    }
}
