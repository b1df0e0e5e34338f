import DexSandbox
import Ethereum
import EthereumWallet
import StrictJSON
import ZeroEx

/// Ten to the eighteenth.
let ether = UInt256(1_000_000_000_000_000_000)
let gwei = UInt256(1_000_000_000)

/// A small chain: two traders, makers, and a token of each kind.
struct TestChain {
    static let start: UInt64 = 1_750_000_000
    static let exchange = address(0xE1)
    static let proxy = address(0xE2)
    static let zrx = address(0xA1)
    static let weth = address(0xA2)
    static let dai = address(0xA3)
    static let usdt = address(0xA4)
    /// Its queries read three slots: too much for 4,999 gas.
    static let heavy = address(0xA5)
    /// An upgradeable token: its queries delegate to `implementation`.
    static let upgradeable = address(0xA6)
    static let implementation = address(0xB6)
    static let coinbase = address(0xCB)
    static let feeRecipient = address(0xFE)

    let chain: SandboxChain
    let clock: TestClock
    let genesis: Genesis
    let client: SandboxChain
    let alice: PrivateKeySigner
    let bob: PrivateKeySigner
    let makers: [PrivateKeySigner]

    static func address(_ number: UInt64) -> Address {
        Address(truncating: Keccak256.hash(UInt256(number).bigEndianBytes))
    }

    static func signer(_ number: UInt64) throws -> PrivateKeySigner {
        try PrivateKeySigner(key: UInt256(0x5EED_0000 + number).word)
    }

    static let tokens = [
        TokenDefinition(
            address: zrx,
            symbol: "ZRX",
            name: "0x Protocol Token",
            decimals: 18,
            kind: .zrx
        ),
        TokenDefinition(
            address: weth,
            symbol: "WETH",
            name: "Wrapped Ether",
            decimals: 18,
            kind: .weth
        ),
        TokenDefinition(address: dai, symbol: "DAI", name: "Dai Stablecoin", decimals: 18),
        TokenDefinition(
            address: usdt,
            symbol: "USDT",
            name: "Tether USD",
            decimals: 6,
            kind: .usdt
        ),
        TokenDefinition(
            address: heavy,
            symbol: "HEAVY",
            name: "Heavy",
            decimals: 18,
            kind: .heavy
        ),
        TokenDefinition(
            address: upgradeable,
            symbol: "UPG",
            name: "Upgradeable",
            decimals: 18,
            kind: .upgradeable,
            implementation: implementation
        ),
    ]

    static func genesis(
        traders: [PrivateKeySigner],
        makers: [PrivateKeySigner],
        timestamp: UInt64 = start
    ) -> Genesis {
        let owners = (traders + makers).map(\.address)
        var genesis = Genesis(
            timestamp: timestamp,
            coinbase: coinbase,
            exchange: exchange,
            transferProxy: proxy,
            feeToken: zrx,
            accounts: owners.map { GenesisAccount(address: $0, ether: Wei(100 * ether)) },
            tokens: tokens
        )
        for token in tokens.map(\.address) {
            for owner in owners {
                genesis.balances.append(
                    GenesisBalance(token: token, owner: owner, amount: 1_000 * ether)
                )
                for spender in [proxy, genesis.exchangeProxy] {
                    genesis.allowances.append(
                        GenesisAllowance(token: token, owner: owner, spender: spender)
                    )
                }
            }
            genesis.balances.append(GenesisBalance(token: token, owner: feeRecipient, amount: 1))
        }
        return genesis
    }

    init(
        mining: ChainConfiguration.Mining = .instant,
        storePath: String? = nil,
        isCopy: Bool = false,
        clock: TestClock = TestClock(start + 100),
        change: (inout Genesis) -> Void = { _ in }
    ) throws {
        let alice = try Self.signer(1)
        let bob = try Self.signer(2)
        let makers = try (10..<20).map { try Self.signer($0) }
        var genesis = Self.genesis(traders: [alice, bob], makers: makers)
        change(&genesis)
        self.alice = alice
        self.bob = bob
        self.makers = makers
        self.genesis = genesis
        self.clock = clock
        chain = try SandboxChain(
            genesis: genesis,
            configuration: ChainConfiguration(
                storePath: storePath,
                isCopy: isCopy,
                mining: mining,
                now: { clock.now },
                recoverer: Secp256k1()
            )
        )
        client = chain
    }

    // MARK: Transactions

    /// A signed transaction of type 2; the nonce is the sender's pending one unless given.
    func transaction(
        from signer: PrivateKeySigner,
        to: Address?,
        data: [UInt8] = [],
        value: UInt256 = 0,
        gas: UInt64 = 300_000,
        nonce: UInt64? = nil,
        maxFee: UInt256 = 20 * gwei,
        tip: UInt256 = gwei,
        chainID: UInt64? = 1337,
        fee: Transaction.Fee? = nil,
        accessList: [AccessListEntry] = []
    ) async throws -> SignedTransaction {
        let pending = try await client.read(.transactionCount(signer.address, .pending))
        let transaction = Transaction(
            chainID: chainID,
            nonce: nonce ?? pending,
            fee: fee ?? .dynamic(maxFeePerGas: Wei(maxFee), maxPriorityFeePerGas: Wei(tip)),
            gasLimit: gas,
            to: to,
            value: Wei(value),
            data: data,
            accessList: accessList
        )
        let signature = try signer.signature(over: transaction.signingHash)
        return SignedTransaction(
            transaction: transaction,
            signature: signature,
            sender: signer.address
        )
    }

    /// Sends a transaction and gives its receipt.
    @discardableResult
    func send(
        from signer: PrivateKeySigner,
        to: Address,
        data: [UInt8] = [],
        value: UInt256 = 0,
        gas: UInt64 = 300_000,
        accessList: [AccessListEntry] = []
    ) async throws -> TransactionReceipt {
        let signed = try await transaction(
            from: signer,
            to: to,
            data: data,
            value: value,
            gas: gas,
            accessList: accessList
        )
        let hash = try await client.send(raw: signed.raw)
        guard let receipt = try await client.read(.receipt(hash)) else { throw TestError.notMined }
        return receipt
    }

    // MARK: Orders

    /// A maker's order for 10 of `makerToken` against 20 of `takerToken`.
    func order(
        by maker: PrivateKeySigner,
        sells makerToken: Address = dai,
        for takerToken: Address = weth,
        makerAmount: UInt256 = 10 * ether,
        takerAmount: UInt256 = 20 * ether,
        expiry: UInt256 = UInt256(start + 100_000),
        salt: UInt256 = 1,
        fees: OrderFees = .none
    ) throws -> SignedOrderV1 {
        let terms = OrderDraft(
            exchange: Self.exchange,
            maker: maker.address,
            makerToken: makerToken,
            takerToken: takerToken,
            makerAmount: makerAmount,
            takerAmount: takerAmount,
            expiry: expiry,
            salt: salt,
            fees: fees
        )
        let hash = ZeroExV1().hash(of: terms)
        let signature = try maker.signature(over: EthereumMessage.hash(hash.word.bytes))
        return SignedOrderV1(terms: terms, signature: signature)
    }

    /// Call data of fillOrder.
    static func fill(
        _ order: SignedOrderV1,
        _ amount: UInt256,
        throwing: Bool = false
    ) -> [UInt8] {
        ExchangeCallV1.fillOrder(
            OrderAddressesV1(order.terms),
            OrderValuesV1(order.terms),
            fill: amount,
            shouldThrow: throwing,
            SignatureFieldsV1(order.signature)
        ).data
    }

    // MARK: Reads

    func balance(_ token: Address, _ owner: Address) async throws -> UInt256 {
        let request = CallRequest(to: token, data: ERC20.balanceOf(owner))
        return UInt256(bigEndian: try await client.call(request)) ?? .max
    }

    func etherBalance(_ owner: Address) async throws -> UInt256 {
        try await client.read(.balance(owner, .latest)).rawValue
    }

    /// The result of one JSON-RPC request; its error as an object where it failed.
    func rpc(_ method: String, _ parameters: JSONValue = []) async throws -> JSONValue {
        let request: JSONValue = [
            "jsonrpc": "2.0", "id": 7, "method": .string(method), "params": parameters,
        ]
        let answer = try JSONParser.parse(await chain.answer(body: request.utf8))
        guard answer["id"] == 7, answer["jsonrpc"] == "2.0" else { throw TestError.wrongEnvelope }
        guard let value = answer["result"] ?? answer["error"] else { throw TestError.wrongEnvelope }
        return value
    }
}

enum TestError: Error {
    case notMined
    case wrongEnvelope
}

/// The error of a body that must fail.
func chainError(_ body: () async throws -> Void) async -> ChainError? {
    do {
        try await body()
        return nil
    } catch {
        return error as? ChainError
    }
}
