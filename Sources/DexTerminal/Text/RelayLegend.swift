import DexCore

/// Numbers for relays, whose names are too long for a table, and the lines that explain them.
struct RelayLegend: Sendable {
    /// In the order of their numbers, from 1.
    private let names: [String]

    init(_ names: [String]) { self.names = names }

    /// The relays of several orders, in the order in which they are first named.
    init(of lists: some Sequence<[String]>) {
        var names: [String] = []
        for name in lists.joined() where !names.contains(name) { names.append(name) }
        self.names = names
    }

    /// `1, 3`; empty for no relay.
    func numbers(of relays: [String]) -> String {
        relays.compactMap { name in names.firstIndex(of: name).map { "\($0 + 1)" } }
            .joined(separator: ", ")
    }

    /// Each relay's whole name behind its number.
    func lines(_ screen: Screen) -> [String] {
        let width = "\(names.count)".count
        return names.enumerated().flatMap { index, name in
            let number = "\(index + 1)"
            let space = String(repeating: " ", count: width - number.count)
            return screen.sentences("  \(space)\(number)  \(TerminalText.clean(name))", .dim)
        }
    }
}
