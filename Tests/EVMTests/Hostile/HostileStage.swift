import DexCore
import DexSandbox
import DexSigning
import DexStore
import DexTestSupport
import Ethereum
import EthereumWallet
import Foundation
import StrictJSON
import Synchronization
import ZeroEx

/// Time that passes only when somebody sleeps.
final class HostileClock: Sendable {
    private let milliseconds: Mutex<UInt64>

    init(_ seconds: UInt64) {
        milliseconds = Mutex(seconds * 1_000)
    }

    /// Seconds since 1970.
    var now: UInt64 { milliseconds.withLock { $0 / 1_000 } }

    func pass(_ time: UInt64) {
        milliseconds.withLock { $0 += time }
    }
}

/// A chain for hostile books: an EVM, or the sandbox's chain in this process, which begins with the
/// same and is many times as fast.
///
/// alice trades; bob and carol are honest; dave is rich and hostile, `relay` hostile and poor;
/// `coinbase` owns nothing. All have approved everything.
struct HostileStage: Sendable {
    enum Kind: String, Sendable {
        case evm
        case sandbox
    }

    static let tokens: [EVMToken] = [.zrx, .weth, .dai]
    /// Base units of each token that the poor maker has.
    static let pittance: UInt256 = 1_000_000

    let kind: Kind
    let venue: EVMVenue
    let chain: any ChainClient
    /// nil on the sandbox's chain.
    let node: EVMNode?
    let now: UInt64

    static func evm(_ venue: EVMVenue) async throws -> HostileStage {
        let node = try await EVMNode.start(try genesis(venue))
        return HostileStage(
            kind: .evm,
            venue: venue,
            chain: node.client,
            node: node,
            now: Scene.now
        )
    }

    static func sandbox(_ venue: EVMVenue) throws -> HostileStage {
        let now = Scene.now
        let chain = try SandboxChain(
            genesis: sandboxGenesis(venue, now: now),
            configuration: ChainConfiguration(
                mining: .instant,
                now: { now },
                recoverer: Secp256k1()
            )
        )
        return HostileStage(
            kind: .sandbox,
            venue: venue,
            chain: chain,
            node: nil,
            now: now
        )
    }

    // MARK: What it begins with

    private struct Holding {
        let owner: Party
        let token: EVMToken
        let amount: UInt256
    }

    private static func holdings() throws -> [Holding] {
        try tokens.flatMap { token in
            try Party.traders.map {
                Holding(owner: $0, token: token, amount: try token.raw("100000"))
            } + [Holding(owner: .relay, token: token, amount: pittance)]
        }
    }

    private static func genesis(_ venue: EVMVenue) throws -> JSONValue {
        var scene = Scene(with: .dai)
        scene.venue = venue
        guard case .object(var genesis) = try scene.genesis() else { return .null }
        let holdings = try holdings()
        genesis["balances"] = .array(
            try holdings.map {
                [
                    "token": .string($0.token.address.checksummed),
                    "owner": .string(try $0.owner.address.checksummed),
                    "amount": .string($0.amount.description),
                ]
            }
        )
        genesis["allowances"] = .array(
            try holdings.map {
                [
                    "token": .string($0.token.address.checksummed),
                    "owner": .string(try $0.owner.address.checksummed),
                    "spender": .string(venue.contracts.transferContract.checksummed),
                ]
            }
        )
        return .object(genesis)
    }

    private static func sandboxGenesis(_ venue: EVMVenue, now: UInt64) throws -> Genesis {
        let holdings = try holdings()
        let v1 = EVMVenue.v1.contracts
        let v4 = EVMVenue.v4().contracts.exchange
        return Genesis(
            chainID: Scene.chainID,
            timestamp: now - 60,
            coinbase: try Party.coinbase.address,
            exchange: v1.exchange,
            transferProxy: v1.transferContract,
            feeToken: EVMToken.zrx.address,
            exchangeProxy: v4,
            accounts: try Party.traders.map {
                GenesisAccount(
                    address: try $0.address,
                    ether: Wei(100_000_000_000_000_000_000)
                )
            },
            tokens: tokens.map {
                TokenDefinition(
                    address: $0.address,
                    symbol: $0.symbol,
                    name: $0.name,
                    decimals: $0.decimals,
                    kind: $0 == .zrx ? .zrx : $0 == .weth ? .weth : .plain
                )
            },
            balances: try holdings.map {
                GenesisBalance(
                    token: $0.token.address,
                    owner: try $0.owner.address,
                    amount: $0.amount
                )
            },
            allowances: try holdings.map {
                GenesisAllowance(
                    token: $0.token.address,
                    owner: try $0.owner.address,
                    spender: venue.contracts.transferContract
                )
            }
        )
    }

    // MARK: Trading

    /// alice's balances of all tokens, in base units.
    func balances() async throws -> [EVMToken: UInt256] {
        let alice = try Party.alice.address
        var balances: [EVMToken: UInt256] = [:]
        for token in Self.tokens {
            let call = CallRequest(to: token.address, data: ERC20.balanceOf(alice))
            balances[token] = UInt256(bigEndian: try await chain.call(call).prefix(32)) ?? .zero
        }
        return balances
    }

    func session(_ relay: HostileRelay, chain: any ChainClient) throws -> Session {
        let clock = HostileClock(now)
        return Session(
            network: Network(
                name: "hostile",
                chainID: Scene.chainID,
                rpc: [],
                relay: nil,
                protocolVersion: venue.exchange.version,
                exchange: venue.contracts.exchange,
                orderSigning: venue.exchange.orderSigning,
                weth: EVMToken.weth.address,
                blockMilliseconds: 1_000
            ),
            exchangeProtocol: venue.exchange,
            chain: chain,
            relay: relay,
            tokens: try TokenMap(chainID: Scene.chainID),
            recoverer: Secp256k1(),
            environment: DexCore.Environment(
                now: { clock.now },
                sleep: { milliseconds in
                    try Task.checkCancellation()
                    clock.pass(milliseconds)
                },
                random: { .zero },
                progress: { _ in },
                onReported: { $0.write() }
            )
        )
    }

    func signer() throws -> AuthorizedSigner {
        let now = now
        return AuthorizedSigner(
            key: LocalKey(try Party.alice.signer),
            scope: SigningScope(
                network: "hostile",
                chainID: Scene.chainID,
                exchangeProtocol: venue.exchange,
                exchange: venue.contracts.exchange,
                weth: EVMToken.weth.address,
                feeToken: venue.contracts.feeToken
            ),
            policy: Policy(source: "policy.toml", coin: .ether),
            log: MemoryAuditLog(),
            recoverer: Secp256k1(),
            now: { now }
        )
    }

    /// Moves all that the hostile maker has of a token to somebody else.
    func drain(_ token: EVMToken) async throws {
        let dave = try Party.dave.signer
        let balance = try await chain.call(
            CallRequest(to: token.address, data: ERC20.balanceOf(dave.address))
        )
        let transaction = Transaction(
            chainID: Scene.chainID,
            nonce: try await chain.read(.transactionCount(dave.address, .pending)),
            fee: .dynamic(
                maxFeePerGas: Wei(100_000_000_000),
                maxPriorityFeePerGas: Wei(3_000_000_000)
            ),
            gasLimit: 200_000,
            to: token.address,
            data: ERC20.transfer(
                to: try Party.bob.address,
                amount: UInt256(bigEndian: balance.prefix(32)) ?? .zero
            )
        )
        _ = try await chain.send(raw: dave.sign(transaction, chainID: Scene.chainID).raw)
    }

    // MARK: Orders

    /// An order as its maker signed it, or forged it.
    func sign(
        _ order: ScenarioOrder,
        of scenario: HostileScenario
    ) async throws -> any SignedOrder {
        let written = try draft(order.terms, scenario)
        let signed = try await venue.exchange.sign(
            try draft(order.signed ?? order.terms, scenario),
            with: try order.terms.maker.signer
        )
        let forgesSignature = order.trick == .forgedSignature
        guard forgesSignature || order.trick == .forgedTerms else { return signed }
        if let order = signed as? SignedOrderV4 {
            var terms = order.terms
            terms.makerAmount = written.makerAmount.uint128 ?? .max
            terms.takerAmount = written.takerAmount.uint128 ?? .max
            var signature = order.signature
            if forgesSignature { signature.r = Keccak256.hash(signature.r.bytes) }
            return SignedOrderV4(terms: terms, domain: order.domain, signature: signature)
        }
        guard let order = signed as? SignedOrderV1 else { return signed }
        let forged = Signature(
            r: Keccak256.hash(order.signature.r.bytes),
            s: order.signature.s,
            yParity: order.signature.yParity
        )
        return SignedOrderV1(
            terms: written,
            signature: forgesSignature ? forged ?? order.signature : order.signature
        )
    }

    private func draft(
        _ terms: HostileTerms,
        _ scenario: HostileScenario
    ) throws -> OrderDraft {
        let isAsk = scenario.side == .buy
        let seconds = terms.expires < 0 ? now - UInt64(-terms.expires) : now + UInt64(terms.expires)
        return OrderDraft(
            exchange: venue.contracts.exchange,
            maker: try terms.maker.address,
            taker: try terms.taker?.address ?? .zero,
            makerToken: isAsk ? scenario.base.address : scenario.quote.address,
            takerToken: isAsk ? scenario.quote.address : scenario.base.address,
            makerAmount: isAsk ? terms.base : terms.quote,
            takerAmount: isAsk ? terms.quote : terms.base,
            expiry: UInt256(seconds),
            salt: UInt256(terms.salt),
            fees: OrderFees(
                recipient: terms.takerFee == .zero ? .zero : try terms.maker.address,
                makerFee: 0,
                takerFee: terms.takerFee
            )
        )
    }
}
