import Ethereum

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// 32 secret bytes in memory of their own that is overwritten at the end; they cannot be copied by
/// accident, printed or compared.
struct SecretBytes: ~Copyable, Sendable {
    /// Where they are, as a number because Swift's pointers are not Sendable; nobody writes there
    /// between `init` and `deinit`.
    private let address: UInt

    private static let count = 32

    /// Copies 32 bytes.
    init(copying word: Bytes32) {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: Self.count, alignment: 8)
        word.withBytes { memory.copyMemory(from: $0, byteCount: Self.count) }
        address = UInt(bitPattern: memory)
    }

    /// The bytes of 64 hexadecimal digits, with or without `0x`; nil for anything else.
    init?(hex text: String) {
        var digits = Substring(text).utf8
        if digits.count == 2 * Self.count + 2, text.hasPrefix("0x") || text.hasPrefix("0X") {
            digits = digits.dropFirst(2)
        }
        guard digits.count == 2 * Self.count,
            digits.allSatisfy({ Hex.value(ofDigit: $0) != nil })
        else { return nil }
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.count, alignment: 8)
        bytes.initializeMemory(as: UInt8.self, repeating: 0)
        for (index, digit) in digits.enumerated() {
            bytes[index / 2] = bytes[index / 2] << 4 | (Hex.value(ofDigit: digit) ?? 0)
        }
        address = UInt(bitPattern: bytes.baseAddress)
    }

    deinit {
        let memory = memory
        // Unlike an ordinary assignment these are not optimised away.
        #if canImport(Darwin)
            memset_s(memory, Self.count, 0, Self.count)
        #else
            explicit_bzero(memory, Self.count)
        #endif
        memory.deallocate()
    }

    /// Lends the 32 bytes to a closure, which must not keep them.
    borrowing func withBytes<Result>(_ body: (UnsafePointer<UInt8>) -> Result) -> Result {
        body(memory.assumingMemoryBound(to: UInt8.self))
    }

    private var memory: UnsafeMutableRawPointer {
        guard let memory = UnsafeMutableRawPointer(bitPattern: address) else {
            preconditionFailure("allocated memory is not at address zero")
        }
        return memory
    }
}
