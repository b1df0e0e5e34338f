import Hummingbird
import ZeroEx

/// The relay API for the orders of a protocol version: the only code that separates versions.
enum RelayInterface: Hashable, Sendable {
    case v0
    case v4

    /// The API of the orders of a protocol version.
    init(_ version: ProtocolVersion) {
        switch version {
        case .v1: self = .v0
        case .v4: self = .v4
        }
    }

    /// The API's name in the relay's descriptions.
    var name: String {
        switch self {
        case .v0: "v0"
        case .v4: "v4"
        }
    }

    /// The path of its WebSocket channel.
    var webSocketPath: String {
        switch self {
        case .v0: "/v0/ws"
        case .v4: "/orderbook/v1"
        }
    }

    /// The beginnings of all its paths.
    var paths: [String] {
        switch self {
        case .v0: ["/v0"]
        case .v4: ["/sra/v4", "/orderbook/v1"]
        }
    }

    /// The paths of its WebSocket.
    var webSocketPaths: [String] {
        switch self {
        case .v0: ["/v0/ws", "/v0"]
        case .v4: paths
        }
    }

    var rules: RelayRules {
        switch self {
        case .v0: .v0
        case .v4: .v4
        }
    }

    var fault: any RelayFault.Type {
        switch self {
        case .v0: FaultV0.self
        case .v4: FaultV4.self
        }
    }

    func addRoutes(of market: RelayMarket, to router: Router<RelayRequestContext>) {
        switch self {
        case .v0: RelayAPIV0(intake: market.intake, pages: market.pages).addRoutes(to: router)
        case .v4: RelayAPIV4(intake: market.intake, pages: market.pages).addRoutes(to: router)
        }
    }

    /// The paths of its books.
    var bookPaths: [String] {
        switch self {
        case .v0: ["/v0/orderbook"]
        case .v4: ["/sra/v4/orderbook", "/orderbook/v1"]
        }
    }

    /// What names a page of a book.
    func pageKey(authority: String?, path: String, query: String?) -> PageCache.Key {
        switch self {
        case .v0: PageCache.Key(authority: authority, path: path, query: query)
        // The same below both bases, and without links.
        case .v4: PageCache.Key(query: query)
        }
    }
}
