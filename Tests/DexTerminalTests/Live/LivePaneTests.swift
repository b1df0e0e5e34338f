import DexStore
import Ethereum
import Testing
import ZeroEx

@testable import DexCore
@testable import DexTerminal

/// What the panes of the full screen hold at each size, and what a mouse points at there.
@Suite("Panes of the full screen")
struct LivePaneTests {
    private static func view(_ state: LiveState) -> LiveView { LiveView(state, zone: .utc) }

    private static func rows(_ state: LiveState) -> [String] {
        let grid = view(state).grid
        return (0..<grid.rows).map { grid.text(row: $0) }
    }

    @Test("nothing is drawn beyond the area of a pane, at any width and height")
    func edges() {
        for candles in [false, true] {
            for count: UInt64 in [1, 12] {
                var state = LiveFixtures.state(120, 40)
                let book = LiveFixtures.book(count)
                (state.book, state.cursor) = (book, LiveModel.cursor(.buy, 0, book))
                state.trades = LiveFixtures.tape
                state.showsCandles = candles
                for columns in stride(from: 24, through: 140, by: 5) {
                    for rows in [6, 13] {
                        var grid = Grid(columns: columns + 20, rows: rows + 4)
                        let area = LiveArea(row: 2, column: 10, rows: rows, columns: columns)
                        LivePicture(Self.view(state)).draw(&grid, area)
                        expectBlank(grid, around: area)
                        grid = Grid(columns: columns + 20, rows: rows + 4)
                        LiveLadder(Self.view(state)).draw(&grid, area)
                        expectBlank(grid, around: area)
                    }
                }
            }
        }
    }

    private func expectBlank(_ grid: Grid, around area: LiveArea) {
        for row in 0..<grid.rows {
            for column in 0..<grid.columns where !area.contains(row: row, column: column) {
                let cell = grid[row, column]
                guard cell.text != " " || cell.cellStyle.back != .normal else { continue }
                Issue.record("\(cell) at \(row), \(column), outside of \(area)")
                return
            }
        }
    }

    @Test(
        "the spread stands between asks and bids, by the one formula",
        arguments: [(40, 12), (40, 24), (80, 24), (120, 40), (200, 60)]
    )
    func spread(columns: Int, rows: Int) throws {
        let lines = Self.rows(LiveFixtures.state(columns, rows))
        let place = try #require(lines.firstIndex { $0.hasPrefix("   spread 0.0000100") })
        #expect(lines[place].contains("(1.32%)"))
        #expect(lines[place - 1].hasPrefix(" a ") && lines[place + 1].hasPrefix(" b "))
    }

    @Test("without asks or bids the row says which side has none")
    func oneSide() {
        var state = LiveFixtures.state(80, 24)
        let book = LiveFixtures.book(0)
        (state.book, state.cursor) = (book, nil)
        #expect(Self.rows(state).contains { $0.hasPrefix("   no orders that can be filled") })
    }

    @Test("empty panes have one line, and the others their room")
    func empty() throws {
        var state = LiveFixtures.state(120, 40)
        state.orders?.rows = []
        let lines = Self.rows(state).map { $0.dropFirst(52) }
        for title in [
            "Trades: none in the last day ─", "My open orders: none ─", "Transactions: none ─",
        ] {
            #expect(lines.contains { $0.hasPrefix(title) }, "\(title)")
        }
        let trades = try #require(lines.firstIndex { $0.hasPrefix("Trades") })
        #expect(lines[trades + 1].hasPrefix("My open orders"))
        // The picture has the rest of the 36 rows: 3 lines and 4 of balances.
        #expect(trades == 1 + 36 - 7)
        state.trades = LiveFixtures.tape
        let full = Self.rows(state).map { $0.dropFirst(52) }
        #expect(full.count { $0.contains("buy") || $0.contains("sell") } >= 10)
    }

    @Test("a tape has seconds")
    func seconds() throws {
        var state = LiveFixtures.state(120, 40)
        state.trades = LiveFixtures.tape
        let time = TimeText.local(
            try #require(state.trades?.rows.first?.fill.time),
            LocalTime.utc.offset(0)
        )
        #expect(Self.rows(state).contains { $0.contains(time.dropFirst(11).prefix(8)) })
    }

    @Test(
        "guards have a row of their own, and an outage is always in sight",
        arguments: [(40, 12), (40, 24), (80, 24), (120, 40)]
    )
    func guards(columns: Int, rows: Int) {
        var state = LiveFixtures.state(columns, rows)
        state.guards = LiveFixtures.guards
        #expect(Self.rows(state).contains { $0.hasPrefix("guards: 8") || $0.hasPrefix("2 guards") })
        state.troubles[.chain] = NetworkError.noRelay(network: "mainnet")
        let notes: [LiveNote?] = [
            nil, LiveNote(text: String(repeating: "long ", count: 60), isFailure: true),
        ]
        for note in notes {
            state.note = note
            let lines = Self.rows(state)
            #expect(lines[rows - 2].hasPrefix("chain: "))
            guard note == nil, rows >= 16 else { continue }
            #expect(lines[rows - 4].hasPrefix("guards: 8") || lines[rows - 4].hasPrefix("2 guards"))
        }
    }

    @Test("a price that was reached is old news two blocks later; other reports stay")
    func reached() {
        var state = LiveFixtures.state(80, 24)
        let made = LiveFixtures.guards[0]
        state.lastGuardReport = .reached(made, block: 20_999_999)
        #expect(state.guardReport != nil)
        state.lastGuardReport = .reached(made, block: 20_999_998)
        #expect(state.guardReport == nil)
        state.lastGuardReport = .held(made, "The book is old.")
        #expect(Self.rows(state)[20].hasPrefix("Guard 8 does not fire: The book is old."))
    }

    @Test("each level, row and pane is pointed at where it is drawn", arguments: [80, 120])
    func targets(columns: Int) throws {
        var state = LiveFixtures.state(columns, 40)
        state.trades = LiveFixtures.tape
        let grid = Self.view(state).grid
        let lines = (0..<grid.rows).map { grid.text(row: $0) }
        let cursor = try #require(lines.firstIndex { $0.hasPrefix(">a ") })
        #expect(grid.target(row: cursor, column: 5) == .level(.buy, rank: 1))
        let middle = try #require(lines.firstIndex { $0.hasPrefix("   spread") })
        #expect(grid.target(row: middle, column: 5) == .pane(.book))
        #expect(grid.target(row: middle + 1, column: 5) == .level(.sell, rank: 0))
        let order = try #require(lines.firstIndex { $0.contains("sell  10 ZRX") })
        #expect(grid.target(row: order, column: columns - 2) == .row(.orders, 0))
        #expect(grid.target(row: order - 2, column: columns - 2) == .pane(.orders))
        #expect(grid.target(row: 0, column: 0) == nil)
        #expect(grid.target(row: 400, column: -1) == nil)
    }

    @Test("over the panes only what is open is pointed at")
    func dialog() throws {
        var state = LiveFixtures.state(80, 24)
        state.mode = .help(scroll: 0)
        #expect(Self.view(state).grid.targets.isEmpty)
        state.mode = .pair(LivePairPicker(LiveFixtures.pairs, current: Fixtures.pair))
        let grid = Self.view(state).grid
        let row = try #require(
            (0..<24).first {
                grid.text(row: $0).contains("> WETH/USDC") == false
                    && grid.text(row: $0).contains("WETH/USDC")
            }
        )
        #expect(grid.target(row: row, column: 30) == .choice(1))
        #expect(grid.target(row: 0, column: 0) == nil)
    }

    @Test("a long list of pairs keeps the selected one in sight, marked without colour too")
    func longList() {
        let many = (0..<300).map { index in
            let base = Fixtures.token(UInt64(5_000 + index), "T\(index)", "T", 18)
            let pair = Pair(base: base, quote: Fixtures.weth)
            return PairsState.Row(
                pair: pair,
                details: MarketScreenTests.details(pair),
                isKnown: true
            )
        }
        for (columns, rows) in [(40, 12), (80, 24), (120, 40)] {
            for selected in [0, 5, 150, 299] {
                var state = LiveFixtures.state(columns, rows)
                var picker = LivePairPicker(many, current: nil)
                picker.move(by: selected)
                state.mode = .pair(picker)
                let isShown = Self.rows(state).contains {
                    $0.contains(">") && $0.contains("T\(selected)/WETH")
                }
                #expect(isShown, "\(selected) at \(columns)x\(rows)")
            }
        }
    }

    @Test(
        "each depth of colour draws the picker and the guards, with no colour that it lacks",
        arguments: ColorDepth.allCases,
        [(40, 16), (80, 24), (120, 40)]
    )
    func depths(depth: ColorDepth, size: (Int, Int)) {
        var state = LiveFixtures.state(size.0, size.1)
        state.guards = LiveFixtures.guards
        let theme = GridTheme(depth)
        for isPicking in [false, true] {
            if isPicking {
                state.mode = .pair(LivePairPicker(LiveFixtures.pairs, current: Fixtures.pair))
            }
            var painter = GridPainter(theme: theme)
            let grid = Self.view(state).grid
            let sent = String(decoding: painter.frame(grid), as: UTF8.self)
            let codes = sent.matches(of: #/\u{1B}\[([\d;]*)m/#).flatMap { match in
                match.output.1.split(separator: ";").compactMap { Int($0) }
            }
            switch depth {
            case .none: #expect(codes.allSatisfy { [0, 1, 2, 7, 22, 27].contains($0) })
            case .sixteen: #expect(!codes.contains { [38, 48].contains($0) })
            case .palette256: #expect(!sent.contains("8;2;"))
            case .trueColor: break
            }
            #expect(sent.contains(isPicking ? "USDC" : "guard"))
        }
        // What is selected shows at each depth, and is marked by a sign besides.
        #expect(theme.pen(CellStyle(back: .selected)) != theme.pen(.plain))
    }

    @Test("the keys of the presets stand at the field of the amount, and at no other")
    func presets() {
        var state = LiveFixtures.state(80, 24)
        var entry = LiveEntry(.market, .buy, Fixtures.pair, amount: "20")
        state.mode = .entry(entry)
        #expect(Self.rows(state).contains { $0.contains("% in turn: 25%, 50%, 100%") })
        entry.take(.tab)
        state.mode = .entry(entry)
        #expect(!Self.rows(state).contains { $0.contains("25%") })
    }
}
