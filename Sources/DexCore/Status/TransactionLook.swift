import DexStore
import Ethereum
import ZeroEx

/// What is known of a transaction after one look, and how it is to be reported.
struct TransactionLook {
    let session: Session
    let hash: TransactionHash
    let setup: ChainSetup
    /// What we sent; nil where it is not ours.
    let journaled: JournalTransaction?
    /// Learns how a transaction of ours ended.
    let journal: (any Journal)?
    /// Blocks that must hold it, its own included.
    let confirmations: UInt64

    /// Blocks after which no reorganisation is expected: two epochs, rounded up.
    private static let finalDepth: UInt64 = 128

    /// What a node knows of it.
    struct Sighting {
        var receipt: TransactionReceipt?
        var info: TransactionInfo?

        var isEmpty: Bool { receipt == nil && info == nil }
    }

    /// What it is now; a receipt is believed only while its block is part of the chain.
    func status(_ sighting: Sighting) async throws(DexError) -> TransactionStatus {
        if let receipt = sighting.receipt {
            try check(receipt)
            if let head = try await canonicalHead(receipt) {
                return try await mined(receipt, head: head)
            }
        }
        return try await unmined(sighting)
    }

    /// The receipt must be the one that was asked for.
    private func check(_ receipt: TransactionReceipt) throws(DexError) {
        guard receipt.transactionHash == hash else {
            throw DexError(
                ChainError.nonsense(
                    "it is the receipt of \(receipt.transactionHash) where \(hash) was asked for"
                )
            )
        }
    }

    /// The head's number where the receipt's block is part of the chain; else nil.
    private func canonicalHead(_ receipt: TransactionReceipt) async throws(DexError) -> UInt64? {
        let head = setup.block
        if receipt.blockNumber == head.number {
            return receipt.blockHash == head.hash ? head.number : nil
        }
        var batch = ReadBatch()
        let place = batch.add(.block(.number(receipt.blockNumber)))
        let block = try await batch.send(to: session.chain)
            .value(place) { answer throws(ChainError) in try answer.block() }
        guard block?.hash == receipt.blockHash else { return nil }
        return max(head.number, receipt.blockNumber)
    }

    // MARK: Mined

    private func mined(
        _ receipt: TransactionReceipt,
        head: UInt64
    ) async throws(DexError) -> TransactionStatus {
        let events: [ExchangeEvent]
        do {
            events = try session.exchangeProtocol.events(
                in: receipt.logs,
                contracts: setup.contracts
            )
        } catch {
            throw DexError(error)
        }
        var fillEvents: [FillEvent] = []
        var cancels: [CancelEvent] = []
        var skipped: [(OrderHash, SkipReason)] = []
        for event in events {
            switch event {
            case .filled(let fill): fillEvents.append(fill)
            case .cancelled(let cancel): cancels.append(cancel)
            case .skipped(let order, let reason): skipped.append((order, reason))
            }
        }
        let addresses = Set(fillEvents.flatMap { [$0.makerToken, $0.takerToken] })
            .union([setup.contracts.feeToken].compactMap { $0 })
        let tokens = await names(of: addresses)
        let depth = (head - min(head, receipt.blockNumber)).addingReportingOverflow(1)
        let confirmed = depth.overflow ? head : depth.partialValue
        if confirmed >= confirmations { settle(receipt, fills: fillEvents) }
        return TransactionStatus(
            hash: hash,
            status: receipt.succeeded ? .mined : .reverted,
            from: receipt.from,
            to: receipt.to,
            block: receipt.blockNumber,
            confirmations: confirmed,
            gasUsed: receipt.gasUsed,
            cost: receipt.effectiveGasPrice?.multiplied(by: UInt256(receipt.gasUsed)),
            fills: fillEvents.map { fill in
                TransactionStatus.Fill(
                    event: fill,
                    makerToken: tokens[fill.makerToken] ?? .unknown(fill.makerToken),
                    takerToken: tokens[fill.takerToken] ?? .unknown(fill.takerToken)
                )
            },
            cancels: cancels,
            skipped: skipped,
            feeToken: setup.contracts.feeToken.map { tokens[$0] ?? .unknown($0) },
            exit: exit(receipt, confirmed, didTrade: !fillEvents.isEmpty || !cancels.isEmpty)
        )
    }

    /// Whoever asked is told now, so that the next trade need not stop at it.
    ///
    /// A journal that cannot be written does not hide what happened.
    private func settle(_ receipt: TransactionReceipt, fills: [FillEvent]) {
        guard let journal, let journaled, journaled.sender == receipt.from else { return }
        switch journaled.status {
        case .signed, .sent, .dropped:
            try? journal.record(receipt, fills: fills.filter { $0.taker == journaled.sender })
        case .mined, .reverted, .replaced, .refused, .forgotten: break
        }
    }

    /// A call of the exchange that succeeds and moves nothing is not a trade.
    private func exit(
        _ receipt: TransactionReceipt,
        _ confirmed: UInt64,
        didTrade: Bool
    ) -> ExitCode {
        guard receipt.succeeded else { return .reverted }
        guard confirmed >= confirmations else { return .notMinedYet }
        return receipt.to == setup.contracts.exchange && !didTrade ? .filledLess : .done
    }

    /// Tokens by address; a name that cannot be read must not hide what was traded.
    private func names(of addresses: Set<Address>) async -> [Address: Token] {
        do throws(DexError) {
            return try await TokenResolver(session: session).tokens(at: addresses.sorted())
        } catch {
            session.environment.progress(error.message)
            var tokens: [Address: Token] = [:]
            for address in addresses { tokens[address] = session.tokens.known(address) }
            return tokens
        }
    }

    // MARK: Not mined

    /// Pending while the node has it; replaced once another transaction has used its nonce.
    private func unmined(_ sighting: Sighting) async throws(DexError) -> TransactionStatus {
        let sender = sighting.info?.from ?? journaled?.sender
        let nonce = sighting.info?.nonce ?? journaled?.nonce
        guard let sender, let nonce else {
            // A receipt of a block that was reorganised away: it may be mined again.
            return report(sighting.receipt == nil ? .unknown : .pending, sighting, sender)
        }
        var batch = ReadBatch()
        let count = batch.add(.transactionCount(sender, .latest))
        let again = batch.add(.receipt(hash))
        // The base fee of the next block is the last of the history.
        let history = batch.add(.feeHistory(blocks: 1, percentiles: []))
        let answers = try await batch.send(to: session.chain)
        let baseFee = answers.optional(history) { answer throws(ChainError) in
            try answer.feeHistory().baseFeePerGas.last
        }
        let used = try answers.value(count) { answer throws(ChainError) in
            try answer.number()
        }
        let receipt = try answers.value(again) { answer throws(ChainError) in
            try answer.receipt()
        }
        // Mined between the two looks: then the nonce was used by itself.
        if let receipt {
            try check(receipt)
            guard let head = try await canonicalHead(receipt) else {
                return report(.pending, sighting, sender)
            }
            return try await mined(receipt, head: head)
        }
        // The node has it in a block and not its receipt yet: again its own nonce.
        if sighting.info?.blockNumber != nil { return report(.pending, sighting, sender) }
        if used > nonce { return remembered() ?? report(.replaced, sighting, sender) }
        return report(
            sighting.info == nil ? .dropped : .pending,
            sighting,
            sender,
            baseFee: baseFee ?? nil
        )
    }

    /// What the journal tells of a transaction so old that the node may have forgotten it; nil
    /// where it never was mined or a reorganisation may have undone it.
    private func remembered() -> TransactionStatus? {
        guard let journaled, let block = journaled.block,
            journaled.status == .mined || journaled.status == .reverted
        else { return nil }
        let (depth, isAhead) = setup.block.number.subtractingReportingOverflow(block)
        guard !isAhead, depth > Self.finalDepth else { return nil }
        let succeeded = journaled.status == .mined
        return TransactionStatus(
            hash: hash,
            status: succeeded ? .mined : .reverted,
            from: journaled.sender,
            to: nil,
            block: block,
            confirmations: depth + 1,
            gasUsed: nil,
            cost: nil,
            fills: [],
            cancels: [],
            skipped: [],
            feeToken: nil,
            exit: succeeded ? .done : .reverted
        )
    }

    private func report(
        _ status: TransactionStatus.Status,
        _ sighting: Sighting,
        _ sender: Address?,
        baseFee: Wei? = nil
    ) -> TransactionStatus {
        TransactionStatus(
            hash: hash,
            status: status,
            from: sender,
            to: sighting.info?.to,
            block: nil,
            confirmations: 0,
            gasUsed: nil,
            cost: nil,
            fills: [],
            cancels: [],
            skipped: [],
            feeToken: nil,
            exit: status == .pending || status == .unknown ? .notMinedYet : .replacedOrDropped,
            notes: notes(status, baseFee: baseFee)
        )
    }

    // MARK: Why

    /// What to tell of a transaction that is in no block.
    private func notes(_ status: TransactionStatus.Status, baseFee: Wei?) -> [String] {
        var notes: [String] = []
        // A node that is behind may not have that block yet.
        if let journaled, let block = journaled.block, block <= setup.block.number,
            journaled.status == .mined || journaled.status == .reverted
        {
            notes.append(
                "It was mined in block \(block) before, and a reorganization took that block out "
                    + "of the chain: what it did is undone."
            )
        }
        switch status {
        case .pending:
            if let waiting = GasPricing.waiting(cap: cap, baseFee: baseFee) {
                notes.append(waiting)
            }
        case .dropped where journaled != nil:
            notes.append(
                "The node does not know it any more. It is in the journal: the next command that "
                    + "sends something first sends it again as it is."
            )
        case .replaced:
            notes.append(
                "Another transaction of the account with the same nonce was mined in its place, "
                    + "so it never will be."
            )
        case .unknown, .mined, .reverted, .dropped: break
        }
        return notes
    }

    /// The most that our own transaction pays for a unit of gas.
    private var cap: Wei? {
        guard let journaled else { return nil }
        let signed = try? SignedTransaction(
            raw: journaled.raw,
            recoverer: session.recoverer
        )
        return signed?.transaction.maximumGasPrice
    }
}
