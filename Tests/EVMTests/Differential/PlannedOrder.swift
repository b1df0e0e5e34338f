import DexTestSupport
import Ethereum
import EthereumWallet
import ZeroEx

/// An order with the signature that calls send along, which need not be the maker's.
struct PlannedOrder: Sendable {
    let terms: OrderDraft
    /// The index of the maker.
    let maker: Int
    let signature: SignatureFieldsV1
    let hash: OrderHash

    var addresses: OrderAddressesV1 { OrderAddressesV1(terms) }
    var values: OrderValuesV1 { OrderValuesV1(terms) }
}

extension Planner {
    /// An order over tokens of the palette; most can be filled.
    mutating func order() throws -> PlannedOrder {
        let maker = trader()
        // The first two tokens are the main pair, so that batches can be about one taker token.
        var pair = [palette[0], palette[1]]
        if random.chance(30) { pair = [random.pick(palette), random.pick(palette)] }
        if random.chance(3) { pair[random.below(2)] = random.pick(Self.noTokens) }
        let (makerAmount, takerAmount) = amounts(pair)
        var terms = OrderDraft(
            exchange: World.exchange,
            maker: world.traders[maker].address,
            taker: random.chance(85) ? .zero : world.traders[trader()].address,
            makerToken: pair[0],
            takerToken: pair[1],
            makerAmount: makerAmount,
            takerAmount: takerAmount,
            expiry: expiry(),
            salt: random.chance(10) ? oddNumber() : UInt256(random.next()),
            fees: fees()
        )
        if random.chance(3) { terms.exchange = World.address(0xE3) }
        let hash = ZeroExV1().hash(of: terms)
        let signer = world.traders[random.chance(97) ? maker : trader()].signer
        var signature = SignatureFieldsV1(
            try signer.signature(over: EthereumMessage.hash(hash.word.bytes))
        )
        if random.chance(12) { spoil(&signature) }
        // What the exchange files it under, whatever exchange it was signed for.
        terms.exchange = World.exchange
        return PlannedOrder(
            terms: terms,
            maker: maker,
            signature: signature,
            hash: ZeroExV1().hash(of: terms)
        )
    }

    /// Contracts and accounts that are no tokens, and a precompiled contract.
    private static let noTokens = [
        World.exchange, World.proxy, World.nobody, Address.zero,
        Address(truncating: UInt256(4).word),
    ]

    private mutating func amounts(_ pair: [Address]) -> (UInt256, UInt256) {
        let units = pair.map { UInt256(UInt64(1 + random.below(20))) * world.unit($0) }
        let dust = pair.map { _ in UInt256(UInt64(1 + random.below(5_000))) }
        let odd = units.map { $0 + UInt256(random.next() % 1_000_000) }
        return random.pick(weighted: [
            (50, (units[0], units[1])),
            (12, (odd[0], odd[1])),
            (20, (dust[0], dust[1])),
            (5, (units[0], dust[1])),
            (5, (dust[0], units[1])),
            (4, (UInt256(1) << random.below(256), units[1])),
            (4, (UInt256(1) << random.below(256), UInt256(1) << random.below(256))),
            (2, (.max, .max)),
            (1, (0, units[1])),
            (1, (units[0], 0)),
        ])
    }

    /// Never a time one after a multiple of ten: what eth_call takes for the time of the newest
    /// block is that block's own on the EVM, and a second later here.
    private mutating func expiry() -> UInt256 {
        let soon = World.start + 10 * UInt64(1 + random.below(40)) + random.pick([0, 5, 9])
        return random.pick(weighted: [
            (75, UInt256(World.start + 100_005)),
            (15, UInt256(soon)),
            (4, UInt256(World.start - 5)),
            (4, .max),
            (2, 0),
        ])
    }

    private mutating func fees() -> OrderFees {
        let unit = world.unit(World.zrx)
        let some = [0, 1, unit / 100, unit, 7 * unit + 3, 60 * unit]
        guard random.chance(45) else {
            // Without a recipient nobody pays, whatever the fields say.
            return OrderFees(recipient: .zero, makerFee: random.pick(some), takerFee: 0)
        }
        let recipient = random.chance(75) ? World.feeRecipient : world.traders[trader()].address
        if random.chance(4) {
            return OrderFees(recipient: recipient, makerFee: oddNumber(), takerFee: oddNumber())
        }
        return OrderFees(
            recipient: recipient,
            makerFee: random.pick(some),
            takerFee: random.pick(some)
        )
    }

    /// Makes a signature wrong, or unusual but right: one with a high s.
    private mutating func spoil(_ signature: inout SignatureFieldsV1) {
        switch random.below(8) {
        case 0: signature.v = random.pick([0, 1, 26, 29, 255])
        case 1: signature.v = 27 + 28 - signature.v
        case 2: signature.r = random.pick([.zero, Self.groupOrder.word, UInt256.max.word])
        case 3: signature.s = random.pick([.zero, Self.groupOrder.word, UInt256.max.word])
        case 4: swap(&signature.r, &signature.s)
        case 5: signature.r = (UInt256(signature.r) ^ (UInt256(1) << random.below(256))).word
        default:
            signature.s = (Self.groupOrder - UInt256(signature.s)).word
            signature.v = 27 + 28 - signature.v
        }
    }

    /// The order of secp256k1's group.
    static let groupOrder: UInt256 =
        0xFFFF_FFFF_FFFF_FFFF_FFFF_FFFF_FFFF_FFFE_BAAE_DCE6_AF48_A03B_BFD2_5E8C_D036_4141
}
