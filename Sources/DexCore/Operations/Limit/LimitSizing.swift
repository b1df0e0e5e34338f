import DexStore
import Ethereum
import ZeroEx

/// The amount that an account can still offer in limit orders: its balance without what its open
/// orders need.
struct LimitSizing {
    let session: Session
    let journal: Journal

    /// Base units of BASE of an amount as typed: a number, or a share of what can be offered.
    ///
    /// A purchase offers QUOTE, so its share is what that buys at the price, rounded down.
    ///
    /// - Parameter replaced: an own order that is cancelled first.
    /// - Throws: `DexError`: exit 2, `bad-amount`; exit 6, `insufficient-balance`, if nothing can be
    ///   offered; exit 4.
    func base(
        _ text: String,
        side: TradeSide,
        pair: Pair,
        account: Address,
        replacing replaced: OrderHash? = nil,
        price: () async throws(DexError) -> Price
    ) async throws(DexError) -> UInt256 {
        let share: UInt64
        switch try AmountExpression(text) {
        case .number(let number): return try TokenAmount.positive(number, of: pair.base)
        case .share(let part): share = part
        }
        let token = side == .buy ? pair.quote : pair.base
        let offered = try await offered(share, of: token, account: account, replacing: replaced)
        guard side == .buy else { return offered }
        let price = try await price()
        guard let base = UInt256.mulDiv(offered, price.base, price.quote)?.quotient, base > .zero
        else { throw FundsError.nothingToSpend(token) }
        return base
    }

    /// A share, in hundredths of a percent, of what can still be offered, in base units.
    ///
    /// - Throws: `DexError`: exit 6, `insufficient-balance`, if nothing can be offered; exit 4.
    func offered(
        _ share: UInt64,
        of token: Token,
        account: Address,
        replacing replaced: OrderHash? = nil
    ) async throws(DexError) -> UInt256 {
        let free = try await free(token, of: account, replacing: replaced)
        return try SpendableFunds.part(share, of: free, token)
    }

    /// The balance without what the account's open orders need, in base units.
    ///
    /// - Throws: `DexError`: exit 4; exit 6, `not-a-token`.
    func free(
        _ token: Token,
        of account: Address,
        replacing replaced: OrderHash? = nil
    ) async throws(DexError) -> UInt256 {
        var batch = ReadBatch()
        let askedHead = AccountHead.ask(session, account, in: &batch)
        let askedContracts = ChainSetup.askContracts(session, in: &batch)
        let answers = try await batch.send(to: session.chain)
        let head = try answers.value(askedHead)
        let contracts = try answers.value(askedContracts)
        let orders = try await OwnOrders(session: session, journal: journal).all(of: account)
            .orders.filter { $0.hash != replaced }
        let reads = try await FundingReads.read(
            FundingReads.Question(
                orders: orders,
                contracts: contracts,
                holdings: [HoldingKey(owner: account, token: token.address)],
                decimals: [token.address],
                account: account
            ),
            at: head.block,
            session: session
        )
        let committed = MakerFunding(
            exchangeProtocol: session.exchangeProtocol,
            contracts: contracts,
            timestamp: reads.block.timestamp
        ).commitments(zip(orders, reads.states).map { ($0, $1) })
        return try reads.account(head, tokens: [token.address]).balance(of: token)
            .subtractingSaturating(committed[token.address] ?? .zero)
    }
}
