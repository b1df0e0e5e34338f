extension PlainText {
    /// Scheme, host and port of a URL: the only parts that may be shown or kept.
    ///
    /// A user before the host, the path and the query can be a key. `https://node.example` of
    /// `https://node.example/v2/KEY`.
    package static func origin(of url: String) -> String {
        let unknown = "an address that is not a URL"
        guard let mark = url.utf8.firstRange(of: "://".utf8) else { return unknown }
        let scheme = url[..<mark.lowerBound].lowercased()
        let authority = url[mark.upperBound...].prefix { !"/?#\\".contains($0) }
        let place = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        guard ["http", "https"].contains(scheme), isHost(place) else { return unknown }
        return "\(scheme)://\(place)"
    }

    /// A host name or number with at most a port, not `user:secret`.
    private static func isHost(_ place: Substring) -> Bool {
        var host = place
        // Colons within brackets belong to an IPv6 address.
        let end = place.lastIndex(of: "]") ?? place.startIndex
        if let colon = place[end...].lastIndex(of: ":") {
            guard place[colon...].dropFirst().utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
                return false
            }
            host = place[..<colon]
        }
        let inside = host.hasPrefix("[") && host.hasSuffix("]") ? host.dropFirst().dropLast() : host
        let extra: Set<UInt8> = Set((inside.count < host.count ? ".:%" : ".-_").utf8)
        return !inside.isEmpty && inside.utf8.count <= 255
            && inside.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                    || (0x61...0x7A).contains(byte) || extra.contains(byte)
            }
    }
}

extension Network {
    /// The parts of the relays' URLs that may be shown and kept; nil without a relay.
    package var relayName: String? {
        relays.isEmpty ? nil : relayNames.joined(separator: ", ")
    }

    /// The part of each relay's URL that may be shown and kept.
    ///
    /// Relays of one server get a number: `https://relay.example#2`.
    package var relayNames: [String] { Self.names(of: relays.map(\.url)) }

    /// The part of the private endpoint's URL that may be shown and kept; nil without one.
    package var privateName: String? { privateRPC.map(PlainText.origin) }

    /// The part of each distinct node's URL that may be shown, numbered as relays are.
    package var distinctNodeNames: [String] { Self.names(of: distinctNodes) }

    private static func names(of urls: [String]) -> [String] {
        var counts: [String: Int] = [:]
        return urls.map { url in
            let origin = PlainText.origin(of: url)
            let count = (counts[origin] ?? 0) + 1
            counts[origin] = count
            return count == 1 ? origin : "\(origin)#\(count)"
        }
    }

    /// The part of the swap API's URL that may be shown and kept; nil without one.
    package var swapName: String? {
        swap.flatMap { $0.api.isEmpty ? nil : PlainText.origin(of: $0.api) }
    }

    /// The parts of the nodes' URLs that may be shown.
    package var nodeNames: [String] { rpc.map { PlainText.origin(of: $0) } }
}
