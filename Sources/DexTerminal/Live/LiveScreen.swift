package import DexCore

/// Draws the full screen again and again, and the panes only where they differ.
package struct LiveScreen: Sendable {
    /// All that the panes depend on.
    private struct Cause: Equatable {
        let revision: Int
        let columns: Int
        let rows: Int
        let isStale: Bool
        /// Times of day are shown to the minute.
        let minute: UInt64
        let times: [String]

        init(_ state: LiveState) {
            revision = state.revision
            (columns, rows) = (state.columns, state.rows)
            isStale = state.isOld ?? true
            minute = state.now / 60
            times = LivePanels.times(state)
        }
    }

    private let zone: LocalTime
    private var last: (cause: Cause, panes: Grid)?

    package init(zone: LocalTime) { self.zone = zone }

    /// The same as the grid of a `LiveView`.
    ///
    /// - Parameter state: of the same model as before.
    package mutating func grid(_ state: LiveState) -> Grid {
        let view = LiveView(state, zone: zone)
        let cause = Cause(state)
        var grid: Grid
        if let last, last.cause == cause {
            grid = last.panes
        } else {
            grid = view.panes(columns: state.columns, rows: state.rows)
            last = (cause, grid)
        }
        view.finish(&grid)
        return grid
    }
}
