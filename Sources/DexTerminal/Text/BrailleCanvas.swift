import DexCore
import ZeroEx

/// Dots in characters of 2 x 4, each column of characters in one colour.
struct BrailleCanvas {
    /// Characters.
    let width: Int
    let height: Int
    private var cells: [UInt32]

    /// The bits of a character's dots, from the top: left and right.
    private static let bits: [(left: UInt32, right: UInt32)] = [
        (0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80),
    ]

    init(width: Int, height: Int) {
        self.width = max(0, width)
        self.height = max(0, height)
        cells = Array(repeating: 0, count: self.width * self.height)
    }

    /// Dots from the bottom to the top.
    var dots: Int { height * 4 }

    /// Draws a vertical line in a column of characters.
    ///
    /// - Parameters:
    ///   - rows: dots, counted from below; those outside are left out.
    ///   - left: in the left column of dots.
    mutating func line(column: Int, rows: ClosedRange<Int>, left: Bool, right: Bool) {
        let whole = 0..<dots
        guard (0..<width).contains(column), whole.overlaps(rows) else { return }
        for row in whole.clamped(to: Range(rows)) {
            let down = dots - 1 - row
            let bits = Self.bits[down % 4]
            cells[down / 4 * width + column] |= (left ? bits.left : 0) | (right ? bits.right : 0)
        }
    }

    /// Draws a candle in a column of characters: a rising one's wick is left, a falling one's right.
    mutating func candle(_ prices: Candle.Prices, column: Int, _ scale: PriceScale) {
        let place = { [dots] (price: Price) in scale.place(of: price, among: dots) }
        let (open, close, low) = (place(prices.open), place(prices.close), place(prices.low))
        line(
            column: column,
            rows: low...max(low, place(prices.high)),
            left: prices.isRising,
            right: !prices.isRising
        )
        line(
            column: column,
            rows: min(open, close)...max(open, close),
            left: true,
            right: true
        )
    }

    /// A character; a space without dots.
    func character(column: Int, row: Int) -> String {
        let bits = cells[row * width + column]
        guard bits != 0, let scalar = Unicode.Scalar(0x2800 + bits) else { return " " }
        return String(Character(scalar))
    }
}
