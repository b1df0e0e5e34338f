import EthereumWallet
import Glibc

/// Random bytes that this process holds only under a mask, so that looking through its memory
/// finds them where somebody else left them.
struct HiddenBytes {
    let name: String
    private let masked: [UInt8]
    private static let mask: UInt8 = 0xA7

    init(_ name: String, masked: [UInt8]) {
        self.name = name
        self.masked = masked
    }

    /// Random bytes.
    init(_ name: String, random count: Int) {
        self.init(name, masked: (0..<count).map { _ in .random(in: 0...255) })
    }

    /// Random lower-case letters.
    init(_ name: String, letters count: Int) {
        self.init(name, masked: (0..<count).map { _ in .random(in: 0x61...0x7A) ^ Self.mask })
    }

    /// What is in a secret.
    init(_ name: String, _ secret: borrowing SecretBytes) {
        self.init(name, masked: secret.withBytes { bytes in bytes.map { $0 ^ Self.mask } })
    }

    /// The bytes, as a secret.
    var revealed: SecretBytes {
        SecretBytes(count: masked.count) { bytes in
            for index in bytes.indices { bytes[index] = masked[index] ^ Self.mask }
        }
    }

    /// Pieces of twelve bytes from its start, middle and end, and the same backwards, as numbers
    /// are kept in limbs.
    var pieces: [HiddenBytes] {
        let length = 12
        let starts = [0, (masked.count - length) / 2, masked.count - length]
        return starts.flatMap { start in
            let piece = Array(masked[start..<start + length])
            return [
                HiddenBytes("\(name), from byte \(start)", masked: piece),
                HiddenBytes("\(name), from byte \(start), backwards", masked: piece.reversed()),
            ]
        }
    }

    /// They are somewhere in the buffer.
    func isIn(_ buffer: UnsafeRawBufferPointer) -> Bool {
        guard let base = buffer.baseAddress, buffer.count >= masked.count else { return false }
        let end = base + buffer.count - masked.count + 1
        let first = CInt(masked[0] ^ Self.mask)
        return masked.withUnsafeBufferPointer { masked in
            var start = base
            // The C library finds the first byte, since memory is large and tests are not optimised.
            while start < end, let match = memchr(start, first, end - start) {
                let candidate = UnsafeRawPointer(match)
                var index = 1
                while index < masked.count,
                    candidate.load(fromByteOffset: index, as: UInt8.self) ^ Self.mask
                        == masked[index]
                {
                    index += 1
                }
                if index == masked.count { return true }
                start = candidate + 1
            }
            return false
        }
    }
}
