package import HTTPServing
import HTTPTypes

/// Finds the address of the client behind proxies, for limits and logs.
///
/// X-Forwarded-For is believed only as far as trusted proxies wrote it: each appends the address of
/// its own peer, so the list is read from its end, and the first address that is no trusted proxy's
/// is the client. What is before it, the client may have invented.
package struct ClientAddress: Sendable {
    private let trustedProxies: [AddressRange]

    /// A header with more addresses than this is not believed any further.
    private static let maximumHops = 16

    package init(trustedProxies: [AddressRange]) {
        self.trustedProxies = trustedProxies
    }

    /// The client of a request; the peer itself if it is no trusted proxy.
    ///
    /// - Parameters:
    ///   - peer: the address of the connection.
    ///   - forwarded: the values of all X-Forwarded-For headers, in order.
    package func client(peer: String, forwarded: [String]) -> String {
        resolved(peer: peer, forwarded: forwarded).client
    }

    /// - Returns: the client, and whether nothing was left out as nonsense on the way to it.
    private func resolved(
        peer: String,
        forwarded: [String]
    ) -> (client: String, isCertain: Bool) {
        guard !forwarded.isEmpty else { return (peer, true) }
        guard isTrusted(peer) else { return (peer, false) }
        var client = peer
        // From the end, without reading what comes before the last hops.
        var hops = 0
        for value in forwarded.reversed() {
            var rest = Substring(value)
            while true {
                let comma = rest.lastIndex(of: ",")
                let hop = rest[(comma.map(rest.index(after:)) ?? rest.startIndex)...]
                hops += 1
                // A trusted proxy writes addresses only; after nonsense nothing is believed.
                guard hops <= Self.maximumHops, let address = Self.address(hop) else {
                    return (client, false)
                }
                client = address
                guard isTrusted(address) else { return (client, true) }
                guard let comma else { break }
                rest = rest[..<comma]
            }
        }
        return (client, true)
    }

    package func client(peer: String, headers: RequestHeaders) -> String {
        guard let name = Self.forwardedFor, !trustedProxies.isEmpty, headers[name] != nil else {
            return peer
        }
        return client(peer: peer, forwarded: headers[values: name])
    }

    /// The request came directly, or through trusted proxies that say for whom: its client address
    /// is true.
    ///
    /// What a proxy of another kind says in a Forwarded header is not read, so nothing is certain
    /// with one: behind it, the proxy itself may seem to be the client.
    package func isCertain(peer: String, headers: RequestHeaders) -> Bool {
        guard let name = Self.forwardedFor, let other = Self.forwarded, headers[other] == nil
        else { return false }
        return resolved(peer: peer, forwarded: headers[values: name]).isCertain
    }

    private func isTrusted(_ address: String) -> Bool {
        trustedProxies.contains { $0.contains(address) }
    }

    /// The address of a hop: `1.2.3.4`, `1.2.3.4:5678`, `2001:db8::1` or `[2001:db8::1]:5678`.
    ///
    /// nil if it is none.
    private static func address(_ hop: Substring) -> String? {
        var text = hop.drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        guard text.utf8.count <= 64 else { return nil }
        if text.first == "[" {
            guard let end = text.firstIndex(of: "]"),
                isPort(text[text.index(after: end)...])
            else { return nil }
            text = text[text.index(after: text.startIndex)..<end]
            guard text.contains(":") else { return nil }
        } else if let colon = text.firstIndex(of: ":"), text.lastIndex(of: ":") == colon {
            guard isPort(text[colon...]) else { return nil }
            text = text[..<colon]
        }
        guard !text.contains("/") else { return nil }
        let address = String(text)
        return AddressRange(address) == nil ? nil : address
    }

    /// Nothing, or a colon and a port.
    private static func isPort(_ text: Substring) -> Bool {
        guard !text.isEmpty else { return true }
        return text.first == ":" && UInt16(text.dropFirst()) != nil
    }

    private static let forwardedFor = HTTPField.Name("X-Forwarded-For")
    private static let forwarded = HTTPField.Name("Forwarded")
}
