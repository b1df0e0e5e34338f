package import DexStore

/// The keys of `dex alert list`.
package enum AlertSort: String, ListSort {
    case id
    /// By its text, so that those of a pair stand together.
    case condition

    package func precedes(_ first: JournalAlert, _ second: JournalAlert) -> Bool {
        switch self {
        case .id: first.id < second.id
        case .condition: (first.text, first.id) < (second.text, second.id)
        }
    }
}
