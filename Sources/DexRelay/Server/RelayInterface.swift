import HTTPTypes
import Hummingbird
import NIOCore
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

    /// The paths that take one order.
    var orderPaths: [String] {
        switch self {
        case .v0: ["/v0/order"]
        case .v4: ["/sra/v4/order", "/orderbook/v1/order"]
        }
    }

    /// The status of the answer to an accepted order.
    var accepted: HTTPResponse.Status {
        switch self {
        case .v0: .created
        case .v4: .ok
        }
    }

    /// The order of a body that is posted to one of `orderPaths`, or what is wrong with it.
    func order(
        in body: ByteBuffer,
        _ intake: OrderIntake
    ) -> Result<PostedOrder, PostFault> {
        Result { () throws(PostFault) in
            switch self {
            case .v0:
                do throws(FaultV0) {
                    return try RelayAPIV0.order(in: body, intake)
                } catch {
                    throw PostFault(fault: error)
                }
            case .v4:
                do throws(FaultV4) {
                    return try RelayAPIV4.order(in: body, intake)
                } catch {
                    throw PostFault(fault: error)
                }
            }
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

/// A posted body that is no order for this relay.
struct PostFault: Error {
    let fault: any RelayFault
}
