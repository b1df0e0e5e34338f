import DexCore
import Ethereum

/// Values of others on a screen: behind a margin on every line, so that none looks like a line of
/// this program.
enum ForeignText {
    /// Stands before every line.
    static let margin = "  |"

    /// A text in lines that fit, each behind the margin.
    ///
    /// - Parameters:
    ///   - indent: columns between the margin and the text.
    ///   - hanging: more of them from the second line on.
    static func lines(
        _ text: String,
        indent: Int = 1,
        hanging: Int = 0,
        _ screen: Screen
    ) -> [String] {
        let room = screen.width - margin.utf8.count - indent
        let isNarrow = room - hanging < 16
        let hanging = isNarrow ? 0 : hanging
        let pieces = broken(text, first: max(1, room), then: max(1, room - hanging))
        return pieces.enumerated().map { index, piece in
            let gap = String(repeating: " ", count: max(1, indent) + (index == 0 ? 0 : hanging))
            return screen.style.paint(margin, .dim) + (piece.isEmpty ? "" : gap + piece)
        }
    }

    /// All bytes of call data: the selector, then a word a line, each with its place.
    static func data(_ data: [UInt8], _ screen: Screen) -> [String] {
        let digits = max(4, String(data.count).utf8.count)
        let room = screen.width - margin.utf8.count - digits - 4
        let size = max(1, min(32, room / 2))
        var lines: [String] = []
        var start = 0
        while start < data.count {
            // Words begin behind the selector, and lines with them.
            let inWord = start < 4 ? 4 - start : 32 - (start - 4) % 32
            let end = min(data.count, start + min(size, inWord))
            let place = String(start)
            let gap = String(repeating: " ", count: digits - place.utf8.count)
            let bytes = Hex.encode(data[start..<end]).dropFirst(2)
            lines.append("\(screen.style.paint(margin, .dim)) \(gap)\(place)  \(bytes)")
            start = end
        }
        return lines
    }

    /// A line as it is, spaces too, in pieces that fit.
    private static func broken(_ line: String, first: Int, then: Int) -> [String] {
        var pieces: [String] = []
        var piece = String.UnicodeScalarView()
        var used = 0
        for scalar in line.unicodeScalars {
            let columns = TerminalText.width(of: scalar)
            if used + columns > (pieces.isEmpty ? first : then), used > 0 {
                pieces.append(String(piece))
                (piece, used) = (String.UnicodeScalarView(), 0)
            }
            piece.append(scalar)
            used += columns
        }
        return pieces + [String(piece)]
    }
}
