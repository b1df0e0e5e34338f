import CProcess
import DexCore
import DexTerminal
import Ethereum
import EthereumWallet
import Glibc
import ZeroEx

/// The full screen with 10,000 orders at 200x60: frames, changes, bytes and memory.
///
/// What is read over the network is not in it.
struct LiveBenchmark {
    private static let count = 10_000
    private static let makers = 500
    private static let pair = Pair(
        base: Token(address: address(1), symbol: "ZRX", name: "0x Protocol Token", decimals: 18),
        quote: Token(address: address(2), symbol: "WETH", name: "Wrapped Ether", decimals: 18)
    )

    private static func address(_ seed: UInt64) -> Address {
        Address(truncating: UInt256(seed).word)
    }

    /// One order; its signature is another's, since the book verifies none.
    private static func order(
        _ index: Int,
        _ random: inout SystemRandomNumberGenerator,
        _ signature: Signature
    ) -> any SignedOrder {
        let isAsk = index % 2 == 0
        let base =
            UInt256(UInt64.random(in: 1_000...100_000, using: &random)) * 1_000_000_000_000_000
        let step = UInt64.random(in: 0..<200_000, using: &random)
        let millionths = isAsk ? 750_000_000 + step : 749_900_000 - step
        let quote = base * UInt256(millionths) / 1_000_000_000_000
        let draft = OrderDraft(
            exchange: address(3),
            maker: address(100 + UInt64(index % makers)),
            makerToken: isAsk ? pair.base.address : pair.quote.address,
            takerToken: isAsk ? pair.quote.address : pair.base.address,
            makerAmount: isAsk ? base : quote,
            takerAmount: isAsk ? quote : base,
            expiry: 2_000_000_000,
            salt: UInt256(UInt64(index))
        )
        return SignedOrderV1(terms: draft, signature: signature)
    }

    static func run() throws -> [Measurement] {
        var random = SystemRandomNumberGenerator()
        let signature = try PrivateKeySigner(key: UInt256(7).word).signature(over: UInt256(1).word)
        let orders = (0..<count).map { order($0, &random, signature) }
        var holdings: [HoldingKey: Holding] = [:]
        for maker in 0..<makers {
            for token in [pair.base.address, pair.quote.address] {
                let key = HoldingKey(owner: address(100 + UInt64(maker)), token: token)
                // Every fourth maker cannot pay for all of its orders.
                let balance: UInt256 = maker % 4 == 0 ? 200_000_000_000_000_000_000 : .max
                holdings[key] = Holding(balance: balance, allowance: .max)
            }
        }
        var shown = orders.map { order in
            LiveBook.Shown(
                order: order,
                state: OrderState(filled: 0, cancelled: 0, remaining: order.takerAmount)
            )
        }
        var state = LiveState(
            network: "bench",
            account: nil,
            accountName: nil,
            canSign: false,
            pairText: pair.name,
            freshness: LiveFreshness(blockTime: 12_000, elapsed: 0),
            now: block.timestamp
        )
        (state.columns, state.rows) = (200, 60)
        var model = LiveModel(state, slippage: "1")
        _ = model.take(.feed(.book(book(shown, holdings)), generation: 0))
        var painter = GridPainter(theme: GridTheme(.trueColor))
        var screen = LiveScreen(zone: .utc)
        _ = painter.frame(screen.grid(model.state))

        /// A change of an order near the best price, or anywhere.
        func change(_ index: Int) -> [LiveBook.Change] {
            let place = Int.random(in: 0..<count, using: &random)
            let order = shown[place].order
            let remaining = order.takerAmount / UInt256(UInt64(1 + index % 5))
            let state = OrderState(filled: 0, cancelled: 0, remaining: remaining)
            shown[place] = LiveBook.Shown(order: order, state: state)
            return index % 3 == 0
                ? [.removed([order.hash]), .shown([shown[place]], holdings: [:])]
                : [.read(states: [order.hash: state], holdings: [:])]
        }

        var measurements: [Measurement] = []
        // Frames, one change each.
        let frames = 200
        var applying = Duration.zero
        var drawing = Duration.zero
        for index in 0..<frames {
            let changes = change(index)
            let start = FeedLoad.processor
            _ = model.take(.feed(.changes(changes), generation: 0))
            let middle = FeedLoad.processor
            _ = painter.frame(screen.grid(model.state))
            applying += middle - start
            drawing += FeedLoad.processor - middle
        }
        let frame = drawing / frames
        let start = FeedLoad.processor
        for index in 0..<frames {
            let elapsed = UInt64(index) * 1_000
            _ = model.take(.feed(.confirmed(elapsed: elapsed), generation: 0))
            _ = model.take(.tick(now: block.timestamp + UInt64(index), elapsed: elapsed))
            _ = painter.frame(screen.grid(model.state))
        }
        let still = (FeedLoad.processor - start) / frames
        measurements.append(
            Measurement(
                name: "a frame of 10,000 orders at 200x60",
                figure: milliseconds(frame),
                ratio: frame / .milliseconds(5),
                limit: 1
            )
        )
        // News are drawn ten times a second.
        let busy = applying / frames * 20 + frame * 10
        measurements.append(
            Measurement(
                name: "20 changes a second, of a core",
                figure: "\(decimals(busy / .milliseconds(10), 2)) %",
                ratio: busy / .milliseconds(30),
                limit: 1
            )
        )
        measurements.append(
            Measurement(
                name: "idle: one frame a second, of a core",
                figure: "\(decimals(still / .milliseconds(10), 2)) %",
                ratio: still / .milliseconds(3),
                limit: 1
            )
        )
        measurements.append(bytes(model.state))
        // Ten at a time, as a feed's are collected.
        for index in 0..<100_000 {
            let changes = (0..<10).flatMap { change(10 * index + $0) }
            _ = model.take(.feed(.changes(changes), generation: 0))
        }
        guard let book = model.state.book else { return measurements }
        let scratch = Self.isSame(book, as: Self.book(shown, holdings))
        measurements.append(
            Measurement(
                name: "the book after 10^6 changes, as from scratch",
                figure: scratch ? "equal" : "DIFFERENT",
                ratio: scratch ? 1 : 2,
                limit: 1
            )
        )
        let memory = Double(residentBytes()) / Double(100 << 20)
        measurements.append(
            Measurement(
                name: "memory after 10^6 changes, of 100 MiB",
                figure: "\(residentBytes() >> 20) MiB",
                ratio: memory,
                limit: 1
            )
        )
        return measurements
    }

    private static let block = Block(
        number: 21_000_000,
        hash: BlockHash(UInt256(1).word),
        parentHash: BlockHash(UInt256(2).word),
        timestamp: 1_900_000_000,
        baseFeePerGas: nil,
        gasLimit: 0,
        gasUsed: 0
    )

    private static func book(
        _ shown: [LiveBook.Shown],
        _ holdings: [HoldingKey: Holding]
    ) -> LiveBook {
        LiveBook(
            pair: pair,
            block: block,
            exchangeProtocol: ZeroExV1(),
            contracts: ExchangeContracts(
                exchange: address(3),
                transferContract: address(4),
                feeToken: address(5)
            ),
            shown,
            holdings: holdings
        )
    }

    private static func isSame(_ one: LiveBook, as other: LiveBook) -> Bool {
        [TradeSide.buy, .sell].allSatisfy { side in
            Array(one.side(side).entries).elementsEqual(Array(other.side(side).entries)) {
                $0.order.hash == $1.order.hash && $0.fillableTaker == $1.fillableTaker
                    && $0.flags == $1.flags
            }
        }
    }

    /// A frame in which five rows differ as a whole.
    private static func bytes(_ state: LiveState) -> Measurement {
        let first = LiveView(state, zone: .utc).grid
        var maximum = 0
        for depth in ColorDepth.allCases {
            var painter = GridPainter(theme: GridTheme(depth))
            _ = painter.frame(first)
            var next = first
            for row in 10..<15 {
                let text = String(first.text(row: row).map { $0 == " " ? " " : "9" })
                next.put(text, row: row, column: 0)
            }
            maximum = max(maximum, painter.frame(next).count)
        }
        return Measurement(
            name: "bytes of a frame with 5 changed rows",
            figure: "\(maximum) bytes",
            ratio: Double(maximum) / 2_048,
            limit: 1
        )
    }

    /// What is in memory of this process (proc(5), statm).
    private static func residentBytes() -> Int {
        guard let file = fopen("/proc/self/statm", "r") else { return .max }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 128)
        guard fgets(&line, 128, file) != nil else { return .max }
        let text = String(
            decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) },
            as: UTF8.self
        )
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}
