import DexTestSupport
import Foundation

/// The memory of another process, as a debugger or a core dump would have it.
struct ForeignMemory: Sendable {
    /// A secret that was found.
    struct Hit: Sendable {
        let name: String
        /// The mapping: its addresses, mode and file.
        let mapping: String
        /// It is locked (never in swap) and left out of core dumps.
        let isSecluded: Bool
    }

    let process: Int32

    /// Every place where a secret is, in all that can be read.
    ///
    /// - Parameter demandsLock: pages count as secluded only where they are locked too.
    func search(
        for needles: SecretNeedles,
        demandsLock: Bool
    ) throws -> (hits: [Hit], bytes: Int) {
        let memory = open("/proc/\(process)/mem", O_RDONLY | O_CLOEXEC)
        guard memory >= 0 else { throw ProcessFile.Refused(code: errno) }
        defer { close(memory) }
        let maps = try ProcessFile.text("smaps", of: process)
        // Of the program and its libraries.
        let files = Set(
            maps.split(separator: "\n").filter { $0.contains("-xp ") }.compactMap { line in
                line.firstIndex(of: "/").map { String(line[$0...]) }
            }
        )
        var hits: [Hit] = []
        var total = 0
        var mapping: (start: UInt, end: UInt, line: String)?
        for line in maps.split(separator: "\n") {
            let ends = line.prefix { $0 != " " }.split(separator: "-").map { UInt($0, radix: 16) }
            if ends.count == 2, let start = ends[0], let end = ends[1] {
                mapping = (start, end, String(line))
            }
            guard line.hasPrefix("VmFlags:"), let found = mapping else { continue }
            let flags = line.split(separator: " ")
            let isSecluded = flags.contains("dd") && (!demandsLock || flags.contains("lo"))
            guard flags.contains("rd"), !found.line.hasSuffix("[vvar]") else { continue }
            var content = [UInt8](repeating: 0, count: Int(found.end - found.start))
            let count = content.withUnsafeMutableBytes {
                pread(memory, $0.baseAddress, $0.count, off_t(bitPattern: found.start))
            }
            guard count > 0 else { continue }
            total += count
            for needle in needles.found(in: Array(content.prefix(count)), beside: files) {
                hits.append(Hit(name: needle.name, mapping: found.line, isSecluded: isSecluded))
            }
        }
        return (hits, total)
    }
}
