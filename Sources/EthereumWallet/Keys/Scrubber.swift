#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Overwrites what secrets leave in memory.
enum Scrubber {
    /// Overwrites bytes; unlike an ordinary assignment this is not optimised away.
    static func wipe(_ bytes: UnsafeMutableRawBufferPointer) {
        guard let base = bytes.baseAddress else { return }
        #if canImport(Darwin)
            memset_s(base, bytes.count, 0, bytes.count)
        #else
            explicit_bzero(base, bytes.count)
        #endif
    }

    /// Overwrites what a library has let go of without overwriting it: the part of the stack that
    /// it used, and heap blocks of the sizes in which it kept secrets.
    ///
    /// The C library hands out the block of a size first that the same thread gave back last, so
    /// these are the ones; `SecretsInMemoryTests` looks through the whole process for what stays.
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
