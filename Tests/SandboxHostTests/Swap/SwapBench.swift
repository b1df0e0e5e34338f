import DexSandbox
import Ethereum
import EthereumWallet
import StrictJSON
import Testing
import ZeroEx

@testable import SandboxHost

/// A chain with pools, its Swap API in the same process, and alice, who sends what it quotes.
struct SwapBench {
    static let now: UInt64 = 1_700_000_000
    static let zrx = SandboxTokens.zrx.address
    static let weth = SandboxTokens.weth.address
    static let dai = SandboxTokens.dai.address
    static let usdc = SandboxTokens.usdc.address
    static let native = SwapContracts.native

    let chain: SandboxChain
    let board = FaultRegistry()
    let api: SwapAPI
    let alice: PrivateKeySigner
    let client: SandboxChain

    /// - Parameters:
    ///   - isApproved: alice approved AllowanceHolder and Permit2 for all her tokens.
    ///   - funds: how much alice has of each token, in base units.
    init(
        isApproved: Bool = true,
        funds: UInt256 = 50_000_000_000_000_000_000,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { _ in }
    ) throws {
        alice = try #require(try SandboxAccounts(seed: 1).signer(named: "alice"))
        let owner = alice.address
        chain = try SandboxChain(
            genesis: Genesis(
                timestamp: Self.now,
                exchange: SandboxTokens.contracts.exchange,
                transferProxy: SandboxTokens.contracts.transferContract,
                feeToken: Self.zrx,
                accounts: [
                    GenesisAccount(address: owner, ether: Wei(100_000_000_000_000_000_000))
                ],
                tokens: SandboxTokens.all,
                balances: SandboxTokens.all.map {
                    GenesisBalance(token: $0.address, owner: owner, amount: funds)
                },
                allowances: !isApproved
                    ? []
                    : SandboxTokens.all.flatMap { token in
                        [GenesisSwap.allowanceHolder, GenesisSwap.permit2].map { spender in
                            GenesisAllowance(token: token.address, owner: owner, spender: spender)
                        }
                    },
                swap: GenesisSwap(pools: Self.pools)
            ),
            configuration: ChainConfiguration(now: { Self.now }, recoverer: Secp256k1())
        )
        client = chain
        api = SwapAPI(chain: client, board: board, now: { Self.now }, sleep: sleep)
    }

    private static let pools: [GenesisPool] = [
        pool(1, (zrx, 1_000_000_000_000_000_000_000_000), (weth, 750_000_000_000_000_000_000)),
        pool(2, (weth, 400_000_000_000_000_000_000), (dai, 1_000_000_000_000_000_000_000_000)),
        pool(3, (weth, 400_000_000_000_000_000_000), (usdc, 1_000_000_000_000)),
    ]

    private static func pool(
        _ number: UInt64,
        _ first: (token: Address, reserve: UInt256),
        _ second: (token: Address, reserve: UInt256)
    ) -> GenesisPool {
        GenesisPool(
            address: GenesisSwap.pool(number),
            first: GenesisPool.Side(token: first.token, reserve: first.reserve),
            second: GenesisPool.Side(token: second.token, reserve: second.reserve)
        )
    }

    // MARK: Requests

    /// The parameters of a trade of alice.
    func items(
        _ sell: Address,
        _ buy: Address,
        _ amount: UInt256,
        isExactOut: Bool = false,
        _ others: (String, String)...
    ) -> [(name: String, value: String)] {
        [
            ("chainId", "1337"), ("sellToken", sell.lowercaseHex), ("buyToken", buy.checksummed),
            (isExactOut ? "buyAmount" : "sellAmount", "\(amount)"),
            ("taker", alice.address.lowercaseHex),
        ] + others
    }

    /// The status and the JSON of an answer.
    func ask(
        _ path: String,
        _ items: [(name: String, value: String)],
        key: String? = "sandbox",
        version: String? = "v2"
    ) async throws -> (status: Int, json: JSONValue) {
        let reply = try await api.answer(
            SwapAPI.Request(path: path, items: items, key: key, version: version)
        )
        return (reply.status, try JSONParser.parse(reply.body))
    }

    /// A quote that is answered with 200.
    func quote(
        _ endpoint: SwapAPI.Endpoint,
        _ items: [(name: String, value: String)]
    ) async throws -> JSONValue {
        let answer = try await ask("/swap/\(endpoint.rawValue)/quote", items)
        try #require(answer.status == 200, "\(answer.json.text)")
        return answer.json
    }

    // MARK: Chain

    /// As the API sees them.
    var pools: [ConstantPool] {
        get async throws { try await .read(client, Self.pools.map(\.address)) }
    }

    /// What alice has of an asset.
    func balance(_ asset: Address) async throws -> UInt256 {
        if asset == Self.native {
            return try await client.read(.balance(alice.address, .latest)).rawValue
        }
        let data = ERC20.balanceOf(alice.address)
        let word = try await client.call(CallRequest(to: asset, data: data))
        return try #require(UInt256(bigEndian: word))
    }

    /// Sends the transaction of a quote, signs its message first where it has one.
    func send(_ quote: JSONValue) async throws -> TransactionReceipt {
        let call = try #require(quote["transaction"])
        var data = try Hex.decode(try #require(call["data"]?.stringValue))
        if let permit = quote["permit2"], !permit.isNull {
            let message = try TypedData(json: try #require(permit["eip712"]))
            #expect(message.digest.hex == permit["hash"]?.stringValue)
            let signature = try await alice.sign(digest: message.digest)
            UInt256(65).word.append(to: &data)
            data += signature.r.bytes + signature.s.bytes + [signature.v]
        }
        return try await send(
            to: try #require(Address(ifHex: call["to"]?.stringValue ?? "")),
            data,
            value: Wei(try #require(call["value"]?.amount))
        )
    }

    /// Sends a transaction of alice, which is mined at once.
    func send(to: Address, _ data: [UInt8], value: Wei) async throws -> TransactionReceipt {
        let nonce = try await client.read(.transactionCount(alice.address, .pending))
        let transaction = Transaction(
            chainID: 1337,
            nonce: nonce,
            fee: .legacy(gasPrice: Wei(2_000_000_000)),
            gasLimit: 5_000_000,
            to: to,
            value: value,
            data: data
        )
        let signed = try await alice.sign(transaction, chainID: 1337)
        let hash = try await client.send(raw: signed.raw)
        return try #require(try await client.read(.receipt(hash)))
    }
}

/// The words of a quote's call data.
struct QuotedCall {
    /// nil where no AllowanceHolder is called.
    let exec: [Bytes32]?
    /// The five head words of `execute`.
    let head: [Bytes32]
    /// The bytes of `execute`, from its selector on.
    let execute: [UInt8]

    init(_ quote: JSONValue) throws {
        let text = try #require(quote["transaction"]?["data"]?.stringValue)
        let data = try Hex.decode(text)
        if Hex.encode(data.prefix(4)) == "0x2213bc0b" {
            let words = Self.words(data, count: 6)
            exec = words
            let length = try #require(UInt256(words[5]).uint64.map(Int.init))
            execute = Array(data.dropFirst(4 + 6 * 32).prefix(length))
        } else {
            exec = nil
            execute = data
        }
        try #require(Hex.encode(execute.prefix(4)) == "0x1fff991f")
        head = Self.words(execute, count: 5)
    }

    private static func words(_ data: [UInt8], count: Int) -> [Bytes32] {
        (0..<count).compactMap { index in
            Bytes32(bytes: data.dropFirst(4 + 32 * index).prefix(32))
        }
    }
}

extension JSONValue {
    /// A decimal text as a number.
    var amount: UInt256? { stringValue.flatMap { UInt256(decimal: $0) } }
}

extension [ConstantPool] {
    /// The pools at addresses, as their contracts say.
    static func read(
        _ client: SandboxChain,
        _ addresses: [Address]
    ) async throws -> [ConstantPool] {
        var pools: [ConstantPool] = []
        for address in addresses {
            let tokens = try await client.call(
                CallRequest(to: address, data: ERC20.call("tokens()"))
            )
            let reserves = try await client.call(
                CallRequest(to: address, data: ERC20.call("reserves()"))
            )
            let pool = ConstantPool(address: address, tokens: tokens, reserves: reserves)
            pools.append(try #require(pool))
        }
        return pools
    }
}
