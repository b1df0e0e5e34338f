import Ethereum

/// The 64 bytes of r and s in libsecp256k1's form, on the stack.
struct CompactSignature {
    private var limbs: InlineArray<8, UInt64> = .init(repeating: 0)

    /// 64 zero bytes, to be overwritten.
    init() {}

    init(_ signature: Signature) {
        let (r, s) = (signature.r.limbs, signature.s.limbs)
        limbs = [
            r.0.bigEndian, r.1.bigEndian, r.2.bigEndian, r.3.bigEndian,
            s.0.bigEndian, s.1.bigEndian, s.2.bigEndian, s.3.bigEndian,
        ]
    }

    var r: Bytes32 {
        word(from: 0)
    }

    var s: Bytes32 {
        word(from: 4)
    }

    private func word(from index: Int) -> Bytes32 {
        Bytes32(
            limbs: (
                limbs[index].bigEndian, limbs[index + 1].bigEndian,
                limbs[index + 2].bigEndian, limbs[index + 3].bigEndian
            )
        )
    }

    /// Lends the bytes to a closure.
    func withBytes<Result>(_ body: (UnsafePointer<UInt8>) -> Result) -> Result {
        withUnsafePointer(to: limbs) {
            body(UnsafeRawPointer($0).assumingMemoryBound(to: UInt8.self))
        }
    }

    /// Lends the bytes to a closure that writes them.
    mutating func withMutableBytes<Result>(
        _ body: (UnsafeMutablePointer<UInt8>) -> Result
    ) -> Result {
        withUnsafeMutablePointer(to: &limbs) {
            body(UnsafeMutableRawPointer($0).assumingMemoryBound(to: UInt8.self))
        }
    }
}

extension Bytes32 {
    /// Lends the 32 bytes to a function of libsecp256k1.
    func withBytes<Result>(_ body: (UnsafePointer<UInt8>) -> Result) -> Result {
        let bigEndian: InlineArray<4, UInt64> = [
            limbs.0.bigEndian, limbs.1.bigEndian, limbs.2.bigEndian, limbs.3.bigEndian,
        ]
        return withUnsafePointer(to: bigEndian) {
            body(UnsafeRawPointer($0).assumingMemoryBound(to: UInt8.self))
        }
    }
}
