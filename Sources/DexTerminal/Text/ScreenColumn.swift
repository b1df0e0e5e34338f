import DexCore

/// A column of a list on the screen, which a field of its rows has.
package struct ScreenColumn<Row>: Sendable {
    /// The title and how it adapts to the width, and the cells of each row.
    package struct Shown {
        let column: Table.Column
        /// At least one; further ones stand below it, in lines of their own.
        let cells: (Row) -> [Table.Cell]

        package init(column: Table.Column, cell: @escaping (Row) -> Table.Cell) {
            self.init(column: column) { [cell($0)] }
        }

        package init(column: Table.Column, cells: @escaping (Row) -> [Table.Cell]) {
            (self.column, self.cells) = (column, cells)
        }
    }

    /// From 0 on.
    let place: Int
    /// The column for these rows; nil leaves it out.
    let shown: @Sendable ([Row], Screen) -> Shown?

    func of<Whole>(_ part: @escaping @Sendable (Whole) -> Row) -> ScreenColumn<Whole> {
        let shown = shown
        return ScreenColumn<Whole>(place: place) { rows, screen in
            shown(rows.map(part), screen).map { one in
                .init(column: one.column) { one.cells(part($0)) }
            }
        }
    }
}

extension Field {
    /// Gives the field a column on the screen.
    ///
    /// - Parameters:
    ///   - place: from 0 on.
    ///   - dropOrder: columns with higher numbers are dropped first on a narrow screen; 0 never is.
    ///   - minimumWidth: to which it is cut before others are dropped; nil is not cut.
    ///   - ifAny: it is left out where no row has a text for it.
    package func shown(
        _ place: Int,
        _ title: String,
        _ alignment: Table.Alignment = .left,
        dropOrder: Int = 0,
        minimumWidth: Int? = nil,
        ifAny: Bool = false,
        _ cell: @escaping @Sendable (Row, Screen) -> Table.Cell
    ) -> Self {
        shown(place) { rows, screen in
            guard !ifAny || rows.contains(where: { !cell($0, screen).text.isEmpty }) else {
                return nil
            }
            return .init(
                column: .init(
                    title,
                    alignment,
                    dropOrder: dropOrder,
                    minimumWidth: minimumWidth
                )
            ) { cell($0, screen) }
        }
    }

    /// Gives the field a column that all rows decide together, such as by their zone.
    package func shown(
        _ place: Int,
        _ shown: @escaping @Sendable ([Row], Screen) -> ScreenColumn<Row>.Shown?
    ) -> Self {
        var field = self
        field.screenColumns.append(ScreenColumn(place: place, shown: shown))
        return field
    }

    /// Gives the field a column of hashes: as many digits as tell the rows apart.
    ///
    /// With `-v` there is none: whole hashes have lines of their own.
    func shown(
        _ place: Int,
        hash title: String,
        dropOrder: Int,
        _ hash: @escaping @Sendable (Row) -> String?
    ) -> Self {
        shown(place) { rows, screen in
            let hashes = ShortHashes(rows.compactMap(hash), screen)
            guard let column = hashes.columns(title, dropOrder: dropOrder).first else { return nil }
            return .init(column: column) { hashes.cells(hash($0)).first ?? "" }
        }
    }
}

extension Fields {
    /// The rows with the columns that the fields have on the screen, in their places.
    ///
    /// - Parameters:
    ///   - isNumbered: the next command may name a row by its number.
    ///   - hasNumber: this row is one of those.
    package func screenTable(
        _ rows: [Row],
        _ screen: Screen,
        isNumbered: Bool = false,
        hasNumber: (Row) -> Bool = { _ in true }
    ) -> Table {
        let columns = fields.flatMap(\.screenColumns).sorted { $0.place < $1.place }
            .compactMap { $0.shown(rows, screen) }
        let numbers = isNumbered ? RowNumbers(screen) : nil
        let noNumber = numbers?.columns.map { _ in Table.Cell("") } ?? []
        var table = Table((numbers?.columns ?? []) + columns.map(\.column))
        var count = 0
        for row in rows {
            let cells = columns.map { $0.cells(row) }
            let isCounted = hasNumber(row)
            for line in 0..<(cells.map(\.count).max() ?? 1) {
                let number = line == 0 && isCounted ? numbers?.cells(count) : nil
                table.add(
                    (number ?? noNumber) + cells.map { $0.indices.contains(line) ? $0[line] : "" }
                )
            }
            if isCounted { count += 1 }
        }
        return table
    }

    /// The lines of that table, which fit the screen.
    package func lines(_ rows: [Row], _ screen: Screen, isNumbered: Bool = false) -> [String] {
        screenTable(rows, screen, isNumbered: isNumbered)
            .lines(width: screen.width, style: screen.style)
    }
}
