package import DexSigning
package import DexStore
package import Ethereum
import Uniswap
import ZeroEx

/// `dex guard add`, `list` and `remove`.
package struct GuardsModel: Sendable {
    let session: Session
    let journal: Journal

    package init(session: Session, journal: Journal) {
        self.session = session
        self.journal = journal
    }

    // MARK: Adding

    /// The guard with the present price; nothing is written.
    ///
    /// It trades on the relay's book; without a relay at Uniswap's pools, where the network has them.
    ///
    /// - Throws: `DexError`: exit 2 for a wrong amount, price or slippage; exit 6,
    ///   `slippage-too-high`, `guard-immediate`, `guard-held`, `insufficient-balance`; as
    ///   `BookReader` and `PoolReading`.
    package func plan(
        _ request: GuardRequest,
        account: Address
    ) async throws(DexError) -> GuardPlan {
        if request.slippage > TradeSettings.maximumSlippage, !request.allowsHighSlippage {
            let slippage = DecimalText.format(UInt256(request.slippage), decimals: 2)
            throw TradeError.slippageTooHigh(slippage)
        }
        let resolved = try await TokenResolver(session: session).pair(request.pair)
        // Wrong numbers are reported before any request.
        if resolved.base.decimals != nil, resolved.quote.decimals != nil {
            if case .number(let number) = try AmountExpression(request.amount) {
                _ = try TokenAmount.positive(number, of: resolved.base)
            }
            _ = try Self.limit(request, resolved)
        }
        let market = try await TriggerMarket.read(
            resolved,
            account: account,
            atPools: session.isOfPools,
            session: session
        )
        let pair = market.pair
        let (limit, text) = try Self.limit(request, pair)
        let amount = try await amount(request, pair, limit: limit, account: account)
        guard let product = UInt256.mulDiv(amount, limit.quote, limit.base) else {
            throw GuardError.limitOutOfRange
        }
        // The contract at which it trades is a part of what the key signs.
        var contract = session.network.exchange
        var mean: PoolReading.Mean?
        if case .pools(let pools) = market, let deployment = session.network.pools {
            (contract, mean) = (deployment.router, pools.mean)
        }
        let isBuy = request.side == .buy
        let total =
            product.remainder == .zero || !isBuy
            ? product.quotient : product.quotient.addingSaturating(1)
        var guardOrder = JournalGuard(
            chainID: session.network.chainID,
            exchange: contract,
            account: account,
            side: isBuy ? .buy : .sell,
            pair: PairAddresses(pair),
            pairName: PlainText.clean(pair.name, limit: 44),
            amount: TokenAmount(raw: amount, token: pair.base).value,
            trigger: request.trigger,
            price: request.price,
            slippage: request.slippage,
            limit: text,
            created: session.environment.now(),
            terms: GuardTerms(
                baseDecimals: pair.base.decimals,
                quoteDecimals: pair.quote.decimals,
                amount: amount,
                price: try PriceBounds.price(request.price, pair: pair),
                limit: limit,
                nonce: session.environment.random()
            )
        )
        guardOrder.isAtPools = mean != nil
        let needed = isBuy ? total : amount
        var warnings = try warnings(guardOrder, request, market, needed: needed)
        switch market {
        case .book(let book):
            warnings += try await ownOrderWarnings(
                isBuy ? pair.quote : pair.base,
                needed,
                book,
                account
            )
        case .pools(let pools): warnings += Self.warnings(pools)
        }
        return GuardPlan(
            guardOrder: guardOrder,
            pair: pair,
            amount: amount,
            limit: limit,
            total: total,
            now: isBuy ? market.ask : market.bid,
            block: market.block.number,
            mean: mean,
            warnings: warnings
        )
    }

    /// What is missing where prices are those of pools.
    private static func warnings(_ pools: PoolReading) -> [String] {
        guard case .missing(let reason) = pools.mean else { return [] }
        return [
            "There is no mean price. \(reason) So the price has to be reached in every reading for "
                + "\(PoolReading.patience) s, not in two blocks alone."
        ]
    }

    /// What is to be said where its order leaves less than own open orders offer now.
    ///
    /// - Throws: `DexError`, exit 4; exit 3, if the journal cannot be read.
    private func ownOrderWarnings(
        _ paid: Token,
        _ needed: UInt256,
        _ book: BookSnapshot,
        _ account: Address
    ) async throws(DexError) -> [String] {
        var batch = ReadBatch()
        let asked = try OpenOrderReads.ask(
            drawingOn: [paid.address],
            of: account,
            in: book.block,
            contracts: book.contracts,
            session: session,
            journal: journal,
            batch: &batch
        )
        // Without open orders nothing is asked.
        let offered = try await batch.send(to: session.chain).value(asked)
        guard let allowance = book.account?.allowances[paid.address] else { return [] }
        // A missing approval is of exactly its amount.
        let warning = OpenOrderReads.warning(
            paid,
            paying: needed,
            of: book.account?.balances[paid.address],
            allowance: max(allowance, needed),
            offered: offered[paid.address] ?? .zero,
            tokens: session.tokens
        )
        return [warning].compactMap(\.self).map { "Once it fires: \($0)" }
    }

    /// Base units of BASE: a number, or a share of what the account can spend now, at the limit.
    private func amount(
        _ request: GuardRequest,
        _ pair: Pair,
        limit: Price,
        account: Address
    ) async throws(DexError) -> UInt256 {
        let expression = try AmountExpression(request.amount)
        let paid = request.side == .buy ? pair.quote : pair.base
        if case .number(let number) = expression {
            return try TokenAmount.positive(number, of: pair.base)
        }
        let funds = try await SpendableFunds(session: session, settings: TradeSettings())
            .raw(request.amount, of: paid, account: account)
        guard request.side == .buy else { return funds }
        guard let base = UInt256.mulDiv(funds, limit.base, limit.quote)?.quotient, base > .zero
        else { throw FundsError.nothingToSpend(paid) }
        return base
    }

    /// Signs a confirmed guard's terms and writes it into the journal; returns it with its number.
    ///
    /// The signature allows nothing on chain. It binds what fires later to what was confirmed.
    ///
    /// - Throws: `DexError`, exit 5 or 6, if the account's key does not sign.
    package func add(
        _ plan: GuardPlan,
        signer: AuthorizedSigner
    ) async throws(DexError) -> JournalGuard {
        var guardOrder = plan.guardOrder
        guard signer.address == guardOrder.account else {
            throw SendError.otherKey(plan: guardOrder.account, signer: signer.address)
        }
        guard let message = GuardMessage.bytes(guardOrder) else {
            throw GuardError.limitOutOfRange
        }
        do throws(SigningError) {
            guardOrder.signature = try await signer.sign(guardTerms: message)
        } catch {
            throw DexError(error)
        }
        guardOrder = try journaled(try journal.add(guardOrder))
        guardOrder.isConfirmed = true
        return guardOrder
    }

    /// The worst price: beyond the trigger's price by the slippage, as for a market order's quote.
    ///
    /// Rounded to eight significant digits, never to a worse price: up for a sale, down for a
    /// purchase. Example: a sale at 0.0007 with 1 % has the limit 0.00069306931.
    static func limit(
        _ request: GuardRequest,
        _ pair: Pair
    ) throws(DexError) -> (price: Price, text: String) {
        let price = try PriceBounds.price(request.price, pair: pair)
        let (quote, base) = (BigUInt(price.quote), BigUInt(price.base))
        let more = BigUInt(PriceBounds.whole + UInt256(request.slippage))
        let whole = BigUInt(PriceBounds.whole)
        let rounding = RelativePricing(side: request.side, pair: pair, amount: .zero)
        let exact =
            request.side == .buy ? (quote * more, base * whole) : (quote * whole, base * more)
        guard let limit = rounding.rounded(exact), let text = limit.text(of: pair),
            try PriceBounds.price(text, pair: pair) == limit
        else { throw GuardError.limitOutOfRange }
        return (limit, text)
    }

    /// Warnings of a guard that may be added.
    ///
    /// - Throws: `DexError`, exit 6: it fires at once, or could not fire, and that is not allowed.
    private func warnings(
        _ guardOrder: JournalGuard,
        _ request: GuardRequest,
        _ market: TriggerMarket,
        needed: UInt256
    ) throws(DexError) -> [String] {
        let pair = market.pair
        var warnings = [pair.base, pair.quote].flatMap { session.tokens.warnings(for: $0) }
        let price = request.side == .buy ? market.ask : market.bid
        let upsideDown = try UpsideDownPrice.question(
            PriceBounds.price(request.price, pair: pair),
            near: price,
            pair: pair
        )
        switch GuardCheck.verdict(guardOrder, in: market) {
        case .waits: break
        case .fires:
            guard request.allowsImmediate else {
                throw GuardError.immediate(
                    request.side,
                    pair,
                    amount: guardOrder.amount,
                    price: price?.text(of: pair) ?? "?"
                ).adding(upsideDown)
            }
            warnings.append(
                market.patience == 0
                    ? "The price is reached now: it fires in the second block."
                    : "The price is reached now: it fires after \(market.patience) s."
            )
        case .blocked(let reason):
            guard request.allowsImmediate || price == nil else {
                throw GuardError.unable(reason).adding(upsideDown)
            }
            warnings.append("It would not fire now: \(reason)")
        }
        warnings += [upsideDown].compactMap(\.self)
        let paid = guardOrder.side == .buy ? pair.quote : pair.base
        let currency = Currency.token(paid)
        guard let balance = market.balance(of: paid) else { return warnings }
        guard balance >= needed else {
            let sentence =
                "The account has \(currency.text(balance)), less than the "
                + "\(currency.text(needed)) that it may need."
            guard request.allowsUnfunded else { throw GuardError.unfunded(sentence) }
            return warnings + [sentence]
        }
        return warnings
    }

    // MARK: The list

    /// The guards of the network, the oldest first.
    package func list() throws(DexError) -> [JournalGuard] {
        let network = session.network
        var guards: [JournalGuard] = []
        for contract in network.guardContracts {
            guards += try journaled(
                try journal.guards(chainID: network.chainID, exchange: contract)
            )
        }
        return guards.sorted { $0.id < $1.id }.map { guardOrder in
            var guardOrder = guardOrder
            guardOrder.isAtPools = guardOrder.exchange == network.pools?.router
            guardOrder.isExpired = guardOrder.expires < session.environment.now()
            guardOrder.isConfirmed =
                GuardMessage.isConfirmed(guardOrder, by: guardOrder.account, session.recoverer)
            return guardOrder
        }
    }

    /// The guards of an account that wait, the oldest first.
    package func waiting(_ account: Address) throws(DexError) -> [JournalGuard] {
        try list().filter { $0.account == account && $0.state == .waiting }
    }

    /// The guard of a number.
    ///
    /// - Throws: `DexError`, exit 2, `no-such-guard`.
    package func find(_ id: Int64) throws(DexError) -> JournalGuard {
        let guards = try list()
        guard let found = guards.first(where: { $0.id == id }) else {
            throw GuardError.noSuchGuard(id, network: session.network.name, known: guards.map(\.id))
        }
        return found
    }

    /// Removes a guard; what it sent before goes on.
    ///
    /// - Throws: `DexError`: as `find`; exit 6, `guard-firing`.
    package func remove(_ id: Int64) throws(DexError) {
        if try find(id).state == .firing { throw GuardError.isFiring(id) }
        try journaled(try journal.removeGuard(id))
    }
}
