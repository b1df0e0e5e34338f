import DexSandbox
import Ethereum
import EthereumWallet
import StrictJSON
import Testing
import Uniswap

/// A fork of a test chain, with the traders of that.
struct ForkedChain {
    static let chainID: UInt64 = 31_337

    let live: TestChain
    let node: LiveNode
    let point: ForkPoint
    let chain: SandboxChain
    var client: SandboxChain { chain }

    /// A fork of a chain with Uniswap's contracts, at its newest block.
    init(
        of live: TestChain? = nil,
        storePath: String? = nil,
        behaviour: LiveNode.Behaviour = .honest,
        mining: ChainConfiguration.Mining = .instant,
        chainID: UInt64 = Self.chainID
    ) async throws {
        let live = try live ?? TestChain.withUniswap()
        let node = LiveNode(live.chain)
        node.behaviour = behaviour
        let newest = try await live.client.read(.blockNumber)
        let upstream = try await ForkUpstream.begin(node, at: newest, now: live.clock.now)
        let fork = Fork(point: upstream.point, upstream: upstream, chainID: chainID)
        try self.init(live, node, fork, storePath: storePath, mining: mining)
        try await chain.prepare()
    }

    init(
        _ live: TestChain,
        _ node: LiveNode,
        _ fork: Fork,
        storePath: String?,
        mining: ChainConfiguration.Mining = .instant
    ) throws {
        (self.live, self.node, point) = (live, node, fork.point)
        let clock = live.clock
        chain = try SandboxChain(
            fork: fork,
            configuration: ChainConfiguration(
                storePath: storePath,
                mining: mining,
                now: { clock.now },
                recoverer: Secp256k1()
            )
        )
    }

    /// Sends a transaction to a chain and gives its receipt.
    static func send(
        _ data: [UInt8],
        to: Address,
        value: UInt256 = 0,
        gas: UInt64 = 1_000_000,
        from signer: PrivateKeySigner,
        on chain: SandboxChain
    ) async throws -> TransactionReceipt {
        let transaction = Transaction(
            chainID: try await chain.read(.chainID),
            nonce: try await chain.read(.transactionCount(signer.address, .pending)),
            fee: .dynamic(maxFeePerGas: Wei(20 * gwei), maxPriorityFeePerGas: Wei(gwei)),
            gasLimit: gas,
            to: to,
            value: Wei(value),
            data: data
        )
        let signed = SignedTransaction(
            transaction: transaction,
            signature: try signer.signature(over: transaction.signingHash),
            sender: signer.address
        )
        let hash = try await chain.send(raw: signed.raw)
        guard let receipt = try await chain.read(.receipt(hash)) else { throw TestError.notMined }
        return receipt
    }

    /// Sells DAI for WETH at the v3 pool, as alice.
    func sale(_ amount: UInt256, on chain: SandboxChain) async throws -> TransactionReceipt {
        try await Self.send(
            UniswapCalls.exactInputSingle(TestChain.dai, TestChain.weth, amount),
            to: TestChain.uniswap.router,
            from: live.alice,
            on: chain
        )
    }

    /// The result of one JSON-RPC request; its error as an object where it failed.
    func rpc(_ method: String, _ parameters: JSONValue) async throws -> JSONValue {
        let request: JSONValue = [
            "jsonrpc": "2.0", "id": 7, "method": .string(method), "params": parameters,
        ]
        let answer = try JSONParser.parse(await chain.answer(body: request.utf8))
        return try answer["result"] ?? #require(answer["error"])
    }

    func balance(_ token: Address, _ owner: Address) async throws -> UInt256 {
        let request = CallRequest(to: token, data: ERC20.balanceOf(owner))
        return UInt256(bigEndian: try await client.call(request)) ?? .max
    }
}
