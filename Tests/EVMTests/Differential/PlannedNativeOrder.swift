import DexTestSupport
import Ethereum
import EthereumWallet

@testable import ZeroEx

/// An order of v4 with the signature that calls send along, which need not be the maker's.
struct PlannedNativeOrder<Order: NativeOrderV4>: Sendable {
    let order: Order
    /// The index of the maker.
    let maker: Int
    let signature: SignatureV4
}

extension Planner {
    /// What the orders of both chains are hashed for.
    static let domain = ExchangeDomainV4(chainID: World.chainID, exchange: World.exchangeProxy)
    /// Staking pools, of which each has protocol fees of its own.
    static let pools = [Bytes32.zero, UInt256(1).word, UInt256(2).word]

    /// A limit order over tokens of the palette; most can be filled.
    mutating func limitOrder() throws -> PlannedNativeOrder<LimitOrderV4> {
        let maker = trader()
        let pair = nativePair()
        let (makerAmount, takerAmount) = nativeAmounts(pair)
        let unit = world.unit(pair[1]).uint128 ?? .max
        var order = LimitOrderV4(
            makerToken: pair[0],
            takerToken: pair[1],
            makerAmount: makerAmount,
            takerAmount: takerAmount,
            maker: world.traders[maker].address,
            taker: random.chance(88) ? .zero : world.traders[trader()].address,
            sender: random.chance(88) ? .zero : world.traders[trader()].address,
            pool: random.chance(70) ? .zero : random.pick(Self.pools),
            expiry: nativeExpiry(),
            salt: nativeSalt()
        )
        if random.chance(40) {
            order.takerTokenFeeAmount = random.pick([
                1, 999, unit / 100, unit, UInt128(random.next()), .max,
            ])
            order.feeRecipient =
                random.chance(80) ? World.feeRecipient : random.pick([.zero, World.nobody])
        }
        return try signed(order, by: maker)
    }

    /// An RFQ order over tokens of the palette; most can be filled by the one that they name.
    mutating func quote() throws -> PlannedNativeOrder<RfqOrderV4> {
        let maker = trader()
        let pair = nativePair()
        let (makerAmount, takerAmount) = nativeAmounts(pair)
        let order = RfqOrderV4(
            makerToken: pair[0],
            takerToken: pair[1],
            makerAmount: makerAmount,
            takerAmount: takerAmount,
            maker: world.traders[maker].address,
            taker: random.chance(80) ? .zero : world.traders[trader()].address,
            txOrigin: random.chance(95) ? world.traders[trader()].address : .zero,
            pool: random.chance(70) ? .zero : random.pick(Self.pools),
            expiry: nativeExpiry(),
            salt: nativeSalt()
        )
        return try signed(order, by: maker)
    }

    /// A salt near those that pairs are cancelled up to.
    mutating func nativeSalt() -> UInt256 {
        random.chance(90) ? UInt256(UInt64(1_000 + random.below(1_000))) : oddNumber()
    }

    private mutating func signed<Order>(
        _ order: Order,
        by maker: Int
    ) throws -> PlannedNativeOrder<Order> {
        let otherChain = ExchangeDomainV4(chainID: 1, exchange: World.exchangeProxy)
        let hash = order.hash(in: random.chance(97) ? Self.domain : otherChain)
        let kind = random.pick(SignatureKindV4.allCases)
        let signer = world.traders[random.chance(94) ? maker : trader()].signer
        var signature = SignatureV4(
            try signer.signature(over: kind.digest(of: hash)),
            kind: kind
        )
        if random.chance(14) { spoil(&signature) }
        return PlannedNativeOrder(order: order, maker: maker, signature: signature)
    }

    /// Makes a signature wrong.
    private mutating func spoil(_ signature: inout SignatureV4) {
        let border = Self.groupOrder / 2
        switch random.below(8) {
        case 0, 1: signature.type = random.pick([0, 1, 4, 5, 255, 5 - signature.type])
        case 2: signature.v = random.pick([0, 1, 26, 29, 255, 55 - signature.v])
        case 3: signature.r = random.pick([.zero, Self.groupOrder.word, UInt256.max.word])
        case 4:
            signature.s = random.pick([
                .zero, border.word, (border + 1).word, Self.groupOrder.word, UInt256.max.word,
            ])
        case 5: signature.r = (UInt256(signature.r) ^ (UInt256(1) << random.below(256))).word
        case 6: swap(&signature.r, &signature.s)
        default:
            // The twin that v1 takes.
            signature.s = (Self.groupOrder - UInt256(signature.s)).word
            signature.v = 55 - signature.v
        }
        if random.chance(20) { signature.type = random.pick([0, 1, 4]) }
    }

    private mutating func nativePair() -> [Address] {
        var pair = [palette[0], palette[1]]
        if random.chance(30) { pair = [random.pick(palette), random.pick(palette)] }
        if random.chance(4) {
            pair[random.below(2)] = random.pick([
                World.exchange, World.proxy, World.exchangeProxy, World.nobody, Address.zero,
            ])
        }
        return pair
    }

    private mutating func nativeAmounts(_ pair: [Address]) -> (UInt128, UInt128) {
        let units = pair.map { token -> UInt128 in
            let unit = world.unit(token).uint128 ?? .max
            return unit * UInt128(1 + random.below(20))
        }
        let dust = pair.map { _ in UInt128(1 + random.below(5_000)) }
        let odd = units.map { $0 + UInt128(random.next() % 1_000_000) }
        return random.pick(weighted: [
            (50, (units[0], units[1])),
            (12, (odd[0], odd[1])),
            (20, (dust[0], dust[1])),
            (5, (units[0], dust[1])),
            (5, (dust[0], units[1])),
            (4, (UInt128(1) << UInt128(random.below(128)), units[1])),
            (4, (.max >> UInt128(random.below(128)), .max >> UInt128(random.below(128)))),
            (2, (.max, .max)),
            (1, (0, units[1])),
            (1, (units[0], 0)),
        ])
    }

    /// Never a time one after a multiple of ten, as with the orders of v1.
    private mutating func nativeExpiry() -> UInt64 {
        let soon = World.start + 10 * UInt64(1 + random.below(40)) + random.pick([0, 5, 9])
        return random.pick(weighted: [
            (75, World.start + 100_005),
            (15, soon),
            (4, World.start - 5),
            (4, .max),
            (2, 0),
        ])
    }
}
