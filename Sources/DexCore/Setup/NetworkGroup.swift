/// The networks of one kind, as `dex init` lists them.
package struct NetworkGroup: Hashable, Sendable {
    /// Who runs a network, and whether it is set up.
    package enum Kind: CaseIterable, Sendable {
        /// It has a node or a relay.
        case yours
        /// A chain of many, of which nothing is set yet.
        case live
        /// The sandbox, on this machine.
        case local
    }

    package let kind: Kind
    /// In the order in which they were given.
    package let networks: [Network]

    /// Networks by kind, without kinds that have none.
    package static func groups(_ networks: [Network]) -> [NetworkGroup] {
        let byKind = Dictionary(grouping: networks, by: \.kind)
        return Kind.allCases.compactMap { kind in
            byKind[kind].map { NetworkGroup(kind: kind, networks: $0) }
        }
    }
}

extension Network {
    fileprivate var kind: NetworkGroup.Kind {
        isSandbox ? .local : rpc.isEmpty && relays.isEmpty ? .live : .yours
    }
}
