import DexTestSupport
import Glibc
import Testing

@Suite("Servers of tests")
struct ScriptedServerTests {
    @Test("a closed port refuses connections, and no other server can get it")
    func closedPort() throws {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = try ScriptedServer.closedPort().bigEndian
        func fails(_ call: (CInt, UnsafePointer<sockaddr>, socklen_t) -> CInt) -> CInt {
            let made = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
            defer { close(made) }
            // As servers do, which may take a port that has just been left.
            var yes: CInt = 1
            let size = socklen_t(MemoryLayout<CInt>.size)
            setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &yes, size)
            return withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    call(made, pointer, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0 ? 0 : errno
                }
            }
        }
        #expect(fails(connect) == ECONNREFUSED)
        #expect(fails(bind) == EADDRINUSE)
    }

    @Test("what the kernel refuses a test's socket is told with the call, the port and the reason")
    func refusal() throws {
        let port = try ScriptedServer.closedPort()
        let failure = try #require(throws: SocketFailure.self) {
            try ScriptedConnection(toPort: port)
        }
        #expect("\(failure)" == "connect to \(port): Connection refused (\(ECONNREFUSED))")
        #expect(throws: DexBinary.Failure.self) {
            try ScriptedRequest.post("/", "").send(to: "http://127.0.0.1")
        }
    }
}
