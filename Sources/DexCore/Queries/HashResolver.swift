package import DexStore
package import Ethereum
package import ZeroEx

/// Finds the whole hash of what a user names by its start or by a row of a list.
///
/// What the journal has comes first, so that no relay can make an own hash ambiguous or put another
/// order in its place. Only then is the relay asked.
package struct HashResolver: Sendable {
    private let session: Session
    private let journal: Journal?
    private let list: @Sendable () throws(DexError) -> ShownList

    /// - Parameter list: reads the list shown last in the user's terminal.
    package init(
        session: Session,
        journal: Journal?,
        list: @escaping @Sendable () throws(DexError) -> ShownList
    ) {
        self.session = session
        self.journal = journal
        self.list = list
    }

    /// An order of the journal, else one of the relay.
    ///
    /// - Throws: `DexError`, exit 2: `ambiguous-hash`, `unknown-order`, `no-list`,
    ///   `no-such-row`; or that of the relay.
    package func order(_ reference: HashReference) async throws(DexError) -> OrderHash {
        switch reference {
        case .whole(let word): return OrderHash(word)
        case .row(let number): return OrderHash(try row(number, of: .orders))
        case .start(let start):
            var found = try ownOrders(start)
            if found.isEmpty { found = try await served(start, maker: nil) }
            return OrderHash(try one(start, of: found, else: HashError.unknownOrder(start)))
        }
    }

    /// An order that the user made: one of the journal, else one of an account on the relay.
    ///
    /// - Parameter maker: the account; it is asked for only if the journal has no such order.
    /// - Throws: as `order`, and the error of `maker`.
    package func ownOrder(
        _ reference: HashReference,
        of maker: () async throws -> Address
    ) async throws -> OrderHash {
        switch reference {
        case .whole(let word): return OrderHash(word)
        case .row(let number): return OrderHash(try row(number, of: .orders))
        case .start(let start):
            var found = try ownOrders(start)
            if found.isEmpty { found = try await served(start, maker: maker()) }
            return OrderHash(try one(start, of: found, else: HashError.noOwnOrder(start)))
        }
    }

    /// A transaction of the journal that an account of the user sent.
    ///
    /// - Throws: `DexError`, exit 2: `ambiguous-hash`, `unknown-transaction`, `no-list`,
    ///   `no-such-row`.
    package func ownTransaction(
        _ reference: HashReference
    ) throws(DexError) -> TransactionHash {
        switch reference {
        case .whole(let word): return TransactionHash(word)
        case .row(let number): return TransactionHash(try row(number, of: .transactions))
        case .start(let start):
            let found = try transactions(start, onlyOwn: true)
            return TransactionHash(
                try one(start, of: found, else: HashError.noOwnTransaction(start))
            )
        }
    }

    /// A transaction or an order of the journal, else an order of the relay.
    ///
    /// - Throws: `DexError`, exit 2: `ambiguous-hash`, `unknown-hash`, `no-list`,
    ///   `no-such-row`; or that of the relay.
    package func any(_ reference: HashReference) async throws(DexError) -> Bytes32 {
        switch reference {
        case .whole(let word): return word
        case .row(let number): return try row(number, of: nil)
        case .start(let start):
            var found = try transactions(start, onlyOwn: false) + ownOrders(start)
            if found.isEmpty { found = try await served(start, maker: nil) }
            return try one(start, of: found, else: HashError.unknown(start))
        }
    }

    // MARK: Lists

    private func row(
        _ number: Int,
        of kind: ShownList.Kind?
    ) throws(DexError) -> Bytes32 {
        let list = try list()
        guard list.network == session.network.name else {
            throw HashError.listOfOtherNetwork(list.network, current: session.network.name)
        }
        guard list.hashes.indices.contains(number - 1) else {
            throw HashError.noSuchRow(number, count: list.hashes.count)
        }
        if let kind, kind != list.kind {
            throw HashError.rowOfOtherKind(number, list.kind)
        }
        return list.hashes[number - 1]
    }

    // MARK: Starts

    /// A hash with these digits, and what it is of.
    private struct Candidate: Hashable {
        let kind: ShownList.Kind
        let word: Bytes32
    }

    /// More candidates are not named.
    private static let maximum = HashError.maximumNamed + 1

    private func one(
        _ start: HashStart,
        of found: [Candidate],
        else missing: DexError
    ) throws(DexError) -> Bytes32 {
        guard let first = found.first else { throw missing }
        guard found.count == 1 else {
            throw HashError.ambiguous(
                start,
                found.map { $0.kind == .orders ? "order \($0.word)" : "transaction \($0.word)" }
            )
        }
        return first.word
    }

    private func ownOrders(_ start: HashStart) throws(DexError) -> [Candidate] {
        guard let journal else { return [] }
        return try journaled(
            try journal.orderHashes(
                startingWith: start.description,
                chainID: session.network.chainID,
                exchange: session.network.exchange,
                limit: Self.maximum
            )
        ).map { Candidate(kind: .orders, word: $0.word) }
    }

    private func transactions(
        _ start: HashStart,
        onlyOwn: Bool
    ) throws(DexError) -> [Candidate] {
        guard let journal else { return [] }
        return try journaled(
            try journal.transactionHashes(
                startingWith: start.description,
                chainID: session.network.chainID,
                onlyOwn: onlyOwn,
                limit: Self.maximum
            )
        ).map { Candidate(kind: .transactions, word: $0.word) }
    }

    /// The relay's orders with these digits; forged ones only if there is no genuine one.
    private func served(
        _ start: HashStart,
        maker: Address?
    ) async throws(DexError) -> [Candidate] {
        guard let relay = session.relay else { return [] }
        session.environment.progress("looking for \(start) on the relay")
        var query = OrderQuery()
        query.exchange = session.network.exchange
        query.maker = maker
        let answer = try await relayed(try await relay.orders(query))
        let matching = answer.orders.filter { order in
            start.begins(order.hash.word) && (maker == nil || order.maker == maker)
        }
        let genuine = matching.filter { session.rejection(of: $0) == nil }
        var seen: Set<OrderHash> = []
        return (genuine.isEmpty ? matching : genuine).map(\.hash)
            .filter { seen.insert($0).inserted }
            .map { Candidate(kind: .orders, word: $0.word) }
    }
}
