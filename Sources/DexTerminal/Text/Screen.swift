package import DexCore
import Ethereum

/// A view's output: width, colours, time and names.
package struct Screen: Sendable {
    /// Columns; at least 1.
    package let width: Int
    package let style: Style
    /// Seconds since 1970, for "in 3 h 12 m".
    package let now: UInt64
    /// Shows what is otherwise shortened.
    package let isVerbose: Bool
    /// Rows that a screen should fit; nil if it may scroll.
    package let height: Int?
    /// The clock by which times are shown.
    package let zone: LocalTime
    /// The rows of lists have numbers, by which the next command may name them.
    package private(set) var numbersRows = false

    package init(
        width: Int,
        style: Style,
        now: UInt64,
        isVerbose: Bool = false,
        height: Int? = nil,
        zone: LocalTime = .utc
    ) {
        self.width = max(1, width)
        self.style = style
        self.now = now
        self.isVerbose = isVerbose
        self.height = height
        self.zone = zone
    }

    /// Lists have their closed rows too.
    package private(set) var showsAll = false
    /// The addresses that the user knows by a name.
    private var names = KnownAddresses()

    /// The same with closed rows.
    package func showingAll(_ showsAll: Bool) -> Screen {
        var screen = self
        screen.showsAll = showsAll
        return screen
    }

    /// The same with names in place of addresses.
    package func naming(_ names: KnownAddresses) -> Screen {
        var screen = self
        screen.names = names
        return screen
    }

    /// An address in a column: its name, else its first and last digits.
    func party(_ address: Address) -> String {
        CallText.party(names.name(of: address), address)
    }

    /// An address in a sentence: `alice (0x…)`, whole in any case.
    func account(_ address: Address) -> String {
        names.name(of: address).map { "\(TerminalText.clean($0)) (\(address.checksummed))" }
            ?? address.checksummed
    }

    /// The same with numbered rows.
    package var numberingRows: Screen {
        var screen = self
        screen.numbersRows = true
        return screen
    }
}
