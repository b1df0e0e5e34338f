import DexTestSupport
import Glibc

/// This process's memory, as a core dump would have it.
enum ProcessMemory {
    /// The names of those bytes that are anywhere in the memory that can be written.
    static func search(for needles: [HiddenBytes]) throws -> [String] {
        let maps = try ProcessFile.text("maps")
        let memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
        guard memory >= 0 else { throw ProcessFile.Refused(code: errno) }
        defer { close(memory) }
        // Beside the heap, since what is read into it is found there again.
        let size = 1 << 20
        let overlap = 64
        let flags = MAP_PRIVATE | MAP_ANONYMOUS
        guard let address = mmap(nil, size, PROT_READ | PROT_WRITE, flags, -1, 0),
            address != MAP_FAILED
        else { throw ProcessFile.Refused(code: errno) }
        defer { munmap(address, size) }
        let own = UInt(bitPattern: address)
        var found: Set<String> = []
        for line in maps.split(separator: "\n") {
            let fields = line.split(separator: " ")
            let range = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            guard fields[1].hasPrefix("rw"), range.count == 2 else { continue }
            var start = range[0]
            while start < range[1] {
                // The buffer may have been joined to a neighbour.
                if start == own { start += UInt(size) }
                var end = min(range[1], start + UInt(size))
                if start < own, end > own { end = own }
                guard start < end else { break }
                let count = pread(memory, address, Int(end - start), off_t(start))
                // Other threads may have given the region back meanwhile.
                guard count > 0 else { break }
                let buffer = UnsafeRawBufferPointer(start: address, count: count)
                for needle in needles where needle.isIn(buffer) { found.insert(needle.name) }
                start = end == range[1] || end == own ? end : end - UInt(overlap)
            }
        }
        return found.sorted()
    }
}
