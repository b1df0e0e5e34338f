import Foundation

/// Ports for programs that are told theirs, and get it again after a restart.
enum FixedPort {
    /// A port at which nobody listens, outside of those that the system gives away by itself.
    ///
    /// - Throws: `NoFreePort` if none of many is free.
    static func free() throws -> UInt16 {
        for _ in 0..<1_000 {
            let port = UInt16.random(in: 15_000..<30_000)
            if isFree(port) { return port }
        }
        throw NoFreePort()
    }

    private struct NoFreePort: Error {}

    private static func isFree(_ port: UInt16) -> Bool {
        let descriptor = socket(
            AF_INET,
            CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue),
            0
        )
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
