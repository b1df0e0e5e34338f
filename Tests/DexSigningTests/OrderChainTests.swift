import DexSigning
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@Suite("An order that names no chain counts on every chain that would take it")
struct OrderChainTests {
    typealias Bench = SigningBench

    /// Chain 999, made up with mainnet's v1 exchange; tokens have other addresses on it.
    private let bench: SigningBench
    private let scope: SigningScope
    private var policy = Policy(source: "policy.toml", coin: .ether)

    init() throws {
        bench = try Bench()
        scope = SigningScope(
            network: "evil",
            chainID: 999,
            exchangeProtocol: ZeroExV1(),
            exchange: Bench.exchange,
            weth: nil,
            feeToken: nil
        )
        policy.perDay = [.token(Bench.address(0xF00)): 1]
        var mainnet = OtherChain(
            network: "mainnet",
            chainID: 1,
            coin: .ether,
            exchanges: [Bench.exchange],
            feeToken: Bench.zrx,
            transferContracts: [Bench.proxy]
        )
        mainnet.perDay = [
            .token(Bench.weth): Bench.units("1"), .token(Bench.zrx): Bench.units("5"),
        ]
        mainnet.tokenNames = bench.policy.tokenNames
        policy.otherChains = [mainnet]
    }

    private func signer(
        _ scope: SigningScope,
        _ policy: Policy
    ) -> AuthorizedSigner {
        AuthorizedSigner(
            key: bench.holder,
            scope: scope,
            policy: policy,
            log: bench.log,
            recoverer: Secp256k1(),
            now: { Bench.now }
        )
    }

    private func refusal(
        _ draft: OrderDraft,
        _ scope: SigningScope,
        _ policy: Policy
    ) async -> SigningError? {
        do throws(SigningError) {
            _ = try await signer(scope, policy).sign(draft, terms: SigningTerms(purpose: "test"))
            return nil
        } catch {
            return error
        }
    }

    private static func selling(_ amount: String, salt: UInt64 = 1) -> OrderDraft {
        var draft = Bench.ownOrder()
        (draft.makerToken, draft.takerToken) = (Bench.weth, Bench.zrx)
        draft.makerAmount = Bench.units(amount)
        draft.salt = UInt256(salt)
        return draft
    }

    @Test("a made-up chain with mainnet's exchange does not evade mainnet's amounts")
    func madeUpChain() async throws {
        #expect(await refusal(Self.selling("0.6"), scope, policy) == nil)
        let error = await refusal(Self.selling("0.6", salt: 2), scope, policy)
        #expect(error?.code == "policy")
        #expect(error?.message.contains("The rule max_per_day.WETH of policy.toml") == true)
        #expect(error?.message.contains("0.6 WETH on mainnet too (chain 1) after 0.6") == true)
        // What was signed there counts on mainnet.
        var own = bench
        own.policy.perDay = [.token(Bench.weth): Bench.units("1")]
        #expect(await refusal(Self.selling("0.6", salt: 3), own.scope, own.policy) != nil)
        #expect(await refusal(Self.selling("0.4", salt: 3), own.scope, own.policy) == nil)
        // And the other way round.
        #expect(await refusal(Self.selling("0.1", salt: 4), scope, policy) != nil)
    }

    @Test("its fee counts in each chain's own token of fees")
    func fees() async throws {
        var elsewhere = scope
        elsewhere.feeToken = Bench.address(0xF01)
        func draft(_ fee: String, salt: UInt64) -> OrderDraft {
            var draft = Self.selling("0.1", salt: salt)
            draft.fees = OrderFees(recipient: Bench.bob, makerFee: Bench.units(fee), takerFee: 0)
            return draft
        }
        let error = await refusal(draft("6", salt: 1), elsewhere, policy)
        #expect(error?.message.contains("max_per_day.ZRX") == true)
        #expect(await refusal(draft("4", salt: 1), elsewhere, policy) == nil)
        #expect(await refusal(draft("2", salt: 2), elsewhere, policy) != nil)
        // On mainnet itself 4 ZRX are gone too.
        var own = bench
        own.policy.perDay = [.token(Bench.zrx): Bench.units("5")]
        #expect(await refusal(draft("2", salt: 3), own.scope, own.policy) != nil)
        #expect(await refusal(draft("1", salt: 3), own.scope, own.policy) == nil)
        // A node that names another token of fees moves nothing past the limit.
        let lying = SigningTerms(purpose: "test", feeToken: Bench.address(0xF02))
        #expect(throws: SigningError.self) {
            try signer(own.scope, own.policy).check(.order(draft("1", salt: 4)), terms: lying)
        }
    }

    @Test("an order for another exchange is none of that chain's, and a v4 order names its chain")
    func unconcerned() async throws {
        var policy = policy
        policy.otherChains[0].perDay = [.token(Bench.weth): 0]
        #expect(await refusal(Self.selling("0.6"), scope, policy) != nil)
        var other = policy
        other.otherChains = [
            OtherChain(
                network: "mainnet",
                chainID: 1,
                coin: .ether,
                exchanges: [Bench.bob],
                feeToken: nil,
                transferContracts: []
            )
        ]
        other.otherChains[0].perDay = [.token(Bench.weth): 0]
        #expect(await refusal(Self.selling("0.6"), scope, other) == nil)
        let v4 = SigningScope(
            network: "evil",
            chainID: 999,
            exchangeProtocol: ZeroExV4(
                domain: ExchangeDomainV4(chainID: 999, exchange: Bench.exchange),
                signatureKind: .ethSign
            ),
            exchange: Bench.exchange,
            weth: nil,
            feeToken: nil
        )
        #expect(await refusal(Self.selling("0.6", salt: 9), v4, policy) == nil)
        // It does not count on mainnet either; the v1 order does.
        #expect(try bench.spent()[.token(Bench.weth)] == Bench.units("0.6"))
    }
}
