import DexStore
import Ethereum
import ZeroEx

/// The picker of pairs.
extension LiveModel {
    mutating func pick(_ picker: LivePairPicker, _ key: Key) -> [LiveEffect] {
        var picker = picker
        switch key {
        case .escape, .control("c"): state.mode = .browse
        case .enter: return choose(picker.choice)
        default:
            picker.take(key)
            state.mode = .pair(picker)
        }
        return []
    }

    private func isShown(_ choice: LivePairPicker.Choice) -> Bool {
        guard case .listed(let row) = choice else { return false }
        return row.pair.addresses == state.readPair?.addresses
    }

    /// Follows a choice; without one, or with the pair that is shown, nothing changes.
    mutating func choose(_ choice: LivePairPicker.Choice?) -> [LiveEffect] {
        state.mode = .browse
        guard let choice, !isShown(choice) else { return [] }
        let asked: String
        switch choice {
        case .listed(let row):
            follow(row.pair.name)
            asked = row.pair.addresses.text
        case .typed(let text):
            follow(text)
            asked = text
        }
        return [.follow(pair: asked, generation: state.generation)]
    }

    /// Nothing of the earlier pair stays on the screen.
    private mutating func follow(_ pair: String) {
        state.generation += 1
        state.pairText = pair
        state.book = nil
        state.frozen = nil
        state.pools = nil
        state.frozenPools = nil
        state.cursor = nil
        state.trades = nil
        state.source = nil
        state.venue = nil
        state.freshness.confirmed = nil
        state.troubles = [:]
        state.selected = [:]
    }
}
