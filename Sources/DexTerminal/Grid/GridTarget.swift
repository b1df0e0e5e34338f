package import DexCore

/// A part of a grid that a mouse can point at.
struct GridTarget: Hashable, Sendable {
    let target: LiveTarget
    let area: LiveArea
}

extension Grid {
    mutating func mark(_ target: LiveTarget, _ area: LiveArea) {
        targets.append(GridTarget(target: target, area: area))
    }

    /// What a cell stands for; nil for nothing.
    package func target(row: Int, column: Int) -> LiveTarget? {
        targets.last { $0.area.contains(row: row, column: column) }?.target
    }
}

extension LiveArea {
    func contains(row: Int, column: Int) -> Bool {
        (self.row..<self.row + max(0, rows)).contains(row)
            && (self.column..<self.column + max(0, columns)).contains(column)
    }
}
