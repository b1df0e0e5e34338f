import DexCore

/// The first column of a list whose rows have numbers; none where they have not.
struct RowNumbers {
    private let isShown: Bool

    init(_ screen: Screen) {
        isShown = screen.numbersRows
    }

    var columns: [Table.Column] {
        isShown ? [.init("#", .right)] : []
    }

    /// - Parameter index: of the row, from 0.
    func cells(_ index: Int) -> [Table.Cell] {
        guard isShown else { return [] }
        return [.init(index < ShownList.maximum ? "\(index + 1)" : "", .cyan)]
    }
}
