import Ethereum

/// The amount that a mistyped one probably means.
package enum NumberSuggestion {
    /// No longer text is looked at.
    private static let longest = 100
    /// No larger exponent is written out.
    private static let maximumExponent = 40

    /// What the text may mean, at most two amounts as `AmountExpression` takes them; empty if it is
    /// an amount already, or none that is near.
    ///
    /// `1,5` is 1.5, `1e3` is 1000, `5.` is 5, `1K` is 1k, `1,234.5` is 1234.5, `100ZRX` is 100.
    /// `1,500` may be 1500 or 1.500.
    package static func meant(by text: String) -> [String] {
        guard text.utf8.count <= longest, !isAmount(text) else { return [] }
        if ["max", "all", "everything"].contains(text.lowercased()) { return ["max"] }
        var rest = text.filter { !" _'+$".contains($0) }
        if isAmount(rest) { return [rest] }
        var end = ""
        if rest.hasSuffix("%") {
            end = "%"
            rest.removeLast()
        } else if rest.hasSuffix("k") || rest.hasSuffix("K") {
            end = "k"
            rest.removeLast()
        } else if let exponent = exponent(rest) {
            return [exponent]
        } else {
            // A symbol behind the number.
            let letters = rest.reversed().prefix { $0.isLetter }.count
            if letters > 1 { rest = String(rest.dropLast(letters)) }
        }
        return grouped(rest).map { $0 + end }.filter(isAmount)
    }

    /// The question behind an error: `Did you mean 1.5?`; nil if nothing is near.
    package static func question(_ text: String) -> String? {
        let meant = meant(by: text)
        return meant.isEmpty ? nil : "Did you mean \(meant.joined(separator: " or "))?"
    }

    /// Whether a text is an amount: a number, `max` or a percentage.
    package static func isAmount(_ text: String) -> Bool {
        do {
            guard case .number(let number) = try AmountExpression(text) else { return true }
            _ = try number.units(decimals: 77)
            return true
        } catch DecimalTextError.tooLarge {
            return true
        } catch {
            return false
        }
    }

    /// A number with commas or points between groups of digits, or with a comma for the point.
    private static func grouped(_ text: String) -> [String] {
        let trimmed = text.hasSuffix(".") || text.hasSuffix(",") ? String(text.dropLast()) : text
        let commas = trimmed.count { $0 == "," }
        let points = trimmed.count { $0 == "." }
        let isLastPoint = trimmed.last { ",.".contains($0) } == "."
        switch (commas, points) {
        case (0, 0...1): return [trimmed]
        case (1, 0):
            let decimal = trimmed.replacing(",", with: ".")
            let parts = trimmed.split(separator: ",", omittingEmptySubsequences: false)
            let isGroup =
                parts[1].count == 3 && (1...3).contains(parts[0].count)
                && !parts[0].hasPrefix("0")
            return isGroup ? [trimmed.replacing(",", with: ""), decimal] : [decimal]
        case (_, 0): return [trimmed.replacing(",", with: "")]
        case (0, _): return [trimmed.replacing(".", with: "")]
        case (_, 1) where isLastPoint: return [trimmed.replacing(",", with: "")]
        case (1, _) where !isLastPoint:
            return [trimmed.replacing(".", with: "").replacing(",", with: ".")]
        default: return []
        }
    }

    /// A number with an exponent, written out: `1.5e3` is 1500, `1e-3` is 0.001.
    private static func exponent(_ text: String) -> String? {
        let parts = text.split(omittingEmptySubsequences: false) { $0 == "e" || $0 == "E" }
        guard parts.count == 2, let power = Int(parts[1]), abs(power) <= maximumExponent,
            let dot = Optional(parts[0].split(separator: ".", omittingEmptySubsequences: false)),
            dot.count <= 2, !parts[0].isEmpty,
            parts[0].allSatisfy({ $0 == "." || ("0"..."9").contains($0) })
        else { return nil }
        let fraction = dot.count == 2 ? String(dot[1]) : ""
        var digits = String(dot[0]) + fraction
        var point = dot[0].count + power
        if point <= 0 {
            digits = String(repeating: "0", count: 1 - point) + digits
            point = 1
        }
        if digits.count < point { digits += String(repeating: "0", count: point - digits.count) }
        let whole = digits.prefix(point).drop { $0 == "0" }
        var rest = String(digits.dropFirst(point))
        while rest.hasSuffix("0") { rest.removeLast() }
        let text = (whole.isEmpty ? "0" : String(whole)) + (rest.isEmpty ? "" : "." + rest)
        return isAmount(text) ? text : nil
    }
}
