import DexSigning
import Ethereum
import ZeroEx

/// The most that a transaction may change for its account: what its plan says.
struct ChangeBounds: Sendable {
    /// The most that leaves, in base units, without gas.
    var leaves: [Asset: UInt256] = [:]
    /// The least that arrives, in base units.
    var arrives: [Asset: UInt256] = [:]
    /// The most that each spender may move afterwards.
    var allowances: [TokenSpender: UInt256] = [:]
    /// The most that each spender may move more than before.
    var raises: [TokenSpender: UInt256] = [:]
    /// The most that each spender may move through Permit2 afterwards.
    var permit2: [TokenSpender: UInt256] = [:]
    /// Those that may move all items of a collection afterwards.
    var operators: Set<SimulatedChanges.OperatorChange> = []
    /// The collections of which items may leave.
    var collections: Set<Address> = []
    /// Items that arrive, at least, by collection.
    var items: [Address: Int] = [:]
    /// It was shown that not all items are compared.
    var mayBeCut = false
    /// The contracts that may change hands.
    var contracts: Set<Address> = []
    var coin: CoinSymbol

    init(coin: CoinSymbol) { self.coin = coin }

    /// What the bytes of a transaction say that it does, and what its plan says that it brings.
    ///
    /// - Parameter shown: of a call of others, whose plan says nothing of that: its run.
    init(
        _ effects: SigningEffects,
        moves: PlannedMoves,
        shown: SimulatedChanges? = nil,
        coin: CoinSymbol
    ) {
        self.init(coin: coin)
        leaves = effects.paid.merging(moves.leaves) { max($0, $1) }
        arrives = moves.arrives
        for approval in effects.approvals {
            let key = TokenSpender(token: approval.token, spender: approval.spender)
            if effects.function?.hasPrefix("increaseAllowance") == true {
                raises[key] = approval.amount
            } else {
                allowances[key] = approval.amount
            }
        }
        if let shown { expect(shown) }
    }

    /// What was shown of a transaction, and confirmed: later it may do that, and nothing worse.
    init(shown changes: SimulatedChanges, coin: CoinSymbol) {
        self.init(coin: coin)
        if changes.coin.falls > .zero { leaves[.ether] = changes.coin.falls }
        for token in changes.tokens where token.balance.falls > .zero {
            leaves[.token(token.token.address)] = token.balance.falls
        }
        for allowance in changes.allowances {
            let key = TokenSpender(token: allowance.token.address, spender: allowance.spender)
            if allowance.isInPermit2 {
                permit2[key] = allowance.amount.after
            } else {
                allowances[key] = allowance.amount.after
            }
        }
        operators = Set(changes.operators)
        collections = Set(changes.items.lazy.filter(\.leaves).map(\.collection))
        contracts = Set(changes.owners.map(\.contract))
        mayBeCut = changes.isCut
        expect(changes)
    }

    /// What was shown to arrive has to arrive: at most a twentieth of it less, since prices move.
    mutating func expect(_ shown: SimulatedChanges) {
        func least(_ asset: Asset, _ change: SimulatedChanges.Change) {
            guard change.rises > .zero else { return }
            let least = change.rises - change.rises / 20
            arrives[asset] = max(arrives[asset] ?? .zero, least)
        }
        least(.ether, shown.coin)
        for token in shown.tokens { least(.token(token.token.address), token.balance) }
        for item in shown.items where !item.leaves { items[item.collection, default: 0] += 1 }
    }

    /// What the data of a call say that it does with an account.
    init(_ effects: [CallEffect], of account: Address, value: Wei, coin: CoinSymbol) {
        self.init(coin: coin)
        leaves[.ether] = value.rawValue
        for effect in effects { add(effect, account) }
    }

    private mutating func add(_ effect: CallEffect, _ account: Address) {
        func key(_ spender: Address) -> TokenSpender? {
            effect.token.map { TokenSpender(token: $0, spender: spender) }
        }
        switch effect.action {
        case .move(let amount, account, _), .lend(let amount, account, _):
            guard let token = effect.token else { return }
            leaves[.token(token), default: .zero] =
                (leaves[.token(token)] ?? .zero).addingSaturating(amount)
        case .moveItems(account, _):
            if let collection = effect.contract { collections.insert(collection) }
        case .allow(let amount, account, let spender, _):
            guard let key = key(spender) else { return }
            allowances[key] = amount
            permit2[key] = amount
            // The same call at a collection is about one item. Of item 0 it looks like taking back.
            if let token = effect.token, amount != .zero {
                operators.insert(
                    .init(collection: token, operator: spender, isAllowed: true, item: amount)
                )
            }
        case .raise(let amount, account, let spender):
            if let key = key(spender) { raises[key] = amount }
        case .operate(account, let spender, true):
            guard let collection = effect.contract else { return }
            operators.insert(
                .init(collection: collection, operator: spender, isAllowed: true)
            )
        case .control:
            if let contract = effect.contract { contracts.insert(contract) }
        default: break
        }
    }

    /// The tokens whose balances are compared.
    var tokens: Set<Address> {
        Set(
            (Array(leaves.keys) + Array(arrives.keys)).compactMap { asset in
                if case .token(let address) = asset { address } else { nil }
            }
        )
    }

    // MARK: Comparison

    /// What a transaction does beyond the bounds, each as a sentence; empty if it keeps them.
    func differences(_ changes: SimulatedChanges) -> [String] {
        if let failure = changes.failure { return ["It would fail: \(failure)."] }
        var found: [String] = []
        compare(.ether, changes.coin, Currency.coin(coin), &found)
        let listed = Set(changes.tokens.map(\.token.address))
        for token in changes.tokens {
            let asset = Asset.token(token.token.address)
            compare(asset, token.balance, .token(token.token), &found)
        }
        for case .token(let address) in arrives.keys where !listed.contains(address) {
            found.append("Nothing of the token \(address.checksummed) arrives.")
        }
        found += changes.allowances.compactMap(difference)
        for change in changes.operators where change.isAllowed && !operators.contains(change) {
            found.append(
                "\(change.operator.checksummed) may move \(change.what) of "
                    + "\(change.collection.checksummed) afterwards."
            )
        }
        for item in changes.items where item.leaves && !collections.contains(item.collection) {
            found.append("The item \(item.id) of \(item.collection.checksummed) leaves.")
        }
        if changes.isCut, !mayBeCut {
            found.append(
                "It names more than \(ChangeClaims.maximumItems) items of collections, and what "
                    + "becomes of the others is not known."
            )
        }
        for (collection, count) in items.sorted(by: { $0.key < $1.key }) {
            let came = changes.items.count { !$0.leaves && $0.collection == collection }
            guard came < count else { continue }
            found.append(
                "\(came) of \(count) items of \(collection.checksummed) arrive."
            )
        }
        for change in changes.owners where !contracts.contains(change.contract) {
            found.append(
                "The contract \(change.contract.checksummed) goes to "
                    + "\(change.owner.checksummed)."
            )
        }
        if changes.changesCode { found.append("The account gets code of a contract.") }
        return found
    }

    private func compare(
        _ asset: Asset,
        _ change: SimulatedChanges.Change,
        _ currency: Currency,
        _ found: inout [String]
    ) {
        let maximum = leaves[asset] ?? .zero
        if change.falls > maximum, change.falls - maximum > Self.rounding(change.falls) {
            found.append(
                maximum == .zero
                    ? "\(currency.text(change.falls)) leaves the account."
                    : "\(currency.text(change.falls)) leaves the account, and at most "
                        + "\(currency.text(maximum)) is planned."
            )
        }
        guard let minimum = arrives[asset], change.rises < minimum,
            minimum - change.rises > Self.rounding(minimum)
        else { return }
        found.append(
            "\(currency.text(change.rises)) arrives, and at least \(currency.text(minimum)) is "
                + "planned."
        )
    }

    /// Tokens that keep shares round by a base unit or two.
    private static func rounding(_ amount: UInt256) -> UInt256 {
        amount >= 1_000_000_000 ? 2 : .zero
    }

    private func difference(_ change: SimulatedChanges.AllowanceChange) -> String? {
        let key = TokenSpender(token: change.token.address, spender: change.spender)
        guard change.amount.rises > .zero else { return nil }
        let maximum = change.isInPermit2 ? permit2[key] : allowances[key]
        if let maximum, change.amount.after <= maximum { return nil }
        if !change.isInPermit2, let more = raises[key], change.amount.rises <= more { return nil }
        let amount = TokenAmount(raw: change.amount.after, token: change.token)
        let place = change.isInPermit2 ? " through Permit2" : ""
        return "\(change.spender.checksummed) may move "
            + "\(change.amount.after == .max ? "any amount of" : amount.value) "
            + "\(PlainText.name(change.token.symbol))\(place) afterwards."
    }
}
