import Glibc

/// What the operating system says of this process.
package struct ProcessStatistics: Hashable, Sendable {
    /// Of all threads, in user and system mode.
    package var processorSeconds = 0.0
    package var residentBytes: UInt64 = 0
    package var openFiles: UInt64 = 0

    /// The values now; zero where /proc is missing.
    package static func read() -> ProcessStatistics {
        var statistics = ProcessStatistics()
        var usage = rusage()
        if getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 {
            statistics.processorSeconds = [usage.ru_utime, usage.ru_stime].reduce(0) {
                $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1_000_000
            }
        }
        statistics.residentBytes = residentPages() * UInt64(max(0, sysconf(Int32(_SC_PAGESIZE))))
        statistics.openFiles = entries(of: "/proc/self/fd")
        return statistics
    }

    var families: [MetricFamily] {
        var processor = MetricFamily(
            "process_cpu_seconds_total",
            .counter,
            "Processor time of all threads."
        )
        processor.add(processorSeconds)
        return [
            processor,
            MetricFamily(
                "process_resident_memory_bytes",
                .gauge,
                "Resident memory.",
                value: residentBytes
            ),
            MetricFamily("process_open_fds", .gauge, "Open files and sockets.", value: openFiles),
        ]
    }

    /// The second number of /proc/self/statm.
    private static func residentPages() -> UInt64 {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 128)
        guard fgets(&line, Int32(line.count), file) != nil else { return 0 }
        let text = String(
            decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) },
            as: UTF8.self
        )
        let words = text.split(separator: " ")
        return words.count > 1 ? UInt64(words[1]) ?? 0 : 0
    }

    private static func entries(of folder: String) -> UInt64 {
        guard let directory = opendir(folder) else { return 0 }
        defer { closedir(directory) }
        var count: UInt64 = 0
        while readdir(directory) != nil { count += 1 }
        // Itself, its parent, and the descriptor that reads it.
        return count > 3 ? count - 3 : 0
    }
}
