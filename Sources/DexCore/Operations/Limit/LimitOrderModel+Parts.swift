import Ethereum
import ZeroEx

/// The parts of a plan: recipients, terms, fees, reads and approvals.
extension LimitOrderModel {
    static let badExpiry = DexError(LimitError.badExpiry)

    func postingRelay() throws(DexError) -> any RelayClient {
        guard let relay = session.relay else {
            throw DexError(NetworkError.noRelay(network: session.network.name))
        }
        return relay
    }

    func expiry(_ lifetime: UInt64) throws(DexError) -> UInt64 {
        let (expiry, overflow) = session.environment.now().addingReportingOverflow(lifetime)
        guard lifetime > 0, !overflow else { throw Self.badExpiry }
        return expiry
    }

    func draft(
        _ request: LimitRequest,
        pair: Pair,
        amounts: LimitAmounts,
        account: Address,
        expiry: UInt64
    ) -> OrderDraft {
        let isBuy = request.side == .buy
        return OrderDraft(
            exchange: session.network.exchange,
            maker: account,
            taker: request.taker ?? .zero,
            makerToken: (isBuy ? pair.quote : pair.base).address,
            takerToken: (isBuy ? pair.base : pair.quote).address,
            makerAmount: amounts.makerAmount,
            takerAmount: amounts.takerAmount,
            expiry: UInt256(expiry),
            salt: session.exchangeProtocol.salt(
                random: session.environment.random(),
                now: session.environment.now()
            )
        )
    }

    func fees(
        _ draft: OrderDraft,
        relay: any RelayClient
    ) async throws(DexError) -> OrderFees {
        do {
            return try await relay.fees(for: draft)
        } catch {
            throw DexError(RelayRefusal(error))
        }
    }

    func feeToken(
        _ draft: OrderDraft,
        contracts: ExchangeContracts,
        pair: Pair
    ) async throws(DexError) -> Token? {
        let fees = draft.fees
        guard fees.recipient != .zero, fees.makerFee > .zero || fees.takerFee > .zero else {
            return nil
        }
        let address = session.exchangeProtocol.feeToken(of: draft, contracts: contracts)
        for token in [pair.base, pair.quote] where token.address == address { return token }
        return try await TokenResolver(session: session).tokens(at: [address])[address]
            ?? .unknown(address)
    }

    func reads(
        _ others: [any SignedOrder],
        account: Address,
        tokens: [Token],
        contracts: ExchangeContracts,
        at block: Block
    ) async throws(DexError) -> FundingReads {
        try await FundingReads.read(
            FundingReads.Question(
                orders: others,
                contracts: contracts,
                holdings: Set(tokens.map { HoldingKey(owner: account, token: $0.address) }),
                account: account
            ),
            at: block,
            session: session
        )
    }

    func approvals(
        _ requirements: [MakerFunding.Requirement],
        moved: Wei?,
        account: AccountSnapshot,
        contracts: ExchangeContracts,
        head: AccountHead
    ) async throws(DexError) -> ([PlannedStep], GasPlan?) {
        let planner = ApprovalPlanner(
            owner: account.address,
            spender: contracts.transferContract,
            approval: settings.approval
        )
        let needs = try planner.needs(requirements.map { ($0.token, $0.total) }, account: account)
        guard !needs.isEmpty else { return ([], nil) }
        var batch = ReadBatch()
        let asked = planner.ask(needs, block: head.block, in: &batch)
        let steps = try await batch.send(to: session.chain).value(asked)
        let gas = try GasPricing.plan(
            steps.map(\.gasLimit),
            fees: head.fees,
            ether: account.ether,
            moved: moved,
            settings: settings
        )
        return (steps, gas)
    }
}
