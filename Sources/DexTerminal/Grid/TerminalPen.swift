/// The way a terminal draws the next character: a `CellStyle` at a depth of colour.
///
/// Equal pens look the same, also where their inks differ.
package struct TerminalPen: Hashable, Sendable {
    /// A colour as it is sent.
    package enum Shade: Hashable, Sendable {
        /// The terminal's own colour of text or background.
        case standard
        /// One of the 16: 0 to 7, and 8 to 15 for the bright ones.
        case ansi(UInt8)
        case palette(UInt8)
        case rgb(UInt8, UInt8, UInt8)
    }

    package var text = Shade.standard
    package var back = Shade.standard
    package var isBold = false
    package var isDim = false
    package var isReversed = false

    /// After `CSI 0 m`.
    package static let plain = TerminalPen()

    /// Blanks by both look the same.
    func isSameBlank(as other: TerminalPen) -> Bool {
        back == other.back && isReversed == other.isReversed && (!isReversed || text == other.text)
    }

    /// The shortest change from another pen, as a whole `CSI … m`; empty for the same pen.
    func change(from other: TerminalPen) -> [UInt8] {
        guard self != other else { return [] }
        let step = steps(from: other)
        let anew = [0] + steps(from: .plain)
        return Self.sequence(
            self == .plain ? [] : Self.length(step) <= Self.length(anew) ? step : anew
        )
    }

    private func steps(from other: TerminalPen) -> [UInt8] {
        var codes: [UInt8] = []
        let fades = other.isBold && !isBold || other.isDim && !isDim
        if fades { codes.append(22) }
        if isBold, fades || !other.isBold { codes.append(1) }
        if isDim, fades || !other.isDim { codes.append(2) }
        if isReversed != other.isReversed { codes.append(isReversed ? 7 : 27) }
        if text != other.text { codes += Self.codes(text, 30) }
        if back != other.back { codes += Self.codes(back, 40) }
        return codes
    }

    private static func codes(_ shade: Shade, _ first: UInt8) -> [UInt8] {
        switch shade {
        case .standard: [first + 9]
        case .ansi(let number) where number < 8: [first + number]
        case .ansi(let number): [first + 60 + (number & 7)]
        case .palette(let number): [first + 8, 5, number]
        case .rgb(let red, let green, let blue): [first + 8, 2, red, green, blue]
        }
    }

    private static func length(_ codes: [UInt8]) -> Int {
        codes.reduce(0) { $0 + ($1 < 10 ? 2 : $1 < 100 ? 3 : 4) }
    }

    private static func sequence(_ codes: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = [0x1B, UInt8(ascii: "[")]
        for (index, code) in codes.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ";")) }
            bytes.append(number: Int(code))
        }
        bytes.append(UInt8(ascii: "m"))
        return bytes
    }
}

extension [UInt8] {
    /// Appends a number of 0 or more in decimal digits.
    mutating func append(number: Int) {
        if number >= 10 { append(number: number / 10) }
        append(UInt8(ascii: "0") + UInt8(number % 10))
    }
}
