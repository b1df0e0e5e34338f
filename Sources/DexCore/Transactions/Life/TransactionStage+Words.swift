package import DexStore

/// The words for users and scripts (docs/output.md), defined only here.
extension TransactionStage {
    /// For `dex tx list` and `dex resume`: a transaction in a block is mined, at any depth.
    package var word: String { self == .confirmed ? Self.mined.rawValue : rawValue }

    /// For a user's eyes.
    package var shownWord: String { self == .held ? "signed, not sent" : word }

    /// For `dex status`: a transaction in no block that may still be mined is pending.
    package var statusWord: String {
        switch self {
        case .planned, .signed, .broadcast, .pooled, .reorganized: "pending"
        case .mined, .confirmed: "mined"
        case .held, .reverted, .replaced, .dropped, .refused, .forgotten: rawValue
        }
    }

    /// For a transaction that a command sent: pending until it has the requested depth.
    package var sentWord: String { self == .mined ? "pending" : statusWord }

    /// How a command ends whose last transaction has this stage.
    package var ending: Ending {
        switch self {
        case .planned, .signed, .held, .broadcast, .pooled, .mined, .reorganized: .notMinedYet
        case .confirmed: .done
        case .reverted: .reverted
        case .replaced, .dropped, .refused, .forgotten: .replacedOrDropped
        }
    }
}
