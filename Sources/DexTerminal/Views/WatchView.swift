package import DexCore
import DexStore
import Ethereum

package struct WatchView: Sendable {
    private let notice: WatchNotice

    package init(_ notice: WatchNotice) {
        self.notice = notice
    }

    package func lines(_ screen: Screen) -> [String] {
        // The time of a removed block, or of no block, does not matter.
        let hasTime = notice.message.phase == .new && notice.event.kind.isInBlock
        let seconds = hasTime ? notice.event.place.time : notice.message.noted
        let time = TimeText.utc(UInt256(seconds))
        let text = TerminalText.wrap(
            "\(time) \(WatchText.title(notice))",
            width: screen.width - 2
        )
        var lines = text.enumerated().map { index, line in
            (index == 0 ? "" : "  ") + screen.style.paint(line, ink)
        }
        for detail in WatchText.details(notice) {
            lines += TerminalText.wrap(detail, width: screen.width - 2)
                .map { "  " + screen.style.paint($0, .dim) }
        }
        return lines
    }

    private var ink: Style.Color? {
        switch notice.message.phase {
        case .undone: return .red
        case .restored: return .yellow
        case .new: break
        }
        return switch notice.event.kind {
        case .fill, .received, .funded: .green
        case .cancel, .sent, .wrapped, .unwrapped: .cyan
        case .expiring, .expired, .unfunded: .yellow
        }
    }
}
