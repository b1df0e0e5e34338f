import Foundation
import PrivateFiles
import Testing

@Suite("A lock that one process holds")
struct ExclusiveLockTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// The process's descriptors of a file.
    private func descriptors(of path: String) throws -> [Int32] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { name in
            // A descriptor may be closed meanwhile.
            let target = try? FileManager.default
                .destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
            return target == path ? Int32(name) : nil
        }
    }

    @Test("it is held once, and free when it is let go")
    func once() throws {
        let path = "\(folder.path)/lock"
        var first = try ExclusiveLock(path)
        #expect(first != nil)
        #expect(try ExclusiveLock(path) == nil)
        first = nil
        #expect(try ExclusiveLock(path) != nil)
    }

    /// Between fork and exec a child has all descriptors of its parent, and with them the locks.
    @Test("it is free when it is let go, though a child that is being started still has it open")
    func inherited() throws {
        let path = "\(folder.path)/lock"
        var lock = try ExclusiveLock(path)
        #expect(lock != nil)
        let held = try #require(descriptors(of: path).first)
        // The same open file, as a child has it.
        let inherited = dup(held)
        defer { close(inherited) }
        #expect(try ExclusiveLock(path) == nil)
        lock = nil
        #expect(try ExclusiveLock(path) != nil)
    }
}
