import DexSigning
import DexTestSupport
import Ethereum
import EthereumWallet
import StrictJSON
import Testing
import ZeroEx

/// One account, two signers of three networks and a chain that is made up, and everybody who would
/// take its tokens.
struct OutflowRun {
    typealias Bench = SigningBench

    static let limit = 10
    /// 0.04 ETH, in millionths.
    private static let etherLimit = 40_000
    /// The highest tip of an unlocked key, in gwei, and the highest price without a tip.
    private static let (tip, price) = (75, 500)
    static let token = Bench.weth
    static let thieves = [Bench.address(0x7A), Bench.address(0x7B)]
    /// What policy.toml trusts with any amount: of an allowance it draws what its owner says.
    static let trusted = Bench.address(0x57)
    /// What acts for anyone.
    static let open = [SwapBench.holder, SwapBench.permit2]

    private let bench: SigningBench
    let places: [AgentGrant.Place]
    private let agent: SigningAgent?
    private let log: any AuditLog
    let clock: TestTime
    var random: SeededGenerator
    private var nonces: [UInt64: UInt64] = [:]
    var model = OutflowModel()
    private(set) var signed = 0
    /// Revocations of allowances that were not all drawn.
    private(set) var returned = 0
    private(set) var swaps = 0
    private(set) var permits = 0
    /// Messages of any kind that let others take tokens.
    var grants = 0
    /// Those for contracts that act for anyone, which no key may sign.
    var openGrants = 0
    /// The highest tip of a signed transaction, or its price if it has no tip, in gwei.
    private var highest = (tip: 0, price: 0)

    init(seed: UInt64, isAgent: Bool, log: any AuditLog = MemoryAuditLog()) throws {
        random = SeededGenerator(seed: seed)
        bench = try Bench()
        clock = TestTime(Bench.now)
        self.log = log
        let isListed = seed.isMultiple(of: 3)
        places = Self.networks.map {
            var place = Self.place($0.name, $0.chain, $0.version, isListed: isListed)
            guard isAgent else { return place }
            var policy = place.policy
            policy.limitsEverything = $0.chain != 999
            policy.maximumTip = TipLimit(tip: Self.gwei(Self.tip), price: Self.gwei(Self.price))
            place = AgentGrant.Place(scope: place.scope, policy: policy)
            return place
        }
        let clock = clock
        agent =
            isAgent
            ? SigningAgent(
                grant: AgentGrant(
                    account: bench.key.address,
                    seconds: 86_400,
                    places: places
                ),
                key: bench.holder,
                rules: { _ in Policy(source: "policy.toml", coin: .ether) },
                log: MemoryAuditLog(),
                isLocked: true,
                recoverer: Secp256k1(),
                clock: { 0 },
                now: { clock.seconds }
            ) : nil
    }

    private static let networks: [(name: String, chain: UInt64, version: ProtocolVersion)] = [
        ("mainnet", 1, .v1), ("mainnet-v4", 1, .v4), ("sandbox", 1337, .v1), ("evil", 999, .v1),
    ]

    /// The limit binds the token on the chains that are there; on the made-up one another address
    /// bears its name.
    private static func place(
        _ name: String,
        _ chain: UInt64,
        _ version: ProtocolVersion,
        isListed: Bool
    ) -> AgentGrant.Place {
        let limits: [Asset: UInt256] = [
            .token(token): UInt256(UInt64(limit)), .ether: wei(etherLimit),
        ]
        var policy = Policy(source: "limits", coin: .ether)
        policy.perDay = chain == 999 ? [.token(Bench.address(0xF00)): 1] : limits
        if isListed {
            policy.spenders = Set(open + [trusted, Bench.exchange, Bench.proxy])
        }
        let isV1 = version == .v1
        for other in OutflowModel.chains where isV1 && other != chain {
            var there = OtherChain(
                network: "chain-\(other)",
                chainID: other,
                coin: .ether,
                exchanges: [Bench.exchange],
                feeToken: nil,
                transferContracts: [Bench.proxy]
            )
            there.perDay = limits
            policy.otherChains.append(there)
        }
        let v4 = ZeroExV4(
            domain: ExchangeDomainV4(chainID: chain, exchange: Bench.proxy),
            signatureKind: .ethSign
        )
        let scope = SigningScope(
            network: name,
            chainID: chain,
            exchangeProtocol: isV1 ? ZeroExV1() : v4,
            exchange: isV1 ? Bench.exchange : Bench.proxy,
            weth: nil,
            feeToken: nil,
            transferContracts: chain == 999 ? [] : [Bench.proxy],
            swap: ZeroExSwapRules(chainID: chain)
        )
        return AgentGrant.Place(scope: scope, policy: policy)
    }

    /// Millionths of an ether.
    private static func wei(_ ether: Int) -> UInt256 {
        UInt256(UInt64(ether)) &* 1_000_000_000_000
    }

    private static func gwei(_ price: Int) -> Wei {
        Wei(UInt256(UInt64(price)) &* 1_000_000_000)
    }

    /// Fails where more left a chain in any 24 hours than may, gas included.
    func check(_ seed: UInt64) {
        for chain in OutflowModel.chains {
            let worst = model.worstDay(chain: chain)
            #expect(worst <= Self.limit, "seed \(seed): \(worst) left chain \(chain) in a day")
            let ether = model.worstDay(chain: chain, of: .ether)
            #expect(
                ether <= Self.etherLimit,
                "seed \(seed): \(ether) millionths of an ether left chain \(chain) in a day"
            )
        }
        #expect(openGrants == 0, "seed \(seed)")
        guard agent != nil else { return }
        #expect(highest.tip <= Self.tip && highest.price <= Self.price, "seed \(seed)")
    }

    // MARK: Playing

    mutating func play(steps: Int) async {
        for _ in 0..<steps {
            switch random.below(16) {
            case 0: clock.advance(UInt64(random.below(20 * 3_600)))
            case 1...3: model.take(share: 40, at: clock.seconds, using: &random)
            case 4...5: await order()
            case 6: await permit()
            case 7: await transaction(isSwap: true)
            case 8...10: await grant()
            default: await transaction(isSwap: false)
            }
        }
        model.take(share: 100, at: clock.seconds, using: &random)
    }

    private mutating func order() async {
        let place = random.pick(places)
        let amount = random.below(Self.limit) + 1
        let expiry = clock.seconds + 1 + UInt64(random.below(3 * 86_400))
        var draft = Bench.ownOrder()
        draft.exchange = place.scope.exchange
        (draft.makerToken, draft.takerToken) = (Self.token, Bench.zrx)
        draft.makerAmount = UInt256(UInt64(amount))
        draft.expiry = UInt256(expiry)
        draft.salt = UInt256(random.next())
        // A dapp may ask for the same order of v4 as typed data.
        let data =
            amount.isMultiple(of: 2)
            ? place.scope.exchangeProtocol.typedData(of: draft) : nil
        guard await sign(data.map { .typedData($0) } ?? .order(draft), place) else { return }
        let isV1 = place.scope.exchangeProtocol.version == .v1
        let chains = isV1 ? OutflowModel.chains : [place.scope.chainID]
        model.place(amount, chains: chains, expiry: expiry)
    }

    /// A thief may take it once, up to and at the deadline.
    private mutating func permit() async {
        let place = random.pick(places)
        let amount = random.below(Self.limit) + 1
        let deadline = clock.seconds + UInt64(random.below(3 * 86_400))
        let permit = SwapPermit(
            chainID: place.scope.chainID,
            contract: SwapBench.permit2,
            token: Self.token,
            amount: UInt256(UInt64(amount)),
            spender: random.pick(Self.thieves),
            nonce: UInt256(random.next()),
            deadline: UInt256(deadline)
        )
        // A dapp may ask for the same message.
        let data = amount.isMultiple(of: 2) ? permit.typedData : nil
        guard await sign(data.map { .typedData($0) } ?? .permit(permit), place) else { return }
        permits += 1
        model.place(amount, chains: [place.scope.chainID], expiry: deadline + 1)
    }

    // MARK: Transactions

    /// A price of gas, as it goes into a transaction; all of it may be a tip.
    private mutating func fee() -> (fee: Transaction.Fee, price: Int, tip: Int?) {
        let price = random.chance(10) ? 400 + random.below(400) : 10 * (random.below(5) + 1)
        guard random.chance(70) else {
            return (.legacy(gasPrice: Self.gwei(price)), price, nil)
        }
        let tip = random.chance(50) ? price : random.below(price)
        return (
            .dynamic(maxFeePerGas: Self.gwei(price), maxPriorityFeePerGas: Self.gwei(tip)), price,
            tip
        )
    }

    /// One transaction, or two with one nonce of which somebody picks one.
    private mutating func transaction(isSwap: Bool) async {
        let place = random.pick(places)
        let chain = place.scope.chainID
        var mined: (deed: Deed, ether: Int)?
        for _ in 0..<(random.chance(25) ? 2 : 1) {
            let deed = isSwap ? swap() : deed(chain)
            var transaction = Bench.transaction(
                to: deed.contract,
                data: deed.data,
                nonce: nonces[chain] ?? 0
            )
            let (fee, price, tip) = fee()
            transaction.chainID = chain
            transaction.fee = fee
            transaction.gasLimit = random.chance(50) ? 21_000 : 100_000
            transaction.value = Wei(Self.wei(deed.ether))
            guard await sign(.transaction(transaction), place) else { continue }
            if isSwap { swaps += 1 }
            if let tip {
                highest.tip = max(highest.tip, tip)
            } else {
                highest.price = max(highest.price, price)
            }
            let gas = price * Int(transaction.gasLimit) / 1_000
            if mined == nil || random.chance(50) { mined = (deed, deed.ether + gas) }
        }
        guard let (mined, ether) = mined else { return }
        // Who makes the block may burn all the gas, and keep all that is above the base fee.
        model.leave(ether, of: .ether, chain: chain, at: clock.seconds)
        let nonce = nonces[chain] ?? 0
        nonces[chain] = nonce + 1
        guard let spender = Revocation.spender(of: mined.data), agent == nil else {
            mined.apply(&model, chain, clock.seconds)
            return
        }
        // Somebody may draw in front of a revocation, in its block.
        let isDrawn = random.chance(30)
        let before = model.allowed(spender, chain: chain)
        if isDrawn { model.take(share: 40, at: clock.seconds, using: &random) }
        mined.apply(&model, chain, clock.seconds)
        // The command that sent it may end before it is mined.
        guard random.chance(70) else { return }
        let isReal = OutflowModel.chains.contains(chain)
        // The node of a made-up chain says what it likes.
        let unused = isReal ? (isDrawn ? 0 : before) : 1_000
        let revocation = Revocation(
            account: bench.key.address,
            chainID: chain,
            nonce: nonce,
            token: Self.token,
            spender: spender,
            unused: UInt256(UInt64(unused))
        )
        if (try? signer(place).note(revocation)) != nil { returned += unused > 0 ? 1 : 0 }
    }

    private func signer(_ place: AgentGrant.Place) -> AuthorizedSigner {
        let clock = clock
        return AuthorizedSigner(
            key: bench.holder,
            scope: place.scope,
            policy: place.policy,
            log: log,
            recoverer: Secp256k1(),
            now: { clock.seconds }
        )
    }

    mutating func sign(
        _ content: SigningRequest.Content,
        _ place: AgentGrant.Place
    ) async -> Bool {
        let isSigned: Bool
        if let agent {
            let question = AgentKey.question(
                content,
                network: place.scope.network,
                purpose: "test",
                genuine: Set(Self.thieves)
            )
            isSigned = await agent.answer(question)["signature"] != nil
        } else {
            let signer = signer(place)
            // The registry is a liar's, and names thieves.
            let terms = SigningTerms(purpose: "test", genuine: Set(Self.thieves))
            switch content {
            case .transaction(let transaction):
                let chain = place.scope.chainID
                isSigned =
                    (try? await signer.sign(transaction, chainID: chain, terms: terms)) != nil
            case .order(let draft):
                isSigned = (try? await signer.sign(draft, terms: terms)) != nil
            case .message: isSigned = false
            case .permit(let permit):
                let chain = place.scope.chainID
                isSigned =
                    (try? await signer.sign(permit: permit, chainID: chain, terms: terms)) != nil
            case .typedData(let data):
                isSigned = (try? await signer.sign(typedData: data)) != nil
            }
        }
        if isSigned { signed += 1 }
        return isSigned
    }

    // MARK: What is signed

    /// A call, and what it does once it is mined.
    private struct Deed {
        var contract = OutflowRun.token
        let data: [UInt8]
        /// Millionths of an ether that go along.
        var ether = 0
        let apply: (inout OutflowModel, _ chain: UInt64, _ time: UInt64) -> Void
    }

    /// A thief takes all that the AllowanceHolder lets him take, and gives nothing.
    private mutating func swap() -> Deed {
        let amount = random.below(Self.limit) + 1
        let thief = random.pick(Self.thieves).word
        let data = SwapBench.exec(
            by: thief,
            token: Self.token.word,
            amount: UInt256(UInt64(amount)),
            target: thief
        )
        return Deed(contract: SwapBench.holder, data: data) { $0.leave(amount, chain: $1, at: $2) }
    }

    private mutating func deed(_ chain: UInt64) -> Deed {
        let amount = random.below(Self.limit) + 1
        let thief = random.pick(Self.thieves)
        let (own, word) = (bench.key.address.word, UInt256(UInt64(amount)).word)
        switch random.below(14) {
        case 12...13:
            return Deed(contract: thief, data: [], ether: 1_000 * amount) { _, _, _ in }
        case 0:
            return Deed(data: ERC20.transfer(to: thief, amount: UInt256(UInt64(amount)))) {
                $0.leave(amount, chain: $1, at: $2)
            }
        case 1:
            let data = ERC20.call(
                "transferFrom(address,address,uint256)",
                own,
                thief.word,
                word
            )
            return Deed(data: data) { $0.leave(amount, chain: $1, at: $2) }
        case 2...4:
            return Deed(data: ERC20.approve(spender: thief, amount: UInt256(UInt64(amount)))) {
                model,
                chain,
                _ in model.allow(amount, to: thief, chain: chain)
            }
        case 5:
            let data = ERC20.call("increaseAllowance(address,uint256)", thief.word, word)
            return Deed(data: data) { model, chain, _ in
                let sum = model.allowed(thief, chain: chain) + amount
                model.allow(sum, to: thief, chain: chain)
            }
        case 6:
            let data = ERC20.call("decreaseAllowance(address,uint256)", thief.word, word)
            return Deed(data: data) { model, chain, _ in
                let rest = model.allowed(thief, chain: chain) - amount
                model.allow(rest, to: thief, chain: chain)
            }
        case 7:
            return Deed(data: ERC20.approve(spender: thief, amount: 0)) { model, chain, _ in
                model.allow(0, to: thief, chain: chain)
            }
        case 8:
            let signature = "permit(address,address,uint256,uint256,uint8,bytes32,bytes32)"
            let data =
                Array(Keccak256.hash(signature.utf8).bytes.prefix(4))
                + [own, thief.word, word, .zero, .zero, .zero, .zero].flatMap(\.bytes)
            return Deed(data: data) { model, chain, _ in
                model.allow(amount, to: thief, chain: chain)
            }
        case 9:
            let data = ERC20.approve(spender: Bench.proxy, amount: UInt256(UInt64(amount)))
            return Deed(data: data) { _, _, _ in }
        case 10:
            // One call that nobody reads, and everything is gone.
            let data = random.pick([
                ERC20.call("setApprovalForAll(address,bool)", thief.word, UInt256(1).word),
                ERC20.call("multicall(bytes[])", UInt256(32).word, .zero),
                ERC20.call("authorizeOperator(address)", thief.word),
            ])
            return Deed(data: data) { $0.leave(1_000, chain: $1, at: $2) }
        default:
            let order = Bench.order("1000", fee: "0")
            let data = ExchangeCallV1.fillOrder(
                OrderAddressesV1(order),
                OrderValuesV1(order),
                fill: UInt256(UInt64(amount)),
                shouldThrow: false,
                Bench.signature
            ).data
            return Deed(contract: Bench.exchange, data: data) {
                $0.leave(amount, chain: $1, at: $2)
            }
        }
    }
}
