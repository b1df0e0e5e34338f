import DexStore
import Ethereum
import ZeroEx

/// A list of pairs that what is typed narrows.
package struct LivePairPicker: Sendable {
    package enum Choice: Sendable {
        /// A pair of the relay.
        case listed(PairsState.Row)
        /// What was typed, as BASE/QUOTE.
        case typed(String)
    }

    package private(set) var line = LineField()
    /// The relay's pairs, those with the most trades first; nil until they are read.
    private var rows: [PairsState.Row]?
    /// Why they could not be read; nil if they were, or are being read.
    package private(set) var problem: DexError?
    /// The index among the choices.
    package private(set) var selected = 0
    /// What Enter or a click takes now, the nearest first.
    package private(set) var choices: [Choice] = []

    /// - Parameters:
    ///   - rows: as read before; nil before the first reading.
    ///   - current: the pair that is shown, which is selected first.
    init(_ rows: [PairsState.Row]?, current: Pair?) {
        self.rows = rows
        narrow()
        select(current)
    }

    package var isReading: Bool { rows == nil && problem == nil }
    /// All pairs of the list.
    package var count: Int { rows?.count ?? 0 }

    /// The choice that is selected; nil without any.
    var choice: Choice? { choices.indices.contains(selected) ? choices[selected] : nil }

    /// Takes the list; what is selected stays.
    mutating func take(_ rows: [PairsState.Row], current: Pair?) {
        let chosen = choice
        self.rows = rows
        problem = nil
        narrow()
        selected = 0
        if case .listed(let row)? = chosen {
            select(row.pair)
        } else if line.string.isEmpty {
            select(current)
        }
    }

    mutating func take(_ error: DexError) {
        if rows == nil { problem = error }
    }

    mutating func take(_ key: Key) {
        switch key {
        case .up, .control("p"), .control("k"): move(by: -1)
        case .down, .control("n"), .control("j"): move(by: 1)
        case .pageUp: move(by: -10)
        case .pageDown: move(by: 10)
        default:
            let before = line.string
            _ = line.take(key)
            guard line.string != before else { return }
            narrow()
            selected = 0
        }
    }

    mutating func move(by count: Int) {
        selected = max(0, min(choices.count - 1, selected + count))
    }

    mutating func select(_ index: Int) {
        if choices.indices.contains(index) { selected = index }
    }

    private mutating func select(_ pair: Pair?) {
        guard let pair else { return }
        selected =
            choices.firstIndex { choice in
                guard case .listed(let row) = choice else { return false }
                return row.pair.addresses == pair.addresses
            } ?? 0
    }

    /// The pairs that have the typed letters or begin with the typed address, then what was typed
    /// itself, if it may be another pair.
    private mutating func narrow() {
        let typed = line.string.filter { $0 != " " }
        let ranked = (rows ?? []).enumerated().compactMap { index, row -> (Int, Int, Choice)? in
            Self.distance(typed, row).map { ($0, index, .listed(row)) }
        }
        choices = ranked.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
        let isListed = (rows ?? []).contains {
            $0.pair.name.lowercased() == typed.lowercased()
        }
        guard !typed.isEmpty, !isListed, typed.contains("/") || choices.isEmpty else { return }
        choices.append(.typed(typed))
    }

    private static func distance(_ typed: String, _ row: PairsState.Row) -> Int? {
        let pair = row.pair
        if typed.lowercased().hasPrefix("0x"),
            [pair.base, pair.quote].contains(where: {
                $0.address.lowercaseHex.hasPrefix(typed.lowercased())
            })
        {
            return 0
        }
        return FuzzyMatch.distance(typed, pair.name)
    }
}
