import DexStore
import Ethereum
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

/// The picker of pairs, the presets of an amount, the mouse, and what guards report.
extension LiveModelTests {
    private func pairs(_ names: String...) -> PairsState {
        let tokens = ["ZRX": pair.base, "WETH": pair.quote]
        return PairsState(
            relay: "relay.example",
            rows: names.map { name in
                let made = name.split(separator: "/").map(String.init).map { symbol in
                    let number = symbol.utf8.reduce(UInt64(0)) { $0 * 256 + UInt64($1) }
                    return tokens[symbol]
                        ?? Token(
                            address: Address(truncating: UInt256(number).word),
                            symbol: symbol,
                            name: symbol,
                            decimals: 18
                        )
                }
                return PairsState.Row(
                    pair: Pair(base: made[0], quote: made[1]),
                    details: RelayTokenPair(
                        tokenA: .init(
                            token: made[0].address,
                            minimum: nil,
                            maximum: nil,
                            precision: nil
                        ),
                        tokenB: .init(
                            token: made[1].address,
                            minimum: nil,
                            maximum: nil,
                            precision: nil
                        )
                    ),
                    isKnown: true
                )
            }
        )
    }

    private func picker(_ model: LiveModel) throws -> LivePairPicker {
        guard case .pair(let picker) = model.state.mode else { throw PickerClosed() }
        return picker
    }

    private struct PickerClosed: Error {}

    private func names(_ model: LiveModel) throws -> [String] {
        try picker(model).choices.map { choice in
            switch choice {
            case .listed(let row): row.pair.name
            case .typed(let text): "typed \(text)"
            }
        }
    }

    /// A model with the picker open over a list of four pairs.
    private func picking() async throws -> LiveModel {
        var model = try await loaded()
        guard case .readPairs? = press(&model, "/").first else { throw PickerClosed() }
        #expect(try picker(model).isReading)
        _ = model.take(.pairs(pairs("DAI/WETH", "ZRX/WETH", "WZRX/DAI", "MKR/DAI")))
        return model
    }

    @Test("the picker lists the relay's pairs and begins at the one that is shown")
    func picker() async throws {
        var model = try await picking()
        #expect(try names(model) == ["DAI/WETH", "ZRX/WETH", "WZRX/DAI", "MKR/DAI"])
        #expect(try picker(model).selected == 1)
        // Enter on the pair that is shown changes nothing.
        #expect(model.take(.key(.enter)).isEmpty)
        #expect(model.state.mode.isBrowsing && model.state.book != nil)
    }

    @Test(
        "typing narrows by letters in their order, the nearest first",
        arguments: [
            ("zrx", ["ZRX/WETH", "WZRX/DAI"]), ("zw", ["ZRX/WETH"]), ("Z W", ["ZRX/WETH"]),
            ("md", ["MKR/DAI"]), ("dai", ["DAI/WETH", "WZRX/DAI", "MKR/DAI"]),
            ("mkr/dai", ["MKR/DAI"]), ("foo", ["typed foo"]),
            ("zrx/w", ["ZRX/WETH", "typed zrx/w"]), ("a/b", ["typed a/b"]),
            ("0x00000000000000000000000000000000004441", ["DAI/WETH", "WZRX/DAI", "MKR/DAI"]),
        ]
    )
    func narrowed(typed: String, expected: [String]) async throws {
        var model = try await picking()
        #expect(press(&model, typed).isEmpty)
        #expect(try names(model) == expected)
        #expect(try picker(model).selected == 0)
    }

    @Test("Enter follows the selected pair by its addresses; Esc follows nothing")
    func picked() async throws {
        var model = try await picking()
        _ = press(&model, "mkr")
        guard case .follow(let pair, 1)? = model.take(.key(.enter)).first else {
            Issue.record("no pair is followed")
            return
        }
        #expect(pair.hasPrefix("0x") && pair.contains("/0x"))
        #expect(model.state.pairText == "MKR/DAI" && model.state.book == nil)
        var other = try await picking()
        _ = press(&other, "mkr")
        _ = other.take(.key(.down))
        #expect(other.take(.key(.escape)).isEmpty)
        #expect(other.state.mode.isBrowsing && other.state.book != nil)
        #expect(other.state.generation == 0)
    }

    @Test("the list is moved in, and what is typed is a pair where the list cannot be read")
    func unread() async throws {
        var model = try await picking()
        for key in [Key.down, .down, .down, .up, .pageUp, .control("n")] {
            _ = model.take(.key(key))
        }
        #expect(try picker(model).selected == 1)
        var blind = try await loaded()
        _ = press(&blind, "/")
        _ = blind.take(.pairsUnread(NetworkError.noRelay(network: "x")))
        #expect(try picker(blind).problem != nil)
        _ = press(&blind, "A/B")
        guard case .follow("A/B", 1)? = blind.take(.key(.enter)).first else {
            Issue.record("the typed pair is not followed")
            return
        }
    }

    @Test("a list that comes while one types narrows at once and keeps the selection")
    func lateList() async throws {
        var model = try await loaded()
        _ = press(&model, "/dai")
        #expect(try names(model) == ["typed dai"])
        _ = model.take(.pairs(pairs("MKR/DAI", "DAI/WETH")))
        #expect(try names(model) == ["DAI/WETH", "MKR/DAI"])
        _ = model.take(.key(.down))
        _ = model.take(.pairs(pairs("DAI/WETH", "ZRX/DAI", "MKR/DAI")))
        guard case .listed(let row)? = try picker(model).choice else {
            Issue.record("nothing is selected")
            return
        }
        #expect(row.pair.name == "MKR/DAI")
    }

    // MARK: Presets

    @Test(
        "% puts 25, 50 and 100 per cent into the amount in turn; behind digits it is typed",
        arguments: [
            ("m", "%", "25%"), ("m", "%%", "50%"), ("m", "%%%", "100%"), ("m", "%%%%", "25%"),
            ("b", "%", "25%"), ("b", "5%", "5%"), ("m", "33%", "33%"), ("m", "%7", "7"),
        ]
    )
    func presets(kind: String, typed: String, amount: String) async throws {
        var model = try await loaded()
        _ = press(&model, kind + typed)
        guard case .entry(let entry) = model.state.mode else {
            Issue.record("no entry is open")
            return
        }
        #expect(entry.text(.amount) == amount)
    }

    @Test("in another field % is a letter")
    func noPreset() async throws {
        var model = try await loaded()
        _ = press(&model, "m")
        _ = model.take(.key(.tab))
        _ = press(&model, "2%")
        guard case .entry(let entry) = model.state.mode else {
            Issue.record("no entry is open")
            return
        }
        #expect(entry.text(.slippage) == "2%")
    }

    // MARK: The mouse

    @Test("a click selects a level, a row, a pane; the wheel scrolls the pane under it")
    func mouse() async throws {
        var model = try await loaded()
        #expect(model.take(.mouse(.click, on: .level(.sell, rank: 1))).isEmpty)
        #expect(model.state.cursor.map { [$0.side == .sell ? 1 : 0, $0.rank] } == [1, 1])
        _ = model.take(.mouse(.click, on: .pane(.transactions)))
        #expect(model.state.pane == .transactions)
        _ = model.take(.mouse(.wheelUp, on: .level(.buy, rank: 0)))
        #expect(model.state.pane == .book)
        #expect(model.state.cursor.map { [$0.side == .buy ? 1 : 0, $0.rank] } == [1, 1])
        _ = model.take(.mouse(.click, on: .row(.orders, 0)))
        #expect(model.state.pane == .orders && model.state.selected[.orders] == 0)
        // A level that is gone leaves the cursor at the last one; nothing there changes nothing.
        _ = model.take(.mouse(.click, on: .level(.buy, rank: 99)))
        #expect(model.state.cursor?.rank == 1)
        let before = model.state.pane
        _ = model.take(.mouse(.click, on: nil))
        _ = model.take(.mouse(.wheelDown, on: nil))
        #expect(model.state.pane == before)
    }

    @Test("a click never signs, enters or leaves")
    func clicksSignNothing() async throws {
        var model = try await planned()
        _ = model.take(.painted)
        _ = press(&model, "yes")
        let targets: [LiveTarget?] = [nil, .pane(.book), .level(.buy, rank: 0), .choice(0)]
        for target in targets {
            for action in [MouseInput.Action.click, .wheelUp, .wheelDown] {
                #expect(model.take(.mouse(action, on: target)).isEmpty)
            }
        }
        guard case .plan(_, let line, _) = model.state.mode else {
            Issue.record("a click closed the plan")
            return
        }
        #expect(line.string == "yes")
    }

    @Test("in the picker a click selects, one more takes it, the wheel moves")
    func clickedPair() async throws {
        var model = try await picking()
        #expect(model.take(.mouse(.click, on: .choice(3))).isEmpty)
        #expect(try picker(model).selected == 3)
        _ = model.take(.mouse(.wheelUp, on: .choice(3)))
        #expect(try picker(model).selected == 0)
        #expect(model.take(.mouse(.click, on: .choice(9))).isEmpty)
        guard case .follow(_, 1)? = model.take(.mouse(.click, on: .choice(0))).first else {
            Issue.record("the second click takes nothing")
            return
        }
    }

    // MARK: Guards

    @Test("a guard's report stays until the next one; an outage and a key do not take its place")
    func guardReports() async throws {
        var model = try await loaded()
        _ = model.take(.guarded(.begun(count: 2)))
        #expect(model.state.guardReport == nil)
        let error = NetworkError.noRelay(network: "x")
        _ = model.take(.guarded(.failing(error)))
        _ = model.take(.feed(.trouble(.chain, error), generation: 0))
        _ = press(&model, "j")
        guard case .failing? = model.state.guardReport else {
            Issue.record("the report is gone")
            return
        }
        #expect(model.state.troubles[.chain] != nil)
        _ = model.take(.guarded(.recovered))
        #expect(model.state.guardReport == nil)
    }
}
