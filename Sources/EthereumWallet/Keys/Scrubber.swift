import Glibc

/// Overwrites the secrets that remain in memory.
enum Scrubber {
    /// Overwrites bytes; unlike an ordinary assignment, this is never optimised away.
    static func wipe(_ bytes: UnsafeMutableRawBufferPointer) {
        guard let base = bytes.baseAddress else { return }
        explicit_bzero(base, bytes.count)
    }

    /// Overwrites memory that a library freed without overwriting it.
    ///
    /// That is the stack that it used, and heap blocks of the sizes in which it kept secrets. The C
    /// library first reuses the block that the same thread freed last, so these are the right ones.
    /// `SecretsInMemoryTests` searches the whole process for remains.
    static func wipeLeftovers(blocks sizes: Int...) {
        for size in sizes {
            let blocks = (0..<4).compactMap { _ in malloc(size) }
            for block in blocks {
                wipe(UnsafeMutableRawBufferPointer(start: block, count: size))
            }
            for block in blocks { free(block) }
        }
        wipeStack()
    }

    @inline(never)
    private static func wipeStack() {
        var deep: InlineArray<4096, UInt64> = .init(repeating: 0)
        withUnsafeMutableBytes(of: &deep) { wipe($0) }
    }
}
