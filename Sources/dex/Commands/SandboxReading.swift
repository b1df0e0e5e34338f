import DexNetwork
import Ethereum
import SandboxHost

/// What a running sandbox's servers say; nil where one does not answer.
struct SandboxReading: Sendable {
    let block: UInt64?
    let orders: Int?

    static func read(_ state: SandboxState) async -> SandboxReading {
        // Loopback needs no proxy, whatever the environment says.
        let transport = CurlTransport(
            options: .init(connectTimeout: 1_000, timeout: 5_000, environment: { _ in nil })
        )
        let chain = JSONRPCChainClient(urls: [state.rpc], transport: transport)
        async let block = try? chain.read(.blockNumber).number()
        async let orders = countOrders(state, transport)
        return await SandboxReading(block: block, orders: orders)
    }

    /// The relay's Link header tells the number of its last page, and with pages of one order that
    /// is the number of orders.
    private static func countOrders(
        _ state: SandboxState,
        _ transport: any HTTPTransport
    ) async -> Int? {
        let url = "\(state.relay)/orders?page=1&per_page=1"
        guard let response = try? await transport.send(HTTPRequest(.get, url: url)),
            response.isSuccess
        else { return nil }
        guard let links = response.values(of: "Link").first else {
            return response.body.count > 2 ? 1 : 0
        }
        let last = links.split(separator: ",").first { $0.contains("rel=\"last\"") }
        let query = last?.split(separator: "?").last?.split(separator: ">").first ?? ""
        return query.split(separator: "&").first { $0.hasPrefix("page=") }
            .flatMap { Int($0.dropFirst("page=".count)) }
    }
}
