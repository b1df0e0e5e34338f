package import DexStore

/// The words for people and scripts (docs/output.md); the one place that has them.
extension TransactionStage {
    /// In `dex tx list` and `dex resume`: what is in a block is mined, however deep.
    package var word: String { self == .confirmed ? Self.mined.rawValue : rawValue }

    /// In `dex status`: what is in no block and may come to one is pending.
    package var statusWord: String {
        switch self {
        case .planned, .signed, .broadcast, .pooled, .reorganized: "pending"
        case .mined, .confirmed: "mined"
        case .reverted, .replaced, .dropped, .refused, .forgotten: rawValue
        }
    }

    /// Of a transaction that a command sent: pending until it is as deep as was asked for.
    package var sentWord: String { self == .mined ? "pending" : statusWord }

    /// How a command ends whose last transaction stands there.
    package var exit: ExitCode {
        switch self {
        case .planned, .signed, .broadcast, .pooled, .mined, .reorganized: .notMinedYet
        case .confirmed: .done
        case .reverted: .reverted
        case .replaced, .dropped, .refused, .forgotten: .replacedOrDropped
        }
    }
}
