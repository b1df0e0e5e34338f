import DexSigning
import EVM
import Ethereum
import ZeroEx

/// One run of a transaction on a state, and what it changes for its account.
struct SimulationRun {
    let session: Session
    let transaction: SimulatedTransaction
    var state: FetchedState
    /// The block that the transaction would be in.
    let block: BlockContext
    /// The block on whose state it runs.
    let base: UInt64
    /// Tokens whose balances are compared whatever the events say.
    let watched: Set<Address>
    /// Every contract with a changed word is asked for the account's balance, also one whose answer
    /// needs more of the state.
    let asksAll: Bool

    enum Result {
        case ran(SimulatedChanges)
        /// What the state lacks.
        case needs(Set<StateKey>)
        /// Why it says nothing, as a clause.
        case notRun(String)
    }

    private var account: Address { transaction.account }
    private var revision: Revision {
        .of(chain: session.network.chainID, time: block.timestamp)
    }

    func result() -> Result {
        guard !block.hasOtherMachine else {
            return .notRun("the chain's contracts are no EVM code")
        }
        let block = block.knowing(state)
        let before = execution()
        let after = execution()
        do throws(Execution.Gap) {
            guard case .known(let record) = state.account(account) else {
                return .needs([.account(account)])
            }
            let outcome = try after.run(transaction.message(nonce: record?.nonce ?? 0), in: block)
            var comparison = StateComparison(
                before: before,
                after: after,
                block: block,
                account: account
            )
            let changes = changes(outcome, &comparison)
            return comparison.missing.isEmpty ? .ran(changes) : .needs(comparison.missing)
        } catch {
            return result(of: error)
        }
    }

    /// All that a run needs, as far as a run with zeros for what is not known shows it.
    func guessedNeeds() -> Set<StateKey> {
        state.guessing { _ = result() }
    }

    private func execution() -> Execution {
        Execution(state, revision, recoverer: session.recoverer)
    }

    // MARK: Gaps

    private func result(of gap: Execution.Gap) -> Result {
        switch gap {
        case .needs(let keys): .needs(keys)
        case .precompile(let address):
            .notRun("it calls \(address.checksummed), which the chain has built in and dex has not")
        case .foreignCode(let address):
            .notRun("\(address.checksummed) runs code that is none of the EVM")
        case .otherNumber:
            .notRun("it reads the block's number, which on this chain is Ethereum's")
        case .revision: .notRun("the chain's rules are newer than those that dex knows")
        case .refused(let refusal): .notRun(words(refusal))
        }
    }

    private func words(_ refusal: MessageRefusal) -> String {
        switch refusal {
        case .funds(let ether):
            "the account has \(session.network.coin.amount(ether)), which the gas alone may cost"
        case .gasTooLow(let minimum): "its gas limit is below \(minimum)"
        case .gasTooHigh(let maximum): "its gas limit is above \(maximum)"
        case .contract: "the account is a contract"
        default: "no block takes it as it is"
        }
    }

    // MARK: Changes

    private func changes(
        _ outcome: Execution.Outcome,
        _ comparison: inout StateComparison
    ) -> SimulatedChanges {
        let logs = outcome.logs.map {
            Log(address: $0.address, topics: $0.topics, data: $0.data)
        }
        let claims = ChangeClaims(logs, about: account)
        let written = written(outcome)
        let failure: String? =
            switch outcome.ending {
            case .succeeded: nil
            case .reverted:
                RevertReason.words(
                    of: .reverted(data: outcome.output, message: "execution reverted"),
                    by: session.exchangeProtocol
                )
            case .failed: "it runs out of gas or meets an invalid instruction"
            }
        return SimulatedChanges(
            block: base,
            failure: failure,
            gasUsed: outcome.gasUsed,
            coin: coin(outcome, &comparison),
            tokens: tokens(claims, written, logs, &comparison),
            allowances: allowances(claims, written, &comparison),
            operators: operators(claims, &comparison) + approved(claims, &comparison),
            items: items(claims, &comparison),
            isCut: claims.isCut,
            created: created(outcome, comparison),
            owners: owners(written, &comparison),
            changesCode: comparison.codeHash(of: account).map { $0.before != $0.after } ?? false,
            reads: Self.values(outcome.reads)
        )
    }

    /// The contracts with a changed word.
    private func written(_ outcome: Execution.Outcome) -> Set<Address> {
        Set(
            outcome.changed.compactMap { key in
                if case .word(_, let address) = key { address } else { nil }
            }
        )
    }

    private func coin(
        _ outcome: Execution.Outcome,
        _ comparison: inout StateComparison
    ) -> SimulatedChanges.Change {
        guard let ether = comparison.ether(of: account) else {
            return .init(before: .zero, after: .zero)
        }
        let gas = transaction.price(over: block.baseFee).multiplied(by: UInt256(outcome.gasUsed))
        return .init(
            before: ether.before,
            after: ether.after.addingSaturating(gas?.rawValue ?? .max)
        )
    }

    private func tokens(
        _ claims: ChangeClaims,
        _ written: Set<Address>,
        _ logs: [Log],
        _ comparison: inout StateComparison
    ) -> [SimulatedChanges.TokenChange] {
        var changes: [SimulatedChanges.TokenChange] = []
        let named = watched.union(claims.tokens)
        for token in named.union(written).sorted() {
            let call = ERC20.balanceOf(account)
            guard
                let balance = comparison.word(
                    token,
                    call,
                    isNeeded: asksAll || named.contains(token)
                )
            else { continue }
            let logged = logged(by: token, in: logs)
            let change = SimulatedChanges.TokenChange(
                token: session.tokens.token(at: token),
                balance: balance,
                logged: logged
            )
            guard !balance.isNone || change.isMislogged else { continue }
            changes.append(change)
        }
        return changes
    }

    /// What the events of a token say; nil without one about the account.
    private func logged(by token: Address, in logs: [Log]) -> SimulatedChanges.Logged? {
        let moved = SwapMovement.net(logs, of: account, wrapped: session.network.weth)[token]
        return moved.map { .init(came: $0.came, went: $0.went) }
    }

    private func allowances(
        _ claims: ChangeClaims,
        _ written: Set<Address>,
        _ comparison: inout StateComparison
    ) -> [SimulatedChanges.AllowanceChange] {
        var keys = claims.allowances
        // A token may allow without an event: whom the call names.
        for token in written {
            for spender in transaction.spenders {
                keys.insert(TokenSpender(token: token, spender: spender))
            }
        }
        var changes: [SimulatedChanges.AllowanceChange] = []
        for key in keys {
            let call = ERC20.allowance(owner: account, spender: key.spender)
            let isNeeded = claims.allowances.contains(key)
            guard let amount = comparison.word(key.token, call, isNeeded: isNeeded), !amount.isNone
            else {
                continue
            }
            changes.append(change(of: key, amount, isInPermit2: false))
        }
        for pair in claims.permit2 {
            let request = Permit2Allowance.request(pair, of: account)
            guard let bytes = comparison.bytes(request.to, request.data, isNeeded: true),
                let before = bytes.before.flatMap(Permit2Allowance.init),
                let now = bytes.after.flatMap(Permit2Allowance.init)
            else { continue }
            let amount = SimulatedChanges.Change(before: before.amount, after: now.amount)
            guard !amount.isNone else { continue }
            changes.append(change(of: pair, amount, isInPermit2: true))
        }
        return changes.sorted {
            ($0.token.address, $0.spender) < ($1.token.address, $1.spender)
        }
    }

    private func change(
        of pair: TokenSpender,
        _ amount: SimulatedChanges.Change,
        isInPermit2: Bool
    ) -> SimulatedChanges.AllowanceChange {
        SimulatedChanges.AllowanceChange(
            token: session.tokens.token(at: pair.token),
            spender: pair.spender,
            amount: amount,
            isInPermit2: isInPermit2
        )
    }

    private func operators(
        _ claims: ChangeClaims,
        _ comparison: inout StateComparison
    ) -> [SimulatedChanges.OperatorChange] {
        claims.operators.compactMap { key in
            let call = ERC20.call(
                "isApprovedForAll(address,address)",
                account.word,
                key.operator.word
            )
            guard let allowed = comparison.word(key.collection, call, isNeeded: true),
                !allowed.isNone
            else { return nil }
            return .init(
                collection: key.collection,
                operator: key.operator,
                isAllowed: allowed.after != .zero
            )
        }
        .sorted { ($0.collection, $0.operator) < ($1.collection, $1.operator) }
    }

    /// Who may move one item: the collection's word, before and after.
    private func approved(
        _ claims: ChangeClaims,
        _ comparison: inout StateComparison
    ) -> [SimulatedChanges.OperatorChange] {
        claims.approvals.sorted { ($0.collection, $0.id) < ($1.collection, $1.id) }
            .flatMap { key -> [SimulatedChanges.OperatorChange] in
                let call = ERC20.call("getApproved(uint256)", key.id.word)
                guard let word = comparison.word(key.collection, call, isNeeded: true),
                    !word.isNone
                else { return [] }
                func change(_ who: UInt256, _ isAllowed: Bool) -> SimulatedChanges.OperatorChange {
                    .init(
                        collection: key.collection,
                        operator: Address(truncating: who.word),
                        isAllowed: isAllowed,
                        item: key.id
                    )
                }
                return (word.before == .zero ? [] : [change(word.before, false)])
                    + (word.after == .zero ? [] : [change(word.after, true)])
            }
    }

    private func items(
        _ claims: ChangeClaims,
        _ comparison: inout StateComparison
    ) -> [SimulatedChanges.ItemChange] {
        claims.items.compactMap { key in
            let call =
                key.isShared
                ? ERC20.call("balanceOf(address,uint256)", account.word, key.id.word)
                : ERC20.call("ownerOf(uint256)", key.id.word)
            // An item that is made or destroyed has no owner on one side.
            guard let words = comparison.words(key.collection, call, isNeeded: true) else {
                return nil
            }
            let own = UInt256(account.word)
            let had = key.isShared ? words.before ?? .zero : words.before == own ? 1 : .zero
            let has = key.isShared ? words.after ?? .zero : words.after == own ? 1 : .zero
            guard had != has else { return nil }
            return .init(collection: key.collection, id: key.id, leaves: has < had)
        }
        .sorted { ($0.collection, $0.id) < ($1.collection, $1.id) }
    }

    private func created(_ outcome: Execution.Outcome, _ comparison: StateComparison) -> [Address] {
        outcome.changed.compactMap { key in
            guard case .account(let address) = key, address != account,
                let code = comparison.codeHash(of: address), code.before != code.after,
                code.after != StateAccount.emptyCodeHash
            else { return nil }
            return address
        }
        .sorted()
    }

    private func owners(
        _ written: Set<Address>,
        _ comparison: inout StateComparison
    ) -> [SimulatedChanges.OwnerChange] {
        written.sorted().compactMap { contract in
            let call = ERC20.call("owner()")
            guard let owner = comparison.word(contract, call, isNeeded: false),
                owner.before == UInt256(account.word), !owner.isNone
            else { return nil }
            return .init(contract: contract, owner: Address(truncating: owner.after.word))
        }
    }

    private static func values(_ reads: ContextReads) -> [SimulatedChanges.ReadValue] {
        SimulatedChanges.ReadValue.allCases.filter { reads.contains($0.bit) }
    }
}

extension SimulatedChanges.ReadValue {
    fileprivate var bit: ContextReads {
        switch self {
        case .timestamp: .timestamp
        case .number: .number
        case .coinbase: .coinbase
        case .random: .random
        case .blockHash: .blockHash
        case .baseFee: .baseFee
        case .gasPrice: .gasPrice
        case .origin: .origin
        case .gasLimit: .gasLimit
        }
    }
}
