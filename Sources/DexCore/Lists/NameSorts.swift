import Ethereum

/// The keys of `dex wallet list`.
package enum WalletSort: String, ListSort {
    case name
    case address

    package func precedes(_ first: WalletsState.Entry, _ second: WalletsState.Entry) -> Bool {
        switch self {
        case .name: ListComparison.precedes(first.name, second.name, by: <)
        case .address: ListComparison.precedes(first.address, second.address, by: <)
        }
    }
}

/// The keys of `dex network list`.
package enum NetworkSort: String, ListSort {
    case name
    /// By the chain's id.
    case chain

    package func precedes(_ first: Network, _ second: Network) -> Bool {
        switch self {
        case .name: first.name < second.name
        case .chain: first.chainID < second.chainID
        }
    }
}

/// The keys of `dex address list`.
package enum AddressSort: String, ListSort {
    case name
    case address
    /// By where the name comes from.
    case source

    package func precedes(
        _ first: KnownAddresses.Entry,
        _ second: KnownAddresses.Entry
    ) -> Bool {
        switch self {
        case .name: first.name < second.name
        case .address: first.address < second.address
        case .source: first.source.rawValue < second.source.rawValue
        }
    }
}

/// The keys of `dex alias list`.
package enum AliasSort: String, ListSort {
    case name
    case command

    package typealias Row = (name: String, command: String)

    package func precedes(_ first: Row, _ second: Row) -> Bool {
        switch self {
        case .name: first.name < second.name
        case .command: first.command < second.command
        }
    }
}
