import DexNetwork
import Ethereum
import SandboxHost
import StrictJSON

/// The state of a running sandbox's servers.
struct SandboxReading: Sendable {
    /// The latest block's number; nil if the node does not answer.
    let block: UInt64?
    /// In the book of each network's relay, in their order; nil if it does not answer.
    let orders: [Int?]
    /// The machines that keep a copy, as the node lists them; nil if it does not answer.
    var followers: JSONValue?

    static func read(_ state: SandboxState) async -> SandboxReading {
        // Loopback needs no proxy, whatever the environment says.
        let transport = CurlTransport(
            options: .init(connectTimeout: 1_000, timeout: 5_000, environment: { _ in nil })
        )
        let chain = JSONRPCChainClient(urls: [state.rpc], transport: transport)
        async let block = try? chain.read(.blockNumber)  // nil: no answer
        var orders: [Int?] = []
        for network in state.networks {
            guard let relay = network.relay else { continue }
            orders.append(
                await RelayClients.orderCount(
                    baseURL: relay,
                    version: network.version,
                    transport: transport
                )
            )
        }
        // nil: no answer
        async let followers = try? SandboxNode(url: state.rpc).call("sandbox_followers")
        return await SandboxReading(block: block, orders: orders, followers: followers)
    }
}
