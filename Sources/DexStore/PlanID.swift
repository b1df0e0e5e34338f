import Ethereum

/// The number of a plan of `dex mcp`: 16 hexadecimal digits, never given to another plan.
package struct PlanID: Hashable, Sendable, CustomStringConvertible {
    package let number: UInt64

    package init(number: UInt64) {
        self.number = number
    }

    /// nil for anything but 16 lower-case hexadecimal digits.
    package init?(_ text: String) {
        guard text.utf8.count == 16, let number = UInt64(text, radix: 16),
            PlanID(number: number).description == text
        else { return nil }
        self.init(number: number)
    }

    package var description: String { Hex.digits(number) }

    /// The fewest digits that may stand for a whole number.
    package static let fewestDigits = 4

    /// A part of a number as a person types it; nil for anything but 4 to 16 hexadecimal digits.
    package static func prefix(_ text: String) -> String? {
        let digits = text.lowercased()
        guard (fewestDigits...16).contains(digits.utf8.count),
            digits.utf8.allSatisfy({
                (0x30...0x39).contains($0) || (0x61...0x66).contains($0)
            })
        else { return nil }
        return digits
    }
}
