import DexNetwork
import DexTestSupport
import NetworkTestSupport

extension EVMNode {
    /// A client with time: on a busy machine the node takes half a minute for an answer that
    /// otherwise takes some 10 ms.
    var client: JSONRPCChainClient {
        JSONRPCChainClient(urls: [url], transport: CurlTransport(options: .patient()))
    }
}
