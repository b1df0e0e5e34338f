import DexStore
import DexTestSupport
import Ethereum
import Testing
import ZeroEx

@testable import DexCore
@testable import DexTerminal

@Suite("The full screen")
struct LiveScreenTests {
    static let sizes = [(80, 24), (120, 40), (40, 12), (200, 60)]

    private static func lines(_ grid: Grid) -> [String] {
        (0..<grid.rows).map { row in
            var text = grid.text(row: row)
            while text.last == " " { text.removeLast() }
            return text
        }
    }

    private static func grid(_ state: LiveState) -> Grid { LiveView(state, zone: .utc).grid }

    /// States that differ in what is open over the panes.
    static let modes: [String: @Sendable (inout LiveState) -> Void] = [
        "book": { _ in },
        "read-only": { state in
            var other = LiveState(
                network: "mainnet",
                account: nil,
                accountName: nil,
                canSign: false,
                pairText: "ZRX/WETH",
                freshness: state.freshness,
                now: state.now
            )
            (other.columns, other.rows) = (state.columns, state.rows)
            (other.book, other.cursor) = (state.book, state.cursor)
            state = other
        },
        "first": { state in
            state.book = nil
            state.source = nil
            state.freshness.head = nil
        },
        "old": { $0.freshness.elapsed = 90_000 },
        "entry": { state in
            var entry = LiveEntry(.limit, .buy, Fixtures.pair, price: "0.00076")
            entry.take(.character("5"))
            entry.problem = "\"5x\" is not an amount."
            state.mode = .entry(entry)
        },
        "help": { $0.mode = .help(scroll: 0) },
        "leaving": { $0.mode = .leaving(while: nil) },
        "failed": { state in
            state.note = LiveNote(
                text: "The node at https://node.example does not answer: timed out. Try again, or "
                    + "name another node: --rpc URL",
                isFailure: true
            )
        },
        "trouble": { state in
            state.troubles[.chain] = NetworkError.noRelay(network: "mainnet")
            state.alerts = [FiredAlert(id: 1, text: "ZRX/WETH < 0.00074", value: "0.00073")]
        },
        "guards": { state in
            state.guards = LiveFixtures.guards
            state.troubles[.chain] = NetworkError.noRelay(network: "mainnet")
        },
        "guard-reached": { state in
            state.guards = LiveFixtures.guards
            state.lastGuardReport = .reached(LiveFixtures.guards[0], block: 21_000_000)
        },
        "pairs": { state in
            var picker = LivePairPicker(LiveFixtures.pairs, current: Fixtures.pair)
            picker.take(.character("z"))
            state.mode = .pair(picker)
        },
        "pools": { state in
            state.pools = try? PoolScreenTests.reading()  // nil shows in the snapshot
            (state.book, state.cursor) = (nil, nil)
            state.source = WatchSource(following: [], polling: ["node"], interval: 6_000)
            state.servers = ["node https://node.example"]
        },
        "tape": { $0.trades = LiveFixtures.tape },
    ]

    @Test("each state at each size", arguments: modes.keys.sorted())
    func snapshots(name: String) throws {
        let change = try #require(Self.modes[name])
        for (columns, rows) in Self.sizes {
            var state = LiveFixtures.state(columns, rows)
            change(&state)
            let grid = Self.grid(state)
            #expect(grid.columns == columns)
            #expect(grid.rows == rows)
            try expectSnapshot(Self.lines(grid), named: "live-\(name)-\(columns)x\(rows)")
        }
    }

    /// A row with its inks as marks: `<green>0.00075</>`; what is behind stands after a slash.
    private static func marked(_ grid: Grid, row: Int) -> String {
        var text = ""
        var last = CellStyle.plain
        for column in 0..<grid.columns {
            let cell = grid[row, column]
            guard let character = cell.text else { continue }
            if cell.cellStyle != last {
                if last != .plain { text += "</>" }
                if cell.cellStyle != .plain { text += "<\(name(of: cell.cellStyle))>" }
                last = cell.cellStyle
            }
            text.append(character)
        }
        return last == .plain ? text : text + "</>"
    }

    private static func name(of cellStyle: CellStyle) -> String {
        var words = cellStyle.color == .normal ? [] : ["\(cellStyle.color)"]
        if cellStyle.isBold { words.append("bold") }
        if cellStyle.isDim { words.append("dim") }
        if cellStyle.isReversed { words.append("reversed") }
        if cellStyle.back != .normal { words.append("/\(cellStyle.back)") }
        return words.joined(separator: " ")
    }

    @Test("with colour", arguments: ["book", "old", "entry", "guards", "pairs"])
    func colours(name: String) throws {
        let change = try #require(Self.modes[name])
        for (columns, rows) in Self.sizes where columns <= 120 {
            var state = LiveFixtures.state(columns, rows)
            change(&state)
            let grid = Self.grid(state)
            try expectSnapshot(
                (0..<rows).map { Self.marked(grid, row: $0) },
                named: "live-\(name)-\(columns)x\(rows)-colour"
            )
        }
    }

    @Test("no meaning by colour alone: an ask, a bid, an own order and the cursor are marked")
    func marks() {
        let lines = Self.lines(Self.grid(LiveFixtures.state(80, 24)))
        #expect(lines.contains { $0.contains(">a ") })
        #expect(lines.contains { $0.hasPrefix(" b ") })
        #expect(lines.contains { $0.hasPrefix(" * ") })
    }

    @Test("every size from 1x1 to 300x100 is drawn, and small ones in one sentence")
    func sizes() {
        for columns in [1, 2, 39, 40, 41, 65, 66, 119, 120, 300] {
            for rows in [1, 2, 11, 12, 13, 16, 20, 100] {
                for change in ["book", "entry", "help", "failed"].compactMap({ Self.modes[$0] }) {
                    var state = LiveFixtures.state(columns, rows)
                    change(&state)
                    let grid = Self.grid(state)
                    #expect(grid.columns == columns && grid.rows == rows)
                    guard columns < 40 || rows < 12 else { continue }
                    #expect(grid.text(row: 0).hasPrefix("dex".prefix(columns)))
                }
            }
        }
    }

    @Test(
        "a hostile token name draws nothing else",
        arguments: ["\u{1B}[2J\u{1B}]0;x\u{07}", "\u{202E}abc", "🦊🦊🦊", "e\u{301}e\u{301}", "A\nB"]
    )
    func hostileName(symbol: String) {
        let token = Fixtures.token(0xBAD, symbol, symbol, 18)
        let pair = Pair(base: token, quote: Fixtures.weth)
        let grid = Self.grid(LiveFixtures.state(80, 24, pair: pair))
        for row in 0..<grid.rows {
            for column in 0..<grid.columns {
                let cell = grid[row, column]
                guard let text = cell.text else {
                    #expect(column > 0 && grid[row, column - 1].text.map(Grid.width(of:)) == 2)
                    continue
                }
                #expect(Grid.width(of: text) >= 1)
                #expect(!text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
            }
        }
    }

    @Test(
        "what is drawn again and again is the whole screen",
        arguments: [80, 120, 40, 200],
        [24, 40]
    )
    func again(columns: Int, rows: Int) {
        var random = SeededGenerator(seed: 5)
        var first = LiveFixtures.state(columns, rows)
        let sent = TransactionsState.Row(
            hash: Fixtures.hash(61),
            account: LiveFixtures.account,
            nonce: 3,
            purpose: "fill",
            stage: .mined,
            isUnsettled: false,
            created: Fixtures.now - 3,
            block: 21_000_000,
            reorgedFromBlock: nil,
            waitsFor: nil,
            successor: nil,
            predecessor: nil,
            price: nil
        )
        first.transactions = TransactionsState(rows: [sent], block: 21_000_000, warnings: [])
        var model = LiveModel(first, slippage: "1")
        var screen = LiveScreen(zone: .utc)
        let keys = Array("jk[]pbsm?cq\t")
        let orders = Array(LiveFixtures.book(6).asks.entries)
        for step in 0..<400 {
            let pick = UInt64(step)
            switch Int.random(in: 0..<7, using: &random) {
            case 0:
                let key = keys.randomElement(using: &random) ?? "j"
                _ = model.take(.key(key == "\t" ? .tab : .character(key)))
            case 1: _ = model.take(.key(.escape))
            case 2: _ = model.take(.tick(now: Fixtures.now + 7 * pick, elapsed: 300 * pick))
            case 3: _ = model.take(.feed(.confirmed(elapsed: 300 * pick), generation: 0))
            case 4:
                guard let entry = orders.randomElement(using: &random) else { continue }
                let left = entry.order.takerAmount / UInt256(pick % 5 + 1)
                let state = OrderState(filled: 0, cancelled: 0, remaining: left)
                let changes = [
                    LiveBook.Change.read(states: [entry.order.hash: state], holdings: [:])
                ]
                _ = model.take(.feed(.changes(changes), generation: 0))
            case 5:
                let error = step % 2 == 0 ? NetworkError.noRelay(network: "m") : nil
                _ = model.take(.feed(.trouble(.venue, error), generation: 0))
            default:
                _ = model.take(
                    .feed(
                        .source(
                            WatchSource(
                                following: [],
                                polling: ["p"],
                                interval: pick % 3
                            )
                        ),
                        generation: 0
                    )
                )
            }
            #expect(screen.grid(model.state) == Self.grid(model.state))
        }
    }

    @Test("a fill of an own order, and one in trouble, are shown where an alert waits for them")
    func orderAlerts() throws {
        var model = LiveModel(LiveFixtures.state(120, 40), slippage: "1")
        let alerts = [AlertCondition.OrderChange.fill, .unfunded].enumerated().map {
            index,
            change in
            JournalAlert(
                id: Int64(index + 1),
                chainID: 1,
                exchange: Fixtures.address(1),
                account: LiveFixtures.account,
                condition: .order(change, Fixtures.pair.addresses),
                text: "\(change.rawValue) ZRX/WETH",
                isOnce: false,
                created: 5
            )
        }
        _ = model.take(.feed(.alerts(alerts), generation: 0))
        func show(fillsOf makers: [UInt64]) throws {
            let trades = try makers.enumerated().map { index, maker in
                let fill = MarketFill(
                    block: 21_000_000 + UInt64(index),
                    logIndex: 1,
                    time: Fixtures.now,
                    transaction: Fixtures.hash(700 + UInt64(index)),
                    orderHash: Fixtures.hash(31),
                    maker: Fixtures.address(maker),
                    taker: Fixtures.address(950),
                    makerToken: Fixtures.zrx.address,
                    takerToken: Fixtures.weth.address,
                    makerAmount: Fixtures.milli(2_500),
                    takerAmount: Fixtures.milli(2)
                )
                return try #require(TapeTrade(fill, of: Fixtures.pair))
            }
            let state = TradesState(
                pair: Fixtures.pair,
                block: 21_000_000,
                since: Fixtures.now - 86_400,
                rows: trades.reversed(),
                summary: MarketSummary(trades)
            )
            _ = model.take(.feed(.trades(state), generation: 0))
        }
        // Somebody else's order.
        try show(fillsOf: [5])
        #expect(model.state.alerts.isEmpty)
        try show(fillsOf: [5, 77])
        try show(fillsOf: [5, 77])
        #expect(
            model.state.alerts == [FiredAlert(id: 1, text: "fill ZRX/WETH", value: "2.5 ZRX")]
        )
        for standing in [OrdersState.Standing.open, .unfunded, .unfunded] {
            let orders = OwnOrdersState(
                account: LiveFixtures.account,
                block: 21_000_000,
                timestamp: Fixtures.now,
                rows: [
                    OwnOrdersState.Row(
                        order: Fixtures.orderRow(standing),
                        signed: nil,
                        relay: nil,
                        isInDoubt: false,
                        events: []
                    )
                ],
                dropped: [],
                warnings: []
            )
            _ = model.take(.feed(.orders(orders), generation: 0))
        }
        #expect(model.state.alerts.map(\.id) == [2, 1])
        #expect(Self.grid(model.state).text(row: 38).hasPrefix("! unfunded ZRX/WETH: order 0x"))
    }
}
