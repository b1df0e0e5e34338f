package import DexStore

/// The keys of `dex guard list`.
package enum GuardSort: String, ListSort {
    case id
    case pair

    package func precedes(_ first: JournalGuard, _ second: JournalGuard) -> Bool {
        switch self {
        case .id: first.id < second.id
        case .pair: (first.pairName, first.id) < (second.pairName, second.id)
        }
    }
}
