import DexTestSupport
import Ethereum
import ZeroEx

/// Makes a sequence from a seed; the same seed always gives the same sequence.
struct Planner {
    var random: SeededGenerator
    let world: World
    var sequence: PlannedSequence
    /// The tokens that most of the sequence is about.
    var palette: [Address] = []
    var orders: [PlannedOrder] = []
    var limitOrders: [PlannedNativeOrder<LimitOrderV4>] = []
    var quotes: [PlannedNativeOrder<RfqOrderV4>] = []
    /// Who registered whom as a signer, at some time; the helper by index.
    var helpers: [(maker: Address, helper: Int)] = []
    /// The pairs of v4 that were cancelled, and by whom.
    var pairCancels: [(kind: NativeOrderKindV4, sender: Int, pair: PairCancelV4)] = []
    /// Whom the tokens' owners approve.
    var spender = World.proxy

    /// The sequence of a seed.
    static func sequence(seed: UInt64, in world: World) throws -> PlannedSequence {
        var planner = Planner(
            random: SeededGenerator(seed: seed),
            world: world,
            sequence: PlannedSequence(seed: seed)
        )
        try planner.plan()
        return planner.sequence
    }

    private mutating func plan() throws {
        choosePalette()
        for _ in 0..<(2 + random.below(4)) { orders.append(try order()) }
        sequence.orders = orders.map(\.hash.word)
        try layOut(apart: 30) { planner in try planner.call() }
    }

    mutating func choosePalette() {
        palette = [World.zrx, World.weth, World.dai, World.usdc]
        // The others are rarer: with some of them most fills fail.
        if random.chance(60) {
            palette[random.below(4)] = random.pick(World.unusual)
        }
        palette.shuffle(using: &random)
        sequence.tokens = Array(Set(palette + [World.zrx, World.weth])).sorted()
        sequence.tipsAreEqual = random.chance(40)
    }

    /// Fills blocks with calls.
    ///
    /// - Parameter percent: of the calls begin a block.
    mutating func layOut(
        apart percent: Int,
        _ next: (inout Planner) throws -> PlannedCall
    ) throws {
        var time = World.start + 10 * UInt64(1 + random.below(10))
        var block = PlannedBlock(timestamp: time)
        for _ in 0..<(4 + random.below(5)) {
            let call = try next(&self)
            if !block.calls.isEmpty, call.beginsBlock || random.chance(percent) {
                sequence.blocks.append(block)
                time += 10 * UInt64(1 + random.below(random.chance(20) ? 400 : 8))
                block = PlannedBlock(timestamp: time)
            }
            block.calls.append(call)
        }
        sequence.blocks.append(block)
    }

    private mutating func call() throws -> PlannedCall {
        let kind = random.below(100)
        var call: PlannedCall
        switch kind {
        case ..<60: call = try exchangeCall()
        case ..<68: call = corrupt(try exchangeCall())
        case ..<88: call = tokenCall()
        case ..<93: call = etherCall()
        case ..<97: call = viewCall()
        default: call = oddCall()
        }
        dress(&call)
        return call
    }

    /// Chooses how the call is sent.
    mutating func dress(_ call: inout PlannedCall) {
        call.type = random.pick(weighted: [(2, 0), (2, 1), (6, 2)])
        if call.type != 0, random.chance(30) {
            let accounts =
                palette + [
                    sequence.exchange, spender, World.nobody, world.traders[0].address,
                ]
            for _ in 0..<(1 + random.below(3)) { call.warm.append(random.pick(accounts)) }
        }
        if random.chance(10) {
            call.gas = random.chance(50) ? .tight : .short(percent: random.below(50))
        } else if random.chance(4) {
            call.flaw = random.pick(PlannedCall.Flaw.allCases)
        }
    }

    // MARK: Parts

    mutating func trader() -> Int {
        random.pick(weighted: [(4, 0), (4, 1), (3, 2), (2, 3), (1, 4)])
    }

    mutating func account() -> Address {
        random.chance(90)
            ? world.traders[trader()].address
            : random.pick([World.nobody, World.feeRecipient, World.proxy, World.exchange])
    }

    /// An amount of a token, from nothing to more than there is.
    mutating func amount(of token: Address) -> UInt256 {
        let unit = world.unit(token)
        let units = UInt256(UInt64(1 + random.below(20))) * unit
        return random.pick(weighted: [
            (30, units),
            (20, units + UInt256(random.next() % 100_000)),
            (15, UInt256(UInt64(1 + random.below(3_000)))),
            (10, UInt256(UInt64(1 + random.below(300))) * unit),
            (5, 0),
            (4, .max),
            (4, UInt256(1) << random.below(256)),
        ])
    }

    /// A number at which something may break.
    mutating func oddNumber() -> UInt256 {
        random.pick([
            0, 1, 2, 27, 255, 256, 1 << 32, 1 << 64, 1 << 128, (1 << 160) - 1, 1 << 160, 1 << 255,
            .max, .max - 3, .max - 31, .max - 35, UInt256(random.next()),
            UInt256(1) << random.below(256),
        ])
    }
}
