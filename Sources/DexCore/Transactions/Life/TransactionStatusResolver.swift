import DexStore
import Ethereum
import ZeroEx

/// The known data of a transaction, and how it is reported.
struct TransactionStatusResolver {
    let session: Session
    let hash: TransactionHash
    let setup: ChainSetup
    /// Our record of it; nil if it is not ours.
    let journaled: JournalTransaction?
    /// Records how our transaction ended.
    let journal: Journal?
    /// The required number of blocks that hold it, including its own.
    let confirmations: UInt64

    /// Its current status; nil if the node does not know it and it is not ours.
    ///
    /// A receipt counts only while its block is part of the chain.
    func status(_ first: TransactionObservation) async throws(DexError) -> TransactionStatus? {
        var life = journaled.map { TransactionLife($0) } ?? TransactionLife(.broadcast)
        let observation = try await TransactionReading.check(
            first,
            head: setup.block,
            on: session.chain
        )
        life.observe(observation, confirmations: confirmations)
        if let receipt = observation.receipt, observation.isCanonical == true {
            return try await mined(receipt, observation, life)
        }
        return try await unmined(observation, life)
    }

    // MARK: Mined

    func mined(
        _ receipt: TransactionReceipt,
        _ observation: TransactionObservation,
        _ life: TransactionLife
    ) async throws(DexError) -> TransactionStatus {
        let confirmed = observation.depth
        let events = try reported(
            ExchangeError.self,
            try session.exchangeProtocol.events(
                in: receipt.logs,
                exchange: setup.contracts.exchange
            )
        )
        var fillEvents: [FillEvent] = []
        var cancels: [TransactionStatus.Cancel] = []
        var pairCancels: [PairCancel] = []
        var skipped: [(OrderHash, SkipReason)] = []
        for event in events {
            switch event {
            case .filled(let fill): fillEvents.append(fill)
            case .cancelled(let cancel):
                cancels.append(
                    TransactionStatus.Cancel(orderHash: cancel.orderHash, maker: cancel.maker)
                )
            case .cancelSeen(let order, let maker):
                cancels.append(TransactionStatus.Cancel(orderHash: order, maker: maker))
            case .pairCancelled(let cancel): pairCancels.append(cancel)
            case .skipped(let order, let reason): skipped.append((order, reason))
            }
        }
        let bounds = receipt.succeeded ? try confirmedBounds() : nil
        let (swap, unknown) = try await swapFill(bounds, receipt)
        if let swap { fillEvents.append(swap) }
        let exchange = session.exchangeProtocol
        let fees = fillEvents.map { exchange.feeToken(of: $0, contracts: setup.contracts) }
        let addresses = Set(fillEvents.flatMap { [$0.makerToken, $0.takerToken] })
            .union(fees.compactMap { $0 })
            .union(pairCancels.flatMap { [$0.makerToken, $0.takerToken] })
        let tokens = await names(of: addresses)
        note(life)
        if confirmed >= confirmations { settle(receipt, life) }
        let brought = await brought(fillEvents, bounds, receipt)
        let shortfall = brought.flatMap { bounds, received in
            bounds.shortfall(received, of: tokens[bounds.token] ?? .unknown(bounds.token))
        }
        let reason = await revertReason(receipt, observation)
        return TransactionStatus(
            hash: hash,
            coin: session.network.coin,
            stage: receipt.succeeded
                ? (confirmed >= confirmations ? .confirmed : .mined) : .reverted,
            from: receipt.from,
            to: receipt.to,
            block: receipt.blockNumber,
            confirmations: confirmed,
            gasUsed: receipt.gasUsed,
            cost: receipt.networkFee(hasRollupFee: session.network.fees.hasRollupFee),
            fills: zip(fillEvents, fees).map { fill, fee in
                TransactionStatus.Fill(
                    event: fill,
                    makerToken: tokens[fill.makerToken] ?? .unknown(fill.makerToken),
                    takerToken: tokens[fill.takerToken] ?? .unknown(fill.takerToken),
                    feeToken: fee.map { tokens[$0] ?? .unknown($0) }
                )
            },
            cancels: cancels,
            pairCancels: pairCancels.map { cancel in
                TransactionStatus.PairCancel(
                    maker: cancel.maker,
                    makerToken: tokens[cancel.makerToken] ?? .unknown(cancel.makerToken),
                    takerToken: tokens[cancel.takerToken] ?? .unknown(cancel.takerToken),
                    minimumSalt: cancel.minimumSalt
                )
            },
            skipped: skipped,
            ending: ending(
                receipt,
                confirmed,
                didTrade: !fillEvents.isEmpty || !cancels.isEmpty || !pairCancels.isEmpty,
                brought: brought
            ),
            notes: [shortfall, unknown, reason].compactMap { $0 },
            revertReason: reason,
            details: await details(observation)
        )
    }

    /// What it asked for and moved; amounts of tokens whose contracts contradict the map are in base
    /// units.
    func details(_ observation: TransactionObservation) async -> TransactionDetails {
        let plain = TransactionDetails(observation, journaled: journaled, session: session)
        let checked = await TokenResolver(session: session).checkedSession(for: plain.tokens)
        for warning in checked.warnings { session.environment.warn(warning) }
        return TransactionDetails(observation, journaled: journaled, session: checked.session)
    }

    /// The confirmed bounds of our own fill or swap; nil if the journal does not have them.
    ///
    /// - Throws: `DexError`, exit 1 or 3, if the journal cannot be read: to bring less is no success.
    private func confirmedBounds() throws(DexError) -> FillBounds? {
        guard let journal, let journaled, let purpose = journaled.knownPurpose,
            purpose == .fill || purpose == .swap
        else { return nil }
        do throws(JournalError) {
            // A replacement keeps the confirmed bounds of the transaction that it replaced.
            for own in try [journaled] + journal.predecessors(of: journaled) {
                let bounds = try journal.plan(of: own.intent)
                    .flatMap { FillBounds(record: $0, of: purpose) }
                if let bounds { return bounds }
            }
            return nil
        } catch {
            throw DexError(error)
        }
    }

    /// Our swap as a fill of the venue's contract, or why it is not known; nil for any other
    /// transaction.
    private func swapFill(
        _ bounds: FillBounds?,
        _ receipt: TransactionReceipt
    ) async throws(DexError) -> (FillEvent?, unknown: String?) {
        guard let bounds, receipt.succeeded, journaled?.knownPurpose == .swap else {
            return (nil, nil)
        }
        let movement = try await SwapMovement(
            receive: bounds.token,
            in: receipt,
            session: session
        )
        let mined = MinedTrades(
            movement,
            receive: bounds.token,
            in: receipt,
            network: session.network
        )
        guard let mined, case .fill(let fill)? = mined.trades.first?.event else {
            guard movement.received == nil || movement.paid == nil else { return (nil, nil) }
            return (
                nil,
                "What it moved is unknown: the coin leaves no event, and other payments were in the "
                    + "same block or the node has no such old balances."
            )
        }
        // The chain's own coin leaves no event, so nothing else records it.
        if let journal {
            let log = LifecycleLog(session: session, journal: journal)
            log.attempt(try reported(JournalError.self, try journal.note([mined])))
        }
        return (fill, nil)
    }

    /// The expected result of our fill or swap, and what its account received.
    ///
    /// nil without bounds, or if nothing was filled.
    private func brought(
        _ fills: [FillEvent],
        _ bounds: FillBounds?,
        _ receipt: TransactionReceipt
    ) async -> (FillBounds, UInt256)? {
        guard let bounds, let journaled else { return nil }
        let own = fills.filter {
            $0.taker == journaled.sender && $0.makerToken == bounds.token
        }
        guard !own.isEmpty else { return nil }
        let sum = own.reduce(UInt256.zero) { $0.addingSaturating($1.makerAmount) }
        guard journaled.knownPurpose == .fill else { return (bounds, sum) }
        let fees = own.filter {
            session.exchangeProtocol.feeToken(of: $0, contracts: setup.contracts) == bounds.token
        }.reduce(UInt256.zero) { $0.addingSaturating($1.takerFee) }
        let arrived = await TokenArrival(
            session: session,
            token: bounds.token,
            account: journaled.sender
        ).amount(in: receipt, maximum: sum, paidOut: fees)
        return (bounds, arrived ?? sum)
    }

    /// Why it reverted, as a sentence; nil if it did not, or the reason is unknown.
    private func revertReason(_ receipt: TransactionReceipt, _ observation: TransactionObservation)
        async -> String?
    {
        guard !receipt.succeeded else { return nil }
        let call: CallRequest
        if let info = observation.info, let to = info.to {
            call = CallRequest(from: info.from, to: to, data: info.data, value: info.value)
        } else if let signed = journaled?.signed(session), let to = signed.transaction.to {
            call = CallRequest(
                from: signed.sender,
                to: to,
                data: signed.transaction.data,
                value: signed.transaction.value,
                accessList: signed.transaction.accessList
            )
        } else {
            return nil
        }
        return await RevertReason.read(of: call, in: receipt.blockNumber, session)
    }

    /// Records at once what the next command needs.
    ///
    /// A journal that cannot be written does not hide the outcome.
    func note(_ life: TransactionLife) {
        guard let journal, let journaled else { return }
        let log = LifecycleLog(session: session, journal: journal)
        log.attempt(try log.update(journaled, life))
    }

    /// The outcome is reported now, so that the next trade need not stop at it.
    private func settle(_ receipt: TransactionReceipt, _ life: TransactionLife) {
        guard let journal, let journaled, journaled.sender == receipt.from,
            journaled.stage != .forgotten,
            !journaled.isMinedByJournal || life.unreported(over: journaled) != nil
        else { return }
        LifecycleLog(session: session, journal: journal).report(receipt)
    }

    /// A successful exchange call that moves nothing is not a trade, nor is one that brings less
    /// than confirmed.
    private func ending(
        _ receipt: TransactionReceipt,
        _ confirmed: UInt64,
        didTrade: Bool,
        brought: (bounds: FillBounds, received: UInt256)?
    ) -> Ending {
        guard receipt.succeeded else { return .reverted }
        guard confirmed >= confirmations else { return .notMinedYet }
        if let brought, !brought.bounds.areKept(by: brought.received) { return .less }
        return receipt.to == setup.contracts.exchange && !didTrade ? .less : .done
    }

    /// Tokens by address; a name that cannot be read must not hide a trade.
    private func names(of addresses: Set<Address>) async -> [Address: Token] {
        var tokens: [Address: Token] = [:]
        var addresses = addresses
        if addresses.remove(Token.nativeCoinAddress) != nil {
            tokens[Token.nativeCoinAddress] = .nativeCoin(session.network.coin)
        }
        do throws(DexError) {
            let read = try await TokenResolver(session: session)
                .checkedTokens(at: addresses.sorted())
            for warning in read.warnings { session.environment.warn(warning) }
            return read.tokens.merging(tokens) { _, coin in coin }
        } catch {
            session.environment.warn(error.message)
            for address in addresses { tokens[address] = session.tokens.known(address) }
            return tokens
        }
    }
}
