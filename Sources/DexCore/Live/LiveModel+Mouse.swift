import ZeroEx

/// A mouse selects and scrolls; it enters, confirms and signs nothing.
extension LiveModel {
    /// Rows that a step of the wheel moves.
    static let wheelRows = 3

    mutating func point(_ action: MouseInput.Action, _ target: LiveTarget?) -> [LiveEffect] {
        switch state.mode {
        case .browse:
            if action == .click { click(target) } else { scroll(action, target) }
        case .pair(var picker):
            switch (action, target) {
            // A click selects, and one more takes it.
            case (.click, .choice(let index)?) where index == picker.selected:
                return choose(picker.choice)
            case (.click, .choice(let index)?): picker.select(index)
            case (.click, _): break
            case (.wheelUp, _): picker.move(by: -Self.wheelRows)
            case (.wheelDown, _): picker.move(by: Self.wheelRows)
            }
            state.mode = .pair(picker)
        case .plan, .outcome, .why, .help:
            guard action != .click else { return [] }
            let key: Key = action == .wheelUp ? .up : .down
            return (0..<Self.wheelRows).flatMap { _ in press(key) }
        case .entry, .planning, .working, .leaving: break
        }
        return []
    }

    private mutating func click(_ target: LiveTarget?) {
        state.note = nil
        switch target {
        case .pane(let pane)?: state.pane = pane
        case .level(let side, let rank)?:
            state.pane = .book
            if let book = state.shownBook {
                state.cursor = Self.cursor(side, rank, book) ?? state.cursor
            }
        case .row(let pane, let index)?:
            state.pane = pane
            state.selected[pane] = index
        case .choice?, nil: break
        }
    }

    /// Scrolls the pane under the pointer, which then has the keys.
    private mutating func scroll(_ action: MouseInput.Action, _ target: LiveTarget?) {
        switch target {
        case .pane(let pane)?, .row(let pane, _)?: state.pane = pane
        case .level?: state.pane = .book
        case .choice?, nil: return
        }
        for _ in 0..<Self.wheelRows { move(down: action == .wheelDown) }
    }
}
