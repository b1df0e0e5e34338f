import DexSigning
package import Ethereum
import ZeroEx

/// What an account has at stake in a call that is not read: the addresses in its data that are
/// tokens of the account, may move tokens of it, or are the account itself.
package struct CallStakes: Hashable, Sendable {
    package struct Row: Hashable, Sendable {
        package let address: Address
        package let isCalled: Bool
        package let isAccount: Bool
        /// Its balance of the account, if it is a token; nil if it is none.
        package internal(set) var balance: TokenAmount?
        /// What it may move by allowances in tokens, and by allowances in Permit2.
        package internal(set) var allowances: [TokenAmount] = []
        package internal(set) var permit2: [TokenAmount] = []
        /// It is a known token, whatever its balance.
        package internal(set) var token: Token?
        /// Something of it could not be read.
        package internal(set) var isUnreadable = false

        /// It matters: it is shown.
        var isShown: Bool {
            isAccount || token != nil || balance != nil || !allowances.isEmpty || !permit2.isEmpty
                || isUnreadable
        }
    }

    /// The called contract first, then in the order of the data.
    package let rows: [Row]
    /// What Permit2 may move; read if Permit2 is called.
    package let permit2: [TokenAmount]

    package var called: Row? { rows.first { $0.isCalled } }
}

/// Reads `CallStakes` from the chain.
struct CallStakesReader {
    /// The most addresses that a call or a message may have: all of them are looked up.
    static let maximumAddresses = 1_024
    /// The most allowances that are asked for, of each token to each address.
    private static let maximumAllowances = 32_768

    let session: Session
    let account: Address

    /// - Throws: `DexError`, exit 4, if the node does not answer at all; exit 6, `too-long-to-show`,
    ///   if there are more addresses than are looked up: one of them may be what the call takes.
    func read(_ data: [UInt8], to contract: Address) async throws(DexError) -> CallStakes {
        try await read(addresses(in: data), to: contract)
    }

    /// The same for addresses that are known to be named, each once.
    func read(
        _ addresses: [Address],
        to contract: Address
    ) async throws(DexError) -> CallStakes {
        let found = addresses.filter { $0 != contract }
        guard found.count <= Self.maximumAddresses else {
            throw Self.tooMany(found.count)
        }
        let looked = [contract] + found
        let permit2 = ZeroExSwapContracts.permit2
        let listed = session.tokens.search(nil).map(\.address)
        let tokens = unique(listed + looked)

        var batch = ReadBatch()
        let balances = tokens.map { ask($0, ERC20.balanceOf(account), &batch) }
        let toPermit2 = tokens.map {
            ask($0, ERC20.allowance(owner: account, spender: permit2), &batch)
        }
        let toCalled = tokens.map {
            ask($0, ERC20.allowance(owner: account, spender: contract), &batch)
        }
        let answers = try await batch.send(to: session.chain)

        var held: [Address: UInt256] = [:]
        var inPermit2: [Address: UInt256] = [:]
        var called: [Address: UInt256] = [:]
        var failed: Set<Address> = []
        var unknownInPermit2: Set<Address> = []
        for (index, token) in tokens.enumerated() {
            switch word(balances[index], answers) {
            case .value(let amount): held[token] = amount
            case .failed: failed.insert(token)
            case .none: break
            }
            switch word(toPermit2[index], answers) {
            case .value(let amount) where amount > .zero: inPermit2[token] = amount
            case .failed: unknownInPermit2.insert(token)
            default: break
            }
            switch word(toCalled[index], answers) {
            case .value(let amount) where amount > .zero: called[token] = amount
            // What it may move is not known then.
            case .failed: failed.insert(contract)
            default: break
            }
        }
        // What could not be read may be held.
        let owned = tokens.filter { failed.contains($0) || held[$0] ?? .zero > .zero }
        let others = Array(looked.dropFirst())
        let given = try await allowances(of: owned, to: others)
        let lent = try await permit2Allowances(
            of: tokens.filter { inPermit2[$0] != nil || unknownInPermit2.contains($0) },
            to: looked
        )
        let named = try await TokenResolver(session: session).tokens(
            at: unique(owned + looked.filter { held[$0] != nil } + Array(called.keys).sorted())
        )
        func amount(_ token: Address, _ raw: UInt256) -> TokenAmount {
            TokenAmount(raw: raw, token: named[token] ?? session.tokens.token(at: token))
        }
        let rows = looked.map { address -> CallStakes.Row in
            var row = CallStakes.Row(
                address: address,
                isCalled: address == contract,
                isAccount: address == account
            )
            row.token = session.tokens.known(address)
            // Any contract may answer zero: only a listed token counts then.
            if let balance = held[address], balance > .zero || row.token != nil {
                row.balance = amount(address, balance)
            }
            row.allowances =
                address == contract
                ? called.sorted { $0.key < $1.key }.map { amount($0.key, $0.value) }
                : (given.amounts[address] ?? []).map { amount($0.token, $0.raw) }
            row.permit2 = (lent.amounts[address] ?? []).map { amount($0.token, $0.raw) }
            row.isUnreadable =
                failed.contains(address) || given.failed.contains(address)
                || lent.failed.contains(address)
            return row
        }
        return CallStakes(
            rows: rows.filter { $0.isShown || $0.isCalled },
            permit2: looked.contains(permit2)
                ? inPermit2.sorted { $0.key < $1.key }.map { amount($0.key, $0.value) } : []
        )
    }

    /// What more addresses than can be looked up are refused with.
    static func tooMany(_ count: Int) -> DexError {
        CallError.tooLongToShow(what: "addresses", count: count, maximum: maximumAddresses)
    }

    // MARK: Reads

    private typealias Slot = ReadSlot<[UInt8]>
    private typealias Found = (
        amounts: [Address: [(token: Address, raw: UInt256)]], failed: Set<Address>
    )

    private enum Answer {
        case value(UInt256)
        /// It has no such function.
        case none
        /// It could not be read.
        case failed
    }

    private func ask(_ contract: Address, _ data: [UInt8], _ batch: inout ReadBatch) -> Slot {
        batch.add(.call(CallRequest(to: contract, data: data), .latest))
    }

    private func word(
        _ slot: Slot,
        _ answers: ReadAnswers,
        ofPermit2: Bool = false
    ) -> Answer {
        switch answers[slot] {
        // Permit2 answers every such call; where there is none, nothing comes back.
        case .success(let bytes) where ofPermit2 && !bytes.isEmpty:
            Permit2Allowance(bytes).map { .value($0.amount) } ?? .failed
        case .failure where ofPermit2: .failed
        case .success(let bytes): TokenAnswers.word(bytes).map { .value($0) } ?? .none
        case .failure(let error): error.isExecutionFailure ? .none : .failed
        }
    }

    private func allowances(
        of tokens: [Address],
        to spenders: [Address]
    ) async throws(DexError) -> Found {
        try await pairs(tokens, spenders) { token, spender in
            (token, ERC20.allowance(owner: account, spender: spender))
        }
    }

    /// Permit2's own: amount, expiration and nonce, of which the first counts.
    private func permit2Allowances(
        of tokens: [Address],
        to spenders: [Address]
    ) async throws(DexError) -> Found {
        try await pairs(tokens, spenders, ofPermit2: true) { token, spender in
            let request = Permit2Allowance.request(
                TokenSpender(token: token, spender: spender),
                of: account
            )
            return (request.to, request.data)
        }
    }

    private func pairs(
        _ tokens: [Address],
        _ spenders: [Address],
        ofPermit2: Bool = false,
        _ call: (Address, Address) -> (Address, [UInt8])
    ) async throws(DexError) -> Found {
        var found: Found = ([:], [])
        guard !tokens.isEmpty, !spenders.isEmpty else { return found }
        guard tokens.count * spenders.count <= Self.maximumAllowances else {
            throw CallError.tooLongToShow(
                what: "allowances to look up",
                count: tokens.count * spenders.count,
                maximum: Self.maximumAllowances
            )
        }
        var batch = ReadBatch()
        var slots: [(token: Address, spender: Address, slot: Slot)] = []
        for spender in spenders {
            for token in tokens where token != spender {
                let (contract, data) = call(token, spender)
                slots.append((token, spender, ask(contract, data, &batch)))
            }
        }
        let answers = try await batch.send(to: session.chain)
        for (token, spender, slot) in slots {
            switch word(slot, answers, ofPermit2: ofPermit2) {
            case .value(let amount) where amount > .zero:
                found.amounts[spender, default: []].append((token, amount))
            case .failed: found.failed.insert(spender)
            default: break
            }
        }
        return found
    }

    // MARK: Addresses

    /// The addresses in call data: words that can be one, and known ones anywhere, also packed.
    private func addresses(in data: [UInt8]) -> [Address] {
        var found: [Address] = []
        var seen: Set<Address> = []
        func add(_ address: Address) {
            if seen.insert(address).inserted { found.append(address) }
        }
        var zeros = 0
        for index in data.indices where index + 20 <= data.count {
            // 12 zeros, then no zero; at the places of words also with more zeros.
            let isWord = index >= 16 && (index - 16) % 32 == 0 && zeros >= 12
            if (zeros >= 12 && data[index] != 0) || isWord,
                let address = Address(bytes: data[index..<index + 20]),
                UInt256(address.word) >> 72 != .zero
            {
                add(address)
            } else if let address = Address(bytes: data[index..<index + 20]), isKnown(address) {
                add(address)
            }
            zeros = data[index] == 0 ? zeros + 1 : 0
        }
        return found
    }

    private func isKnown(_ address: Address) -> Bool {
        address == account || address == ZeroExSwapContracts.permit2
            || address == session.network.exchange && session.network.hasExchange
            || session.network.swapContracts.contains(address)
            || session.tokens.known(address) != nil
    }

    private func unique(_ addresses: [Address]) -> [Address] {
        var seen: Set<Address> = []
        return addresses.filter { seen.insert($0).inserted }
    }
}
