/// A terminal's answer to what it was asked.
package enum TerminalReply: Hashable, Sendable {
    /// DECRPM: a private mode; 1 and 2 are a mode that can be set and reset, 0 is an unknown one.
    case mode(Int, state: Int)
    /// OSC 10 and 11: the colour of text or of the background, each part from 0 to 65,535.
    case color(slot: Int, red: UInt16, green: UInt16, blue: UInt16)
    /// CPR: from 1 on.
    case cursor(row: Int, column: Int)
    /// DA1: every terminal answers it.
    case attributes

    /// The parameters of a control sequence; nil if it is not an answer.
    init?(parameters: [UInt8], final: UInt8) {
        var text = String(decoding: parameters, as: UTF8.self)
        let isPrivate = text.hasPrefix("?")
        if isPrivate { text.removeFirst() }
        switch (final, isPrivate) {
        case (UInt8(ascii: "y"), true):
            guard text.hasSuffix("$") else { return nil }
            let numbers = Self.numbers(text.dropLast())
            guard numbers.count == 2 else { return nil }
            self = .mode(numbers[0], state: numbers[1])
        case (UInt8(ascii: "R"), false):
            let numbers = Self.numbers(text[...])
            guard numbers.count == 2, numbers.allSatisfy({ $0 > 0 }) else { return nil }
            self = .cursor(row: numbers[0], column: numbers[1])
        case (UInt8(ascii: "c"), true): self = .attributes
        default: return nil
        }
    }

    /// The text of an operating system command; nil if it is not an answer.
    ///
    /// `11;rgb:1e1e/1e1e/1e1e`
    init?(command: [UInt8]) {
        let text = String(decoding: command, as: UTF8.self)
        guard let mark = text.firstIndex(of: ";"), let slot = Int(text[..<mark]),
            slot == 10 || slot == 11
        else { return nil }
        let value = text[text.index(after: mark)...]
        guard value.hasPrefix("rgb:") || value.hasPrefix("rgba:"),
            let colon = value.firstIndex(of: ":")
        else { return nil }
        let parts = value[value.index(after: colon)...].split(separator: "/").map(Self.part)
        guard parts.count == 3 || parts.count == 4, let red = parts[0], let green = parts[1],
            let blue = parts[2]
        else { return nil }
        self = .color(slot: slot, red: red, green: green, blue: blue)
    }

    /// The background that was answered is lighter than half; nil for another answer.
    package var isLightBackground: Bool? {
        guard case .color(slot: 11, let red, let green, let blue) = self else { return nil }
        return Int(red) * 299 + Int(green) * 587 + Int(blue) * 114 > 32_768 * 1_000
    }

    private static func numbers(_ text: Substring) -> [Int] {
        let parts = text.split(separator: ";", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { $0.utf8.count <= 5 ? Int($0) : nil }
        return numbers.count == parts.count && numbers.allSatisfy { $0 >= 0 } ? numbers : []
    }

    /// One to four hexadecimal digits, scaled to 16 bits.
    private static func part(_ text: Substring) -> UInt16? {
        guard (1...4).contains(text.utf8.count), text.utf8.allSatisfy({ $0.isHexadecimalDigit }),
            let value = UInt32(text, radix: 16)
        else { return nil }
        let maximum = UInt32(1) << UInt32(4 * text.utf8.count) - 1
        return UInt16(clamping: value * 65_535 / maximum)
    }
}

extension UInt8 {
    fileprivate var isHexadecimalDigit: Bool {
        (0x30...0x39).contains(self) || (0x41...0x46).contains(self & 0xDF)
    }
}
