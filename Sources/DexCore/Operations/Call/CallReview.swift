package import Ethereum

/// What is shown of a call before it is signed: its effects, and what the account has at stake.
package struct CallReview: Hashable, Sendable {
    /// The coin that its calls send along.
    package let coin: CoinSymbol
    package let effects: CallEffects
    /// The tokens of the effects.
    package let tokens: [Address: Token]
    /// What stands behind a call that is not read; nil for one that is.
    package let stakes: CallStakes?
    package let warnings: [String]
    /// It cannot be decided by its data what it does: a `y` is not enough.
    package let isBlind: Bool

    /// All bytes of the data are shown.
    package var showsData: Bool { effects.needsData || isBlind }
}

/// Makes a `CallReview`.
struct CallReviewer {
    let session: Session
    let account: Address
    let known: KnownAddresses

    /// Reads what is needed to judge a call: the tokens of its effects with the account's balances,
    /// and of a call that is not read what the account has at stake.
    ///
    /// - Parameter isForeign: another program made the data.
    /// - Throws: `DexError`: the node's failure.
    func review(
        _ call: ContractCall,
        _ effects: CallEffects,
        isForeign: Bool
    ) async throws(DexError) -> CallReview {
        let names = ContractNames(network: session.network, tokens: session.tokens, known: known)
        let (tokens, balances) = try await tokens(of: effects)
        // Any contract may have a function of this name: of a token it is what it says.
        let isStrange = call.token == nil && !names.isBundled(call.address)
        var stakes: CallStakes?
        if effects.isUnread || isForeign && isStrange {
            stakes = try await CallStakesReader(session: session, account: account)
                .read(call.data, to: call.address)
        }
        let called = stakes?.called
        let mayMove =
            called.map { !$0.allowances.isEmpty || !$0.permit2.isEmpty || $0.isUnreadable }
            ?? false
        let warnings = CallWarnings(
            account: account,
            effects: effects,
            tokens: tokens,
            balances: balances,
            stakes: stakes,
            known: known,
            names: names
        )
        return CallReview(
            coin: session.network.coin,
            effects: effects,
            tokens: tokens,
            stakes: stakes,
            warnings: warnings.all,
            isBlind: effects.isUnread || isForeign && isStrange && mayMove
        )
    }

    /// The tokens that a call moves or allows, with the account's balances; nil if unreadable.
    private func tokens(
        of effects: CallEffects
    ) async throws(DexError) -> ([Address: Token], [Address: UInt256?]) {
        let shared = effects.list.filter(\.isShared)
        let named = Set(shared.compactMap(\.token)).sorted()
        guard !named.isEmpty else { return ([:], [:]) }
        let tokens = try await TokenResolver(session: session).checkedTokens(at: named).tokens
        var batch = ReadBatch()
        let slots = named.map { token in
            batch.add(.call(CallRequest(to: token, data: ERC20.balanceOf(account)), .latest))
        }
        let answers = try await batch.send(to: session.chain)
        var balances: [Address: UInt256?] = [:]
        for (token, slot) in zip(named, slots) {
            // nil: shown as a balance that could not be read
            let bytes = try? answers[slot].get()
            balances.updateValue(bytes.flatMap(TokenAnswers.word), forKey: token)
        }
        return (tokens, balances)
    }
}

extension CallEffect {
    /// It is about an amount of a token.
    fileprivate var isShared: Bool {
        switch action {
        case .move, .allow, .raise, .lower, .lend: token != nil
        default: false
        }
    }
}
