import Glibc
package import HTTPServing
import NIOCore

/// The IP address at which a sandbox listens.
package struct ListenAddress: Hashable, Sendable {
    /// As it was given, without brackets.
    package let text: String
    /// What requests may call the servers.
    package let hosts: AcceptedHosts

    package static let loopback = ListenAddress(text: "127.0.0.1", hosts: .loopback)

    private init(text: String, hosts: AcceptedHosts) {
        self.text = text
        self.hosts = hosts
    }

    /// An address of this machine, nil for anything else; 0.0.0.0 and :: are all of them.
    package init?(_ text: String) {
        guard let hosts = AcceptedHosts(listening: text) else { return nil }
        self.init(text: text, hosts: hosts)
    }

    /// Other machines can connect.
    package var isOpen: Bool { hosts != .loopback }

    /// The host of URLs for programs of this machine.
    var localHost: String {
        switch hosts {
        case .anyAddress: text.contains(":") ? "[::1]" : "127.0.0.1"
        case .loopback, .address: Self.urlHost(text)
        }
    }

    /// The hosts of URLs for other machines: the address, or all of this machine's; empty if only
    /// this machine can connect.
    func reachableHosts() -> [String] {
        switch hosts {
        case .loopback: []
        case .address: [Self.urlHost(text)]
        case .anyAddress: Self.machineAddresses(withIPv6: text.contains(":")).map(Self.urlHost)
        }
    }

    private static func urlHost(_ address: String) -> String {
        address.contains(":") ? "[\(address)]" : address
    }

    /// This machine's addresses on its networks, without loopback and link-local ones.
    private static func machineAddresses(withIPv6: Bool) -> [String] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        var found: [String] = []
        var next = list
        while let entry = next?.pointee {
            next = entry.ifa_next
            guard let address = entry.ifa_addr, entry.ifa_flags & UInt32(IFF_LOOPBACK) == 0,
                entry.ifa_flags & UInt32(IFF_UP) != 0
            else { continue }
            let family = Int32(address.pointee.sa_family)
            guard family == AF_INET || withIPv6 && family == AF_INET6 else { continue }
            let size =
                family == AF_INET
                ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
            var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            guard
                getnameinfo(
                    address,
                    socklen_t(size),
                    &name,
                    socklen_t(name.count),
                    nil,
                    0,
                    NI_NUMERICHOST
                ) == 0
            else { continue }
            let text = String(
                decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)),
                as: UTF8.self
            )
            guard !text.contains("%"), !text.hasPrefix("169.254."), !found.contains(text) else {
                continue
            }
            found.append(text)
        }
        return found
    }
}

extension ListenAddress {
    /// Runs a server that listens here; an error names the port that is not available.
    ///
    /// - Throws: `SandboxHostError`, or what the server throws.
    func named(
        _ name: String,
        _ port: Int,
        _ body: @Sendable () async throws -> Void
    ) async throws {
        do {
            try await body()
        } catch let error as IOError {
            if error.errnoCode == EADDRNOTAVAIL { throw SandboxHostError.notOurAddress(text) }
            throw SandboxHostError.portTaken(
                name: name,
                port: port,
                reason: String(cString: strerror(error.errnoCode))
            )
        }
    }
}
