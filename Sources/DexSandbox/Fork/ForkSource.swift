import EVM
import Ethereum

/// What makes a chain a fork of a live one.
package struct Fork: Sendable {
    package let point: ForkPoint
    /// nil goes on with what was fetched before.
    package let upstream: ForkUpstream?
    /// Of the fork: another one than the live chain's, unless signatures may be valid there.
    package let chainID: UInt64

    package init(point: ForkPoint, upstream: ForkUpstream?, chainID: UInt64) {
        (self.point, self.upstream, self.chainID) = (point, upstream, chainID)
    }

    /// What the chain takes of a genesis.
    var genesis: Genesis {
        var genesis = Genesis(
            chainID: chainID,
            timestamp: point.block.timestamp,
            coinbase: point.block.coinbase ?? .zero,
            exchange: .zero,
            transferProxy: .zero,
            feeToken: .zero
        )
        genesis.revision = point.revision
        return genesis
    }

    /// A hash by which a stored fork is recognised.
    var digest: Bytes32 { Keccak256.hash(point.encoded + UInt256(chainID).bigEndianBytes) }
}

/// What a fork knows of its live chain, inside the chain's actor.
final class ForkSource {
    /// The most accounts and words that are kept: some 200 MB.
    static let maximumValues = 1_000_000
    /// The most bytes of code that are kept.
    static let maximumCode = 128 << 20
    /// The most gas of a block: some seconds of a run.
    static let maximumGas: UInt64 = 1 << 30
    /// The most round trips for one answer.
    static let maximumTrips = 64

    let point: ForkPoint
    /// At the fork's block.
    let state = FetchedState(producer: nil)
    private let upstream: ForkUpstream?
    /// Why the node is not asked any more.
    private var end: ForkError?
    /// Batches that the node was asked since the start.
    private(set) var trips: UInt64 = 0

    /// What was told of the chain's past.
    let past: PastAnswers

    init(_ fork: Fork, past: PastAnswers) {
        (point, upstream, self.past) = (fork.point, fork.upstream, past)
    }

    /// A value at the fork's block; zero, and noted, while a run guesses what was not fetched.
    func value(_ key: StorageKey) -> UInt256 {
        if case .word(let place) = key.slot {
            guard case .known(let word) = state.word(place, of: key.address) else { return .zero }
            return word
        }
        guard case .known(let record?) = state.account(key.address) else { return .zero }
        return switch key.slot {
        case .nonce: UInt256(record.nonce)
        case .ether: record.balance.rawValue
        case .code:
            record.codeHash == StateAccount.emptyCodeHash ? .zero : UInt256(record.codeHash)
        case .word: .zero
        }
    }

    func code(_ hash: Bytes32) -> [UInt8]? {
        if case .known(let code) = state.code(hash) { code } else { nil }
    }

    /// The keys that are not known yet, and the words behind them: what a structure or an array has
    /// there is likely to be read next, and a round trip is slow.
    ///
    /// - Parameter hints: further keys that may be read.
    func wanted(_ keys: Set<StateKey>, _ hints: Set<StateKey>) -> Set<StateKey> {
        var found = Set(keys.prefix(StateReads.maximum))
        for hint in hints where found.count < StateReads.maximum && !isKnown(hint) {
            found.insert(hint)
        }
        for case .word(let place, let address) in found {
            // A variable's place is small, that of a mapping's value a hash.
            let count: UInt64 = place < Self.smallPlace ? 16 : 3
            for step in 1...count where found.count < StateReads.maximum {
                let (next, overflow) = place.addingReportingOverflow(UInt256(step))
                let key = StateKey.word(next, of: address)
                if !overflow, !isKnown(key) { found.insert(key) }
            }
        }
        return found
    }

    private func isKnown(_ key: StateKey) -> Bool {
        switch key {
        case .account(let address):
            if case .known = state.account(address) { true } else { false }
        case .word(let place, let address):
            if case .known = state.word(place, of: address) { true } else { false }
        case .blockHash(let number): state.hashes[number] != nil
        case .code: true
        }
    }

    /// Above the observations of a Uniswap v3 pool, a fixed array of 65,535 words.
    private static let smallPlace: UInt256 = 1 << 17

    /// The live chain's node.
    ///
    /// - Parameter missing: why there is nothing without a node.
    /// - Throws: `ForkError`, also where the node was found to be of no use before.
    private func node(else missing: () -> ForkError) throws(ForkError) -> ForkUpstream {
        if let end { throw end }
        guard let upstream else { throw missing() }
        return upstream
    }

    /// Where the chain's past is asked for.
    ///
    /// - Parameter what: what is asked for.
    /// - Throws: `ForkError`.
    func pastNode(_ what: String) throws(ForkError) -> ForkUpstream {
        try node { .offlinePast(what, point: point) }
    }

    /// Where values are asked for.
    ///
    /// - Throws: `ForkError`.
    func source(of keys: Set<StateKey>) throws(ForkError) -> ForkUpstream {
        let upstream = try node {
            .offline(keys.map(\.words).min() ?? "a value", point: point)
        }
        guard state.size.values + keys.count <= Self.maximumValues,
            state.size.code <= Self.maximumCode
        else { throw .full }
        trips += 1
        return upstream
    }

    /// Takes what the node answered.
    ///
    /// - Returns: it as it is kept.
    func take(
        _ answer: ForkUpstream.Answer,
        for keys: Set<StateKey>
    ) throws(ForkError) -> FetchedValues {
        try answer.put(into: state)
        var values = FetchedValues()
        for key in keys {
            switch key {
            case .account(let address):
                values.add(address, self)
            case .word(let place, let address):
                let key = StorageKey(address, .word(place))
                values.slots[key] = value(key)
            case .blockHash(let number):
                if let hash = state.hashes[number] { values.hashes[number] = hash }
            case .code: break
            }
        }
        return values
    }

    /// The chain is not the one of which it was forked any more.
    func stop(_ error: ForkError) {
        if case .reorganized = error { end = error }
    }

    /// Takes what was fetched before.
    func restore(_ values: FetchedValues, codes: [Bytes32: [UInt8]]) {
        var addresses: Set<Address> = []
        for (key, value) in values.slots {
            if case .word(let place) = key.slot {
                state.set(value, at: place, of: key.address)
            } else {
                addresses.insert(key.address)
            }
        }
        for address in addresses {
            func field(_ slot: Slot) -> UInt256 { values.slots[StorageKey(address, slot)] ?? .zero }
            state.set(
                address,
                nonce: field(.nonce).w0,
                balance: Wei(field(.ether)),
                code: codes[field(.code).word] ?? []
            )
        }
        for (number, hash) in values.hashes { state.set(hash, of: number) }
    }
}

/// Values of a live chain, as the store has them.
struct FetchedValues {
    /// Of an account its three fields; also those that are zero.
    var slots: [StorageKey: UInt256] = [:]
    var codes: [Bytes32: [UInt8]] = [:]
    /// Of blocks, by number.
    var hashes: [UInt64: BlockHash] = [:]

    fileprivate mutating func add(_ address: Address, _ source: ForkSource) {
        for slot in [Slot.nonce, .ether, .code] {
            let key = StorageKey(address, slot)
            slots[key] = source.value(key)
        }
        let hash = source.value(StorageKey(address, .code))
        if hash != .zero, let code = source.code(hash.word) { codes[hash.word] = code }
    }
}

extension StateKey {
    /// What it is, for a sentence.
    var words: String {
        switch self {
        case .account(let address): "the account \(address.checksummed)"
        case .code(let hash): "the code \(hash.hex)"
        case .word(let place, let address): "the word \(place.word.hex) of \(address.checksummed)"
        case .blockHash(let number): "the hash of block \(number)"
        }
    }
}
