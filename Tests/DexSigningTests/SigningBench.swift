import Ethereum
import EthereumWallet
import Foundation
import Synchronization
import ZeroEx

@testable import DexSigning

/// An account, a network and a clock for tests, and what is signed there.
struct SigningBench {
    static let exchange = address(0xE1)
    static let proxy = address(0xE2)
    static let weth = address(0xA1)
    static let zrx = address(0xA2)
    static let usdc = address(0xA3)
    /// The account of the key 1.
    static let own = (try? PrivateKeySigner(key: UInt256(1).word).address) ?? .zero
    /// Somebody.
    static let bob = address(0xB0)
    /// Lets some account run bob's code.
    static let authorization = Transaction.Authorization(
        chainID: 1,
        delegate: bob,
        nonce: 0,
        yParity: 0,
        r: 1,
        s: 1
    )
    static let now: UInt64 = 1_800_000_000

    let key: PrivateKeySigner
    let log: any AuditLog
    var policy = Policy(source: "/home/policy.toml", coin: .ether)
    var holder: any KeyHolder
    var weth: Address? = Self.weth
    var feeToken: Address? = Self.zrx
    var now = Self.now
    /// Those of v1 and of v4, as the bundled list has them of one chain.
    var transferContracts: Set<Address> = [Self.proxy, Self.exchange]
    var exchangeProtocol: any ExchangeProtocol = ZeroExV1()
    /// The rules of the network's swap venue.
    var swap: (any LiquidityRules)?
    /// What the venue's registry names.
    var genuine: Set<Address> = []

    init(log: any AuditLog = MemoryAuditLog()) throws {
        key = try PrivateKeySigner(key: UInt256(1).word)
        holder = LocalKey(key)
        self.log = log
        policy.tokenNames = [
            Self.weth: Token(address: Self.weth, symbol: "WETH", name: "", decimals: 18),
            Self.zrx: Token(address: Self.zrx, symbol: "ZRX", name: "", decimals: 18),
        ]
    }

    static func address(_ number: UInt64) -> Address {
        Address(truncating: UInt256(number).word)
    }

    /// `1.5` of 18 decimals in base units.
    static func units(_ text: String) -> UInt256 {
        (try? DecimalText.parse(text, decimals: 18)) ?? 0
    }

    var scope: SigningScope {
        SigningScope(
            network: "mainnet",
            chainID: 1,
            exchangeProtocol: exchangeProtocol,
            exchange: Self.exchange,
            weth: weth,
            feeToken: feeToken,
            transferContracts: transferContracts,
            swap: swap
        )
    }

    var signer: AuthorizedSigner {
        AuthorizedSigner(
            key: holder,
            scope: scope,
            policy: policy,
            log: log,
            recoverer: Secp256k1(),
            now: { [now] in now }
        )
    }

    func request(
        _ content: SigningRequest.Content,
        slippage: UInt64? = nil
    ) -> SigningRequest {
        SigningRequest(
            content: content,
            account: key.address,
            scope: scope,
            terms: SigningTerms(purpose: "test", slippage: slippage, genuine: genuine)
        )
    }

    func effects(_ content: SigningRequest.Content) -> SigningEffects {
        SigningEffects(of: request(content))
    }

    /// What counts now against the amounts of a day on a chain.
    func spent(on chainID: UInt64 = 1) throws -> [Asset: UInt256] {
        let since = now - Policy.day
        return SpendingLedger(try log.lines(since: since), since: since).spent(
            on: chainID,
            feeToken: feeToken,
            trusted: scope.transferContracts
        )
    }

    /// The rule that forbids it; nil where it is allowed.
    func refusal(
        _ content: SigningRequest.Content,
        slippage: UInt64? = nil,
        ledger: SpendingLedger = .empty
    ) -> Policy.Refusal? {
        let request = request(content, slippage: slippage)
        do throws(Policy.Refusal) {
            _ = try policy.decide(request, SigningEffects(of: request), ledger: ledger)
            return nil
        } catch {
            return error
        }
    }

    /// Signs a transaction as commands do.
    @discardableResult
    func sign(_ transaction: Transaction) async throws(SigningError) -> SignedTransaction {
        try await signer.sign(
            transaction,
            chainID: 1,
            terms: SigningTerms(purpose: "test", genuine: genuine)
        )
    }

    // MARK: What is signed

    /// Gas for 0.001 ETH.
    static func transaction(
        to: Address?,
        ether: String = "0",
        data: [UInt8] = [],
        nonce: UInt64 = 0
    ) -> Transaction {
        Transaction(
            chainID: 1,
            nonce: nonce,
            fee: .dynamic(
                maxFeePerGas: Wei(UInt256(10_000_000_000)),
                maxPriorityFeePerGas: Wei(UInt256(1))
            ),
            gasLimit: 100_000,
            to: to,
            value: Wei(units(ether)),
            data: data
        )
    }

    static func transfer(
        _ token: Address,
        _ amount: String,
        to: Address = bob,
        nonce: UInt64 = 0
    ) -> Transaction {
        let data = ERC20.transfer(to: to, amount: units(amount))
        return transaction(to: token, data: data, nonce: nonce)
    }

    static func approval(_ token: Address, _ amount: UInt256, of spender: Address) -> Transaction {
        transaction(to: token, data: ERC20.approve(spender: spender, amount: amount))
    }

    /// Somebody's order that gives 10 ZRX for 1 WETH, with 2 ZRX of taker fees.
    static func order(
        _ taker: String = "1",
        fee: String = "2",
        to recipient: Address = bob
    ) -> OrderDraft {
        OrderDraft(
            exchange: exchange,
            maker: bob,
            makerToken: zrx,
            takerToken: weth,
            makerAmount: units("10"),
            takerAmount: units(taker),
            expiry: 2_000_000_000,
            salt: 1,
            fees: OrderFees(recipient: recipient, makerFee: units("1"), takerFee: units(fee))
        )
    }

    static let signature = SignatureFieldsV1(v: 27, r: UInt256(1).word, s: UInt256(1).word)

    static func fill(_ order: OrderDraft, _ amount: String) -> Transaction {
        let call = ExchangeCallV1.fillOrder(
            OrderAddressesV1(order),
            OrderValuesV1(order),
            fill: units(amount),
            shouldThrow: false,
            signature
        )
        return transaction(to: exchange, data: call.data)
    }

    /// An order of our own: 5 ZRX for 1 WETH.
    static func ownOrder(_ amount: String = "5", fee: String = "0") -> OrderDraft {
        OrderDraft(
            exchange: exchange,
            maker: own,
            makerToken: zrx,
            takerToken: weth,
            makerAmount: units(amount),
            takerAmount: units("1"),
            expiry: 2_000_000_000,
            salt: 7,
            fees: OrderFees(
                recipient: fee == "0" ? .zero : bob,
                makerFee: units(fee),
                takerFee: 0
            )
        )
    }
}

/// A key that answers what a test says, and remembers what it was asked for.
final class TestKey: KeyHolder {
    let address: Address
    let place = KeyPlace.own
    private let answer: @Sendable (AuthorizedRequest) async throws(SigningError) -> Signature
    private let requests = Mutex<[SigningRequest]>([])

    init(
        _ address: Address,
        _ answer:
            @escaping @Sendable (AuthorizedRequest) async throws(SigningError) -> Signature
    ) {
        self.address = address
        self.answer = answer
    }

    var asked: [SigningRequest] { requests.withLock { $0 } }

    func signature(of authorized: AuthorizedRequest) async throws(SigningError) -> Signature {
        requests.withLock { $0.append(authorized.request) }
        return try await answer(authorized)
    }
}

/// A folder that goes with the test.
final class SigningFolder: Sendable {
    let path: String

    init() throws {
        path =
            FileManager.default.temporaryDirectory
            .appending(path: "dex-signing-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: true
        )
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    var log: String { "\(path)/audit.jsonl" }

    func text() throws -> String {
        try String(decoding: Data(contentsOf: URL(filePath: log)), as: UTF8.self)
    }

    func write(_ text: String) throws {
        try Data(text.utf8).write(to: URL(filePath: log))
    }

    func lines() throws -> [String] {
        try text().split(separator: "\n").map(String.init)
    }
}

/// A clock that a test sets forward.
final class TestTime: Sendable {
    private let time: Mutex<UInt64>

    init(_ seconds: UInt64) {
        time = Mutex(seconds)
    }

    /// Since 1970.
    var seconds: UInt64 { time.withLock { $0 } }

    func advance(_ seconds: UInt64) {
        time.withLock { $0 += seconds }
    }
}
