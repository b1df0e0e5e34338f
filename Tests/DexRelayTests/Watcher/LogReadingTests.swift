import DexTestSupport
import Ethereum
import Testing
import ZeroEx

@testable import DexRelay

/// Which logs matter, and what they touch.
@Suite struct LogReadingTests {
    private static let v4 = LogReading.Market(
        exchangeProtocol: RelayFixtureV4.zeroEx(),
        contracts: ExchangeContracts(
            exchange: RelayFixtureV4.domain.exchange,
            transferContract: RelayFixtureV4.domain.exchange,
            feeToken: nil
        )
    )
    private static let reading = LogReading(markets: [WatchFixture.market, v4])
    private static let alice = Address(truncating: UInt256(0xA11CE).word)
    private static let bob = Address(truncating: UInt256(0xB0B).word)
    private static let amount = UInt256(5).bigEndianBytes

    private static func token(_ topics: [Bytes32], _ data: [UInt8] = amount) -> Log {
        Log(address: WatchFixture.weth, topics: topics, data: data)
    }

    private static func holdings(_ owners: Address...) -> Set<TokenHolding> {
        Set(owners.map { TokenHolding(token: WatchFixture.weth, owner: $0) })
    }

    @Test("each event of a token touches the holdings that it changes")
    func transfers() {
        let (alice, bob) = (Self.alice.word, Self.bob.word)
        let cases: [(Log, Set<TokenHolding>)] = [
            (Self.token([ERC20.transferTopic, alice, bob]), Self.holdings(Self.alice, Self.bob)),
            (
                Self.token([ERC20.approvalTopic, alice, WatchFixture.proxy.word]),
                Self.holdings(Self.alice)
            ),
            (
                Self.token([ERC20.approvalTopic, alice, RelayFixtureV4.domain.exchange.word]),
                Self.holdings(Self.alice)
            ),
            // An approval of another contract changes no order.
            (Self.token([ERC20.approvalTopic, alice, bob]), []),
            (Self.token([ERC20.depositTopic, alice]), Self.holdings(Self.alice)),
            (Self.token([ERC20.withdrawalTopic, bob]), Self.holdings(Self.bob)),
        ]
        for (log, holdings) in cases {
            let touches = Self.reading.touches(of: [log])
            #expect(touches.holdings == holdings)
            #expect(touches.orders.isEmpty && touches.pairCancels.isEmpty)
        }
    }

    @Test("a forged log, of the right topic and another shape, touches nothing")
    func forged() {
        let (alice, bob) = (Self.alice.word, Self.bob.word)
        let dirty = Bytes32(limbs: (1, 0, 0, 5))
        let logs =
            [
                Self.token([]),
                Self.token([ERC20.transferTopic]),
                Self.token([ERC20.transferTopic, alice]),
                Self.token([ERC20.transferTopic, alice, bob, bob]),
                Self.token([ERC20.transferTopic, alice, bob], []),
                Self.token([ERC20.transferTopic, alice, bob], Self.amount + [0]),
                Self.token([ERC20.transferTopic, alice, dirty]),
                Self.token([ERC20.approvalTopic, alice]),
                Self.token([ERC20.depositTopic]),
                Self.token([ERC20.depositTopic, alice, bob]),
                Self.token([ERC20.withdrawalTopic, dirty]),
            ]
            + [ExchangeLogV1.fillTopic, ExchangeLogV1.cancelTopic, ExchangeLogV1.errorTopic]
            .flatMap { topic in
                [[], Self.amount].map {
                    Log(address: WatchFixture.exchange, topics: [topic, alice, bob], data: $0)
                }
            }
            + ExchangeLogV4.Kind.allCases.flatMap { kind in
                [[], Self.amount].map {
                    Log(
                        address: RelayFixtureV4.domain.exchange,
                        topics: [kind.topic],
                        data: $0
                    )
                }
            }
        #expect(Self.reading.touches(of: logs) == LogTouches())
    }

    @Test("random topics and data never break the reading")
    func random() {
        var random = SeededGenerator(seed: 18)
        let topics =
            [
                ERC20.transferTopic, ERC20.approvalTopic, ERC20.depositTopic, ERC20.withdrawalTopic,
                ExchangeLogV1.fillTopic, ExchangeLogV1.cancelTopic, ExchangeLogV1.errorTopic,
            ] + ExchangeLogV4.Kind.allCases.map(\.topic)
        for _ in 0..<20_000 {
            let words = (0..<random.below(4)).map { _ in
                random.chance(50)
                    ? UInt256(random.next()).word
                    : Bytes32(bytes: random.bytes(32)) ?? .zero
            }
            let log = Log(
                address: random.pick([
                    WatchFixture.exchange, RelayFixtureV4.domain.exchange, WatchFixture.weth,
                ]),
                topics: [random.pick(topics)] + words,
                data: random.bytes(random.pick([0, 31, 32, 64, 96, 160, 256, 352]))
            )
            let touches = Self.reading.touches(of: [log])
            #expect(touches.holdings.count <= 4)
        }
    }

    @Test("events of an exchange touch their order, and only at the exchange's own address")
    func exchanges() throws {
        let fixture = try WatchFixture()
        let order = try fixture.order()
        var world = ForkingChain.World()
        world.grant(WatchFixture.zrx, to: fixture.maker, 5_000)
        world.fill(order, 200, by: WatchFixture.taker)
        let touches = Self.reading.touches(of: world.logs)
        #expect(touches.orders == [order.hash])
        #expect(
            touches.holdings.contains(
                TokenHolding(token: WatchFixture.zrx, owner: fixture.maker)
            )
        )
        let elsewhere = world.logs.map {
            Log(address: Self.bob, topics: $0.topics, data: $0.data)
        }
        #expect(Self.reading.touches(of: elsewhere).orders.isEmpty)
        var cancel = ForkingChain.World()
        cancel.cancel(order)
        #expect(Self.reading.touches(of: cancel.logs).orders == [order.hash])
        let pair = PairCancelV4(
            makerToken: WatchFixture.zrx,
            takerToken: WatchFixture.weth,
            minValidSalt: 9
        )
        for (event, count) in [
            (ExchangeLogV4.pairCancelledLimitOrders(maker: Self.alice, pair), 1),
            (ExchangeLogV4.pairCancelledRfqOrders(maker: Self.alice, pair), 0),
        ] {
            let log = event.encoded
            let touches = Self.reading.touches(of: [
                Log(
                    address: RelayFixtureV4.domain.exchange,
                    topics: log.topics,
                    data: log.data
                )
            ])
            #expect(touches.pairCancels.count == count)
            #expect(touches.pairCancels.allSatisfy { $0.version == .v4 })
        }
    }

    @Test("a registered signer touches its maker's orders of that version")
    func signers() {
        for allowed in [true, false] {
            let event = ExchangeLogV4.orderSignerRegistered(
                maker: Self.alice,
                signer: Self.bob,
                allowed: allowed
            ).encoded
            func touches(at address: Address) -> LogTouches {
                let log = Log(address: address, topics: event.topics, data: event.data)
                return Self.reading.touches(of: [log])
            }
            var wanted = LogTouches()
            wanted.makers = [.init(version: .v4, maker: Self.alice)]
            #expect(touches(at: RelayFixtureV4.domain.exchange) == wanted)
            #expect(touches(at: WatchFixture.exchange) == LogTouches())
            #expect(touches(at: Self.bob) == LogTouches())
        }
    }

    @Test("one filter serves all markets; beyond 500 addresses it names none")
    func filter() {
        let block = BlockHash(UInt256(1).word)
        let filter = Self.reading.filter(
            block: block,
            tokens: [WatchFixture.weth, WatchFixture.zrx, WatchFixture.weth]
        )
        #expect(filter.blockHash == block)
        #expect(
            Set(filter.addresses) == [
                WatchFixture.exchange, RelayFixtureV4.domain.exchange, WatchFixture.weth,
                WatchFixture.zrx,
            ]
        )
        #expect(filter.addresses.count == 4)
        let topics = Set(filter.topics.first ?? [])
        #expect(filter.topics.count == 1)
        for topic in [
            ERC20.transferTopic, ERC20.withdrawalTopic, ExchangeLogV1.fillTopic,
            ExchangeLogV4.Kind.pairCancelledLimitOrders.topic,
            ExchangeLogV4.Kind.orderSignerRegistered.topic,
        ] { #expect(topics.contains(topic)) }
        let tokens = (1...498).map { Address(truncating: UInt256(0x1_0000 + $0 as UInt64).word) }
        #expect(Self.reading.filter(block: block, tokens: tokens).addresses.count == 500)
        let more = tokens + [WatchFixture.weth]
        #expect(Self.reading.filter(block: block, tokens: more).addresses.isEmpty)
    }
}
