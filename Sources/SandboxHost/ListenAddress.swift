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

    /// The URL of a server for programs of this machine.
    func url(_ port: Int) -> String {
        let host =
            switch hosts {
            case .anyAddress: text.contains(":") ? "[::1]" : "127.0.0.1"
            case .loopback, .address: Self.urlHost(text)
            }
        return "http://\(host):\(port)"
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
        let devices = (try? System.enumerateDevices()) ?? []  // none is shown then
        var found: [String] = []
        for address in devices.compactMap(\.address) {
            guard let text = address.ipAddress, address.protocol == .inet || withIPv6 else {
                continue
            }
            let isLocal = ["127.", "169.254.", "fe80:"].contains(where: text.hasPrefix)
            if !isLocal, text != "::1", !found.contains(text) { found.append(text) }
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
