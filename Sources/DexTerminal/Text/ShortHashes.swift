/// The hashes of a list in a column: as many digits as tell them apart, whole with `--verbose`.
///
/// Commands take what is shown for the hash, and the row's number.
struct ShortHashes {
    private static let minimumDigits = 8

    /// Whole hashes stand in lines of their own below their rows.
    let areWhole: Bool
    private let digits: Int

    /// - Parameter hashes: `0x` and 64 digits each; the same one may come several times.
    init(_ hashes: [String], _ screen: Screen) {
        areWhole = screen.isVerbose
        digits = Self.digits(telling: hashes, minimum: Self.minimumDigits)
    }

    /// The digits by which all different hashes can be told apart.
    static func digits(telling hashes: [String], minimum: Int) -> Int {
        let different = Set(hashes)
        var digits = minimum
        while digits < 64, Set(different.map { $0.prefix(2 + digits) }).count < different.count {
            digits += 1
        }
        return digits
    }

    /// The column, or none.
    func columns(_ title: String, dropOrder: Int) -> [Table.Column] {
        areWhole ? [] : [.init(title, dropOrder: dropOrder)]
    }

    /// - Parameter hash: nil leaves the place empty.
    func cells(_ hash: String?) -> [Table.Cell] {
        areWhole ? [] : [.init(hash.map { String($0.prefix(2 + digits)) } ?? "", .dim)]
    }

    /// The line below a row, or none.
    func lines(_ hash: String, _ screen: Screen) -> [String] {
        areWhole ? [screen.style.paint("  \(hash)", .dim)] : []
    }
}
