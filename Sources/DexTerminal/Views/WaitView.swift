package import DexCore
import Ethereum

/// The progress of a transaction that is waited for: one line, or a few where it is too long.
package typealias WaitView = StateView<TransactionWait>

extension StateView<TransactionWait> {
    /// Seconds until the command that speeds it up is shown.
    static var patience: UInt64 { 30 }

    /// - Parameter frame: counts up; the spinner turns by it.
    /// - Returns: lines that fit the screen, without a line end.
    package func lines(_ screen: Screen, frame: Int) -> [String] {
        let spinner = Self.spinner[
            (frame % Self.spinner.count + Self.spinner.count) % Self.spinner.count
        ]
        let seconds = screen.now > state.since ? screen.now - state.since : 0
        var head = "\(spinner) "
        if state.steps > 1 { head += "step \(state.step) of \(state.steps): " }
        head += "\(PurposeText.word(state.purpose)), \(seconds) s"
        let price = state.price.map(price)
        var parts = [head, state.hash.hex] + [price].compactMap { $0 }
        var faster: [String] = []
        if price != nil, seconds >= Self.patience {
            faster = ["faster: dex tx speedup \(state.hash.hex.prefix(10))"]
            parts += faster
        }
        // The cursor stands behind the last one.
        let room = max(1, screen.width - 1)
        let whole = parts.joined(separator: " · ")
        if TerminalText.width(of: whole) <= room { return [screen.style.paint(whole, .dim)] }
        // The price belongs to the seconds; the hash stands alone, to be copied.
        parts =
            [[head, price].compactMap { $0 }.joined(separator: " · "), state.hash.hex] + faster
        return parts.flatMap { Self.broken($0, to: room) }
            .map { screen.style.paint($0, .dim) }
    }

    /// Lines of a width, also of a word that is longer.
    private static func broken(_ text: String, to width: Int) -> [String] {
        TerminalText.wrap(text, width: width).flatMap { line -> [String] in
            var rest = Substring(line)
            var lines: [String] = []
            while rest.count > width {
                lines.append(String(rest.prefix(width)))
                rest = rest.dropFirst(width)
            }
            return lines + [String(rest)]
        }
    }

    /// `max 31.501 gwei, base fee 24.2 gwei`.
    private func price(_ maximum: Wei) -> String {
        let price = "max \(NumberText.gwei(maximum))"
        guard let baseFee = state.baseFee else { return price }
        let base = "base fee \(NumberText.gwei(baseFee))"
        return (maximum < baseFee ? "cannot be mined now: " : "") + "\(price), \(base)"
    }

    private static var spinner: [String] { ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"] }
}
