/// A number of a column, in the parts by which columns of numbers are aligned: `-12.5 ZRX`.
struct PointedNumber {
    /// Up to the point: `-12`.
    private let whole: Substring
    /// The point and what follows it, up to the unit: `.5`; empty without a point.
    private let fraction: Substring
    /// What follows the number: ` ZRX`.
    private let unit: Substring

    /// nil if the text does not begin with a number; spaces, a sign, `~` or `<` may come before it.
    init?(_ text: String) {
        let digits = "0123456789"
        let start = text.firstIndex { !" +-~<>=".contains($0) } ?? text.endIndex
        let point = text[start...].firstIndex { !digits.contains($0) } ?? text.endIndex
        guard point > start else { return nil }
        whole = text[..<point]
        var end = point
        if end < text.endIndex, text[end] == "." {
            let next = text.index(after: end)
            end = text[next...].firstIndex { !digits.contains($0) } ?? text.endIndex
        }
        fraction = text[point..<end]
        unit = text[end...]
        // `0x1234` is none.
        guard unit.first.map({ $0 == " " || $0 == "%" }) ?? true else { return nil }
    }

    /// The texts of a column, all as wide as the widest; nil where there is no number.
    static func aligned(_ numbers: [PointedNumber?]) -> [String?] {
        func widest(_ part: KeyPath<PointedNumber, Substring>) -> Int {
            numbers.compactMap { $0?[keyPath: part].count }.max() ?? 0
        }
        let (whole, fraction, unit) = (widest(\.whole), widest(\.fraction), widest(\.unit))
        func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }
        return numbers.map { number in
            guard let number else { return nil }
            return spaces(whole - number.whole.count) + number.whole + number.fraction
                + spaces(fraction - number.fraction.count) + number.unit
                + spaces(unit - number.unit.count)
        }
    }
}
