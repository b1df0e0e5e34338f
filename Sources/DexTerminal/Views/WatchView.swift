package import DexCore
import DexStore
import Ethereum

package typealias WatchView = StateView<WatchNotice>

extension StateView<WatchNotice> {
    package func lines(_ screen: Screen) -> [String] {
        // The time of a removed block, or of no block, does not matter.
        let hasTime = state.message.phase == .new && state.event.kind.isInBlock
        let seconds = hasTime ? state.event.place.time : state.message.noted
        let time = TimeText.zoned(UInt256(seconds), screen)
        let text = TerminalText.wrap(
            "\(time) \(WatchText.title(state))",
            width: screen.width - 2
        )
        var lines = text.enumerated().map { index, line in
            (index == 0 ? "" : "  ") + screen.style.paint(line, color)
        }
        for detail in WatchText.details(state) {
            lines += TerminalText.wrap(detail, width: screen.width - 2)
                .map { "  " + screen.style.paint($0, .dim) }
        }
        return lines
    }

    private var color: Style.Color? {
        switch state.message.phase {
        case .undone: return .red
        case .restored: return .yellow
        case .new: break
        }
        return switch state.event.kind {
        case .fill, .received, .trade, .funded: .green
        case .cancel, .sent, .wrapped, .unwrapped: .cyan
        case .expiring, .expired, .unfunded, .alert: .yellow
        }
    }
}
