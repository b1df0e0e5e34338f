import Glibc

/// Sockets to servers of this machine.
enum Loopback {
    /// A blocking connection to a port.
    static func connect(port: UInt16) throws(ChildProcessError) -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .failed("socket", errno) }
        var address = address(port: port)
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else {
            let code = errno
            close(descriptor)
            throw .failed("connect", code)
        }
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, 4)
        return descriptor
    }

    /// Writes all bytes.
    static func write(_ bytes: [UInt8], to descriptor: Int32) throws(ChildProcessError) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress.map { $0 + sent }, bytes.count - sent)
            }
            guard count > 0 else { throw .failed("write", errno) }
            sent += count
        }
    }

    /// A port that nobody listens at.
    static func freePort() throws(ChildProcessError) -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .failed("socket", errno) }
        defer { close(descriptor) }
        var address = address(port: 0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 ? getsockname(descriptor, $0, &size) : -1
            }
        }
        guard status == 0 else { throw .failed("bind", errno) }
        return UInt16(bigEndian: address.sin_port)
    }

    /// A listening socket and its port.
    static func listen() throws(ChildProcessError) -> (descriptor: Int32, port: UInt16) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .failed("socket", errno) }
        var address = address(port: 0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && Glibc.listen(descriptor, 64) == 0
                    ? getsockname(descriptor, $0, &size) : -1
            }
        }
        guard status == 0 else {
            let code = errno
            close(descriptor)
            throw .failed("listen", code)
        }
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }

    /// Open files for so many connections, in this process and those that it starts.
    static func allow(connections: Int) throws(ChildProcessError) {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { throw .failed("getrlimit", errno) }
        let wanted = rlim_t(connections + 256)
        guard limit.rlim_cur < wanted else { return }
        limit.rlim_cur = wanted
        guard setrlimit(resource, &limit) == 0 else { throw .failed("setrlimit", errno) }
    }

    private static func address(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}

extension Loopback {
    /// One request on a connection of its own.
    static func exchange(
        _ head: String,
        body: String = "",
        port: UInt16
    ) throws(ChildProcessError) -> (status: Int, body: [UInt8]) {
        let descriptor = try connect(port: port)
        defer { close(descriptor) }
        let request =
            "\(head) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n"
            + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        try write(Array(request.utf8), to: descriptor)
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count >= 0 else { throw .failed("read", errno) }
            guard count > 0 else { break }
            answer += buffer[..<count]
        }
        let end = Array("\r\n\r\n".utf8)
        let start = answer.indices.dropLast(3).first { answer[$0..<$0 + 4].elementsEqual(end) }
        guard let start else { throw .failed("the answer to \(head)", EPROTO) }
        let status = String(decoding: answer.prefix(12).suffix(3), as: UTF8.self)
        return (Int(status) ?? 0, Array(answer[(start + 4)...]))
    }
}
