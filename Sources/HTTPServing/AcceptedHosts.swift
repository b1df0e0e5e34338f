package import NIOCore

/// The hosts under which a server answers, as the Host header names them.
///
/// A web page that reaches the server by a name of its own (DNS rebinding) shows that name in the
/// Host header. An IP address there cannot be such a name, so a server that listens on every address
/// of a machine, and cannot know them all, accepts any IP address and no name but localhost.
package enum AcceptedHosts: Hashable, Sendable, CustomStringConvertible {
    /// 127.0.0.1, localhost and [::1].
    case loopback
    /// Those, and one IP address.
    case address(SocketAddress)
    /// Those, and any IP address.
    case anyAddress

    private static let loopbackNames: Set<String> = ["127.0.0.1", "localhost", "[::1]"]

    /// The hosts of a server that listens at an IP address; nil for anything else.
    ///
    /// - Parameter listening: an IPv4 or IPv6 address without brackets; 0.0.0.0 and :: are every
    ///   address of the machine.
    package init?(listening text: String) {
        // nil: not an IP address
        guard let address = try? SocketAddress(ipAddress: text, port: 0) else { return nil }
        if Self.loopbackNames.contains(text) || text == "::1" {
            self = .loopback
        } else if Self.everyAddress.contains(address) {
            self = .anyAddress
        } else {
            self = .address(address)
        }
    }

    private static let everyAddress = ["0.0.0.0", "::"].compactMap {
        try? SocketAddress(ipAddress: $0, port: 0)  // both are addresses
    }

    /// Whether a Host header names the server, with any port or none.
    ///
    /// The port is not compared, since a forwarded port has another number at the client.
    package func contain(_ header: String) -> Bool {
        let text = header.lowercased()
        if isHost(text) { return true }
        guard let colon = text.lastIndex(of: ":"),
            UInt16(text[text.index(after: colon)...]) != nil
        else { return false }
        return isHost(String(text[..<colon]))
    }

    private func isHost(_ host: String) -> Bool {
        if Self.loopbackNames.contains(host) { return true }
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        let bare = isBracketed ? String(host.dropFirst().dropLast()) : host
        guard isBracketed == bare.contains(":"),
            let address = try? SocketAddress(ipAddress: bare, port: 0)  // nil: a name
        else { return false }
        switch self {
        case .loopback: return false
        case .address(let own): return address == own
        case .anyAddress: return true
        }
    }

    package var description: String {
        switch self {
        case .loopback: "127.0.0.1, localhost or [::1]"
        case .address(let address): "\(address.ipAddress ?? ""), 127.0.0.1, localhost or [::1]"
        case .anyAddress: "an IP address or localhost"
        }
    }
}

extension Channel {
    /// The peer is a program of this machine: its address is loopback, or the one it connected to.
    ///
    /// Nobody else completes a TCP handshake with such an address. A program of this machine that
    /// forwards connections (ssh -L, a proxy) counts as their peer.
    package var isFromThisMachine: Bool {
        guard let peer = Self.plain(remoteAddress) else { return false }
        return peer == "::1" || peer.hasPrefix("127.") || peer == Self.plain(localAddress)
    }

    /// An IP address; an IPv4 address mapped into IPv6 as itself.
    private static func plain(_ address: SocketAddress?) -> String? {
        guard let text = address?.ipAddress else { return nil }
        let mapped = "::ffff:"
        return text.hasPrefix(mapped) && text.contains(".")
            ? String(text.dropFirst(mapped.count)) : text
    }
}
