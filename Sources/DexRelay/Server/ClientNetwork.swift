/// What counts as one client in every limit: an IPv4 address, or an IPv6 network of 64 bits, which
/// one host commonly has whole.
///
/// An IPv4 address mapped into IPv6 is that IPv4 address.
enum ClientNetwork: Hashable, Sendable {
    case network([UInt8])
    /// What is no address, as in tests and for addresses with a zone.
    case name(String)

    /// - Parameter client: what `ClientAddress` found.
    init(_ client: String) {
        if let range = AddressRange(client + "/64"), range.bytes.count == 16 {
            self = .network(Array(range.bytes.prefix(8)))
        } else if let range = AddressRange(client) {
            self = .network(range.bytes)
        } else {
            self = .name(String(client.prefix(64)))
        }
    }

    /// Different for different clients.
    var bytes: [UInt8] {
        switch self {
        case .network(let bytes): [1] + bytes
        case .name(let name): [0] + Array(name.utf8)
        }
    }
}
