import DexRelay
import DexSandbox
import Ethereum
import HTTPServing
import HTTPTypes
import Hummingbird
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

    func add(to router: Router<SandboxRequestContext>) {
        router.get("\(Self.genesisPath)") { _, _ in
            Response(json: ByteBuffer(bytes: await self.genesis().utf8))
        }
        router.get("\(Self.blocksPath)") { request, context in
            await self.blocks(request, context)
        }
        router.get("\(Self.ordersPath)") { request, _ in
            self.orders(request)
        }
    }

    private func genesis() async -> JSONValue {
        [
            "settings": settings.json,
            "genesis": .string(await chain.genesisHash.hex),
            "relayPort": relayPort.value.map { .integer($0) } ?? .null,
        ]
    }

    private func blocks(_ request: Request, _ context: SandboxRequestContext) async -> Response {
        let query = request.uri.queryParameters
        guard let after = query["after"].flatMap({ UInt64($0) }) else {
            return Response(status: .badRequest)
        }
        if let block = query["verified"].flatMap({ UInt64($0) }) {
            followers.note(
                address: context.channel.remoteAddress?.ipAddress ?? "",
                copy: query["copy"].map { String($0) } ?? "",
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
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: batch.encoded))
        )
    }

    private var books: String {
        relay.markets.map { market in "\(market.intake.book.read { $0.revision })" }
            .joined(separator: ".")
    }

    /// A page of the shown orders of a version, by hash.
    private func orders(_ request: Request) -> Response {
        let query = request.uri.queryParameters
        guard let version = query["protocol"].flatMap({ ProtocolVersion(rawValue: String($0)) }),
            let market = relay.market(version),
            let page = query["page"].flatMap({ Int($0) }), (0..<1_000).contains(page)
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
