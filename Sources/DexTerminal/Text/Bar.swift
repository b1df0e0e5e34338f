import Ethereum

/// Horizontal bars in eighths of a column.
enum Bar {
    private static let eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]

    /// A share of a whole in at most `width` columns; anything above zero shows one eighth.
    static func text(_ part: UInt256, of whole: UInt256, width: Int) -> String {
        guard part != .zero, whole != .zero, width > 0 else { return "" }
        let all = UInt64(width) * 8
        let share = UInt256.mulDiv(part, UInt256(all), whole)?.quotient.w0 ?? all
        let count = Int(min(max(share, 1), all))
        return String(repeating: "█", count: count / 8) + eighths[count % 8]
    }
}
