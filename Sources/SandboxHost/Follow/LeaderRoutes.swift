import DexRelay
import DexSandbox
import Ethereum
import HTTPServing
import HTTPTypes
import NIOCore
import StrictJSON
import Synchronization
import ZeroEx

/// What a sandbox's node offers to machines that keep a copy of it: how it began, its blocks and the
/// orders of its books.
struct LeaderRoutes: Sendable {
    let chain: SandboxChain
    let settings: SandboxSettings
    let relay: RelayServer
    let followers: FollowerTable
    let now: @Sendable () -> UInt64
    /// The relay's port, known once it listens.
    let relayPort = RelayPort()

    /// Holds the port of a relay that starts beside the node.
    final class RelayPort: Sendable {
        private let port = Mutex<Int?>(nil)

        var value: Int? { port.withLock { $0 } }

        func set(_ value: Int) { port.withLock { $0 = value } }

        func forget() { port.withLock { $0 = nil } }
    }

    static let genesisPath = "/copy/genesis"
    static let blocksPath = "/copy/blocks"
    static let ordersPath = "/copy/orders"
    /// The number of orders of a page.
    static let pageSize = 500
    /// Names the content of all books; it changes whenever they do.
    static let booksHeader = "x-dex-books"

    private static let booksField = HTTPField.Name("x-dex-books")

    func add(to router: inout Router) {
        router.on(
            .get,
            Self.genesisPath,
            answer: { _ in .task { Response(json: ByteBuffer(bytes: await genesis().utf8)) } }
        )
        router.on(
            .get,
            Self.blocksPath,
            answer: { request in .task { await blocks(request) } }
        )
        router.on(.get, Self.ordersPath, answer: { request in .task { orders(request) } })
    }

    private func genesis() async -> JSONValue {
        [
            "settings": settings.json,
            "genesis": .string(await chain.genesisHash.hex),
            "relayPort": relayPort.value.map { .integer($0) } ?? .null,
        ]
    }

    private func blocks(_ request: Request) async -> Response {
        guard let after = request.queryItem("after").flatMap({ UInt64($0) }) else {
            return Response(status: .badRequest)
        }
        if let block = request.queryItem("verified").flatMap({ UInt64($0) }) {
            followers.note(
                address: request.channel?.remoteAddress?.ipAddress ?? "",
                copy: request.queryItem("copy") ?? "",
                block: block,
                at: now()
            )
        }
        // Read before the blocks: an order that comes later is fetched the next time.
        let books = books
        let batch = await chain.batch(after: after)
        var headers: HTTPFields = [.contentType: "application/octet-stream"]
        if let name = Self.booksField { headers[name] = books }
        return Response(
            status: .ok,
            headers: headers,
            body: ByteBuffer(bytes: batch.encoded)
        )
    }

    private var books: String {
        relay.markets.map { market in "\(market.intake.book.read { $0.revision })" }
            .joined(separator: ".")
    }

    /// A page of the shown orders of a version, by hash.
    private func orders(_ request: Request) -> Response {
        guard
            let version = request.queryItem("protocol").flatMap({ ProtocolVersion(rawValue: $0) }),
            let market = relay.market(version),
            let page = request.queryItem("page").flatMap({ Int($0) }), (0..<1_000).contains(page)
        else { return Response(status: .badRequest) }
        let shown = market.intake.book.read { $0.shown }
        var body = [UInt8(ascii: "[")]
        for listing in shown.all.dropFirst(page * Self.pageSize).prefix(Self.pageSize) {
            if body.count > 1 { body.append(UInt8(ascii: ",")) }
            body += listing.entry.body
        }
        body.append(UInt8(ascii: "]"))
        return Response(json: ByteBuffer(bytes: body))
    }
}
