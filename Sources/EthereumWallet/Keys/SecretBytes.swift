public import Ethereum
import Glibc

/// Secret bytes in their own memory pages, overwritten at the end.
///
/// The pages stay out of swap and core dumps if the system allows it. The bytes cannot be copied by
/// accident, printed or compared.
public struct SecretBytes: ~Copyable, Sendable {
    /// The number of bytes.
    public let count: Int

    /// The address, as a number because Swift's pointers are not Sendable; no code writes there
    /// between `init` and `deinit`.
    private let address: UInt
    /// Whole pages.
    private let size: Int

    /// The memory never goes to swap.
    ///
    /// false if the system allows no more locked memory (`ulimit -l`); nothing else depends on it.
    public let isLocked: Bool

    /// Bytes written by a closure; they start as zeros.
    ///
    /// - Throws: the closure's error; the bytes are overwritten in that case too.
    public init<Failure: Error>(
        count: Int,
        writing body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        self.count = count
        // One byte more, so libraries get an address even for no bytes. Locks do not nest: if two
        // secrets shared a page, the first one released would unlock it.
        let page = Int(getpagesize())
        size = (count + page) / page * page
        let protection = PROT_READ | PROT_WRITE
        let memory = mmap(nil, size, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        // MAP_FAILED is a cast, which Swift does not import.
        guard let memory, Int(bitPattern: memory) != -1 else {
            preconditionFailure("there is no memory for a secret")
        }
        isLocked = mlock(memory, size) == 0
        _ = madvise(memory, size, MADV_DONTDUMP)
        address = UInt(bitPattern: memory)
        try body(UnsafeMutableRawBufferPointer(start: memory, count: count))
    }

    /// Copies bytes; the caller overwrites the original.
    public init(copying bytes: some Collection<UInt8>) {
        self.init(count: bytes.count) { $0.copyBytes(from: bytes) }
    }

    /// Copies a word.
    public init(copying word: Bytes32) {
        self.init(count: 32) { memory in
            word.withUnsafeBytes { memory.copyMemory(from: $0) }
        }
    }

    /// Bytes from the system's secure generator.
    public init(random count: Int) {
        self.init(count: count) { memory in
            var generator = SystemRandomNumberGenerator()
            for index in memory.indices { memory[index] = generator.next() }
        }
    }

    /// The bytes of hexadecimal digits, two each, with or without `0x`; nil for anything else.
    ///
    /// - Parameter count: the expected number of bytes.
    public init?(hex text: some Collection<UInt8>, count: Int) {
        var digits = text[...]
        let prefix = digits.prefix(2)
        if digits.count == 2 * count + 2,
            prefix.elementsEqual("0x".utf8) || prefix.elementsEqual("0X".utf8)
        {
            digits = digits.dropFirst(2)
        }
        guard digits.count == 2 * count, digits.allSatisfy({ Hex.value(ofDigit: $0) != nil })
        else { return nil }
        self.init(count: count) { memory in
            for (index, digit) in digits.enumerated() {
                memory[index / 2] = memory[index / 2] << 4 | (Hex.value(ofDigit: digit) ?? 0)
            }
        }
    }

    deinit {
        let memory = memory
        Scrubber.wipe(UnsafeMutableRawBufferPointer(start: memory, count: count))
        munmap(memory, size)
    }

    /// Lends the bytes to a closure, which must not keep them; even no bytes have an address.
    public borrowing func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(start: memory, count: count))
    }

    /// Both hold the same bytes; the comparison takes constant time.
    public borrowing func isEqual(to other: borrowing SecretBytes) -> Bool {
        guard count == other.count else { return false }
        return withBytes { left in
            other.withBytes { right in
                zip(left, right).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
            }
        }
    }

    /// `0x` and the lower-case digits, as secret text.
    public borrowing func hexText() -> SecretBytes {
        withBytes { bytes in
            SecretBytes(count: 2 + 2 * bytes.count) { text in
                text[0] = UInt8(ascii: "0")
                text[1] = UInt8(ascii: "x")
                for (index, byte) in bytes.enumerated() {
                    text[2 + 2 * index] = Hex.digit(byte >> 4)
                    text[3 + 2 * index] = Hex.digit(byte & 15)
                }
            }
        }
    }

    private var memory: UnsafeMutableRawPointer {
        guard let memory = UnsafeMutableRawPointer(bitPattern: address) else {
            preconditionFailure("allocated memory is not at address zero")
        }
        return memory
    }
}
