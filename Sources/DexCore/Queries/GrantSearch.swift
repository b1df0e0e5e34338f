import DexSigning
import DexStore
import Ethereum
import ZeroEx

/// Finds the allowances of an account for every spender, inside tokens and inside Permit2: those
/// that `dex` approved by its journal, and those that the account's events name.
///
/// Any contract can log an approval of any account, so what is shown is what each token's own
/// contract answers, and Permit2.
struct GrantSearch {
    let session: Session
    let journal: Journal
    let known: KnownAddresses
    /// The first block whose events are read; nil asks for those of all blocks at once.
    var firstBlock: UInt64?

    /// The most pairs of a token and a spender whose allowances are read, of each kind.
    static let maximumPairs = 2_000
    private static let batchSize = 250
    /// The most transactions of the journal that are looked at, the newest first.
    private static let maximumJournaled = 10_000

    struct Found: Sendable {
        /// Inside tokens, by spender and symbol; none of them is zero.
        var grants: [TokenGrant] = []
        /// Inside Permit2, in the same order; none of them is zero or expired.
        var permit2: [TokenGrant] = []
        /// Sentences.
        var warnings: [String] = []
    }

    /// The pairs of a token and a spender whose allowances may not be zero.
    private struct Named {
        var inTokens: Set<TokenSpender> = []
        var inPermit2: Set<TokenSpender> = []

        mutating func formUnion(_ other: Named) {
            inTokens.formUnion(other.inTokens)
            inPermit2.formUnion(other.inPermit2)
        }

        func includes(_ other: Named) -> Bool {
            inTokens.isSuperset(of: other.inTokens) && inPermit2.isSuperset(of: other.inPermit2)
        }
    }

    /// The allowances at the latest block.
    ///
    /// - Parameter transferContract: the spender of the network's own trades, whose allowances of
    ///   known tokens are read elsewhere.
    /// - Throws: `DexError`: exit 3 if the journal cannot be read; exit 4 if the node does not
    ///   answer.
    func find(
        of owner: Address,
        at head: Block,
        beside transferContract: Address
    ) async throws(DexError) -> Found {
        let block = head.number
        var found = Found()
        var named = try journaled(of: owner)
        await addLogged(of: owner, at: head, to: &named, &found.warnings)
        let inTokens = Self.read(
            named.inTokens.filter {
                $0.spender != transferContract || session.tokens.known($0.token) == nil
            },
            "approved",
            &found.warnings
        )
        for start in stride(from: 0, to: inTokens.count, by: Self.batchSize) {
            let part = Array(inTokens[start..<min(start + Self.batchSize, inTokens.count)])
            found.grants += try await grants(part, of: owner, at: block)
        }
        found.grants.sort(by: TokenGrant.precedes)
        let inPermit2 = Self.read(named.inPermit2, "allowed in Permit2", &found.warnings)
        found.permit2 = try await Permit2Reader(session: session, names: names)
            .grants(inPermit2, of: owner, at: block)
            .sorted(by: TokenGrant.precedes)
        let unread = found.permit2.count { $0.allowance == nil }
        if unread > 0 {
            found.warnings.append(
                "\(unread) allowance\(unread == 1 ? "" : "s") inside Permit2 could not be read: "
                    + "unknown, not zero."
            )
        }
        return found
    }

    private var names: ContractNames {
        ContractNames(network: session.network, tokens: session.tokens, known: known)
    }

    /// The pairs that are read, in a fixed order; a warning says how many are left out.
    private static func read(
        _ pairs: Set<TokenSpender>,
        _ verb: String,
        _ warnings: inout [String]
    ) -> [TokenSpender] {
        if pairs.count > maximumPairs {
            warnings.append(
                "The account has \(verb) \(pairs.count) pairs of a token and a spender; "
                    + "\(maximumPairs) of them were read."
            )
        }
        return Array(
            pairs.sorted { ($0.spender, $0.token) < ($1.spender, $1.token) }.prefix(maximumPairs)
        )
    }

    // MARK: Who was approved

    /// The approvals that `dex` signed for the account, whatever became of them.
    private func journaled(of owner: Address) throws(DexError) -> Named {
        let chainID = session.network.chainID
        let own = try DexCore.journaled(
            try journal.transactions(
                chainID: chainID,
                sender: owner,
                limit: Self.maximumJournaled
            )
        )
        var named = Named()
        for one in own {
            guard let transaction = one.signed(session)?.transaction, let contract = transaction.to
            else { continue }
            if let spender = Self.spender(in: transaction.data) {
                named.inTokens.insert(TokenSpender(token: contract, spender: spender))
            } else if one.knownPurpose == .transact {
                addCall(transaction.data, of: contract, by: owner, to: &named)
            }
        }
        return named
    }

    /// The spender of a call of `approve`; nil for any other call.
    private static func spender(in data: [UInt8]) -> Address? {
        let selector = ERC20.approve(spender: .zero, amount: .zero).prefix(4)
        guard data.count >= 68, data.starts(with: selector),
            let word = Bytes32(bytes: data[4..<36])
        else { return nil }
        return Address(ifWord: word)
    }

    /// The allowances of the account that a call gives by its data, also inside of wrappers.
    private func addCall(
        _ data: [UInt8],
        of contract: Address,
        by owner: Address,
        to named: inout Named
    ) {
        let effects = CallDecoder.effects(
            of: data,
            to: contract,
            by: owner,
            on: session.network
        )
        for effect in effects.list {
            guard let token = effect.token else { continue }
            switch effect.action {
            case .allow(_, owner, let spender, let end):
                let pair = TokenSpender(token: token, spender: spender)
                // Only Permit2's end by themselves, wherever the call of it is.
                if end != nil || effect.contract == ZeroExSwapContracts.permit2 {
                    named.inPermit2.insert(pair)
                } else {
                    named.inTokens.insert(pair)
                }
            case .raise(_, owner, let spender):
                named.inTokens.insert(TokenSpender(token: token, spender: spender))
            default: break
            }
        }
    }

    /// Adds the pairs in the account's events: those that are kept, and those that the node returns
    /// now, which may leave out any.
    private func addLogged(
        of owner: Address,
        at head: Block,
        to named: inout Named,
        _ warnings: inout [String]
    ) async {
        func take(_ logs: [Log], _ named: inout Named) {
            for log in logs {
                if let event = Permit2Log(log) {
                    if event.owner == owner { named.inPermit2.insert(event.pair) }
                } else if let approval = try? ApprovalLog(log),  // nil: another event
                    approval.owner == owner
                {
                    named.inTokens.insert(
                        TokenSpender(token: approval.token, spender: approval.spender)
                    )
                }
            }
        }
        let first = firstBlock ?? 0
        guard first <= head.number else { return }
        func pages(isRenewed: Bool) -> LogPager {
            LogPager(
                session: session,
                blocks: first...head.number,
                store: EventStore(journal, head: head, isRenewed: isRenewed),
                isHeld: true,
                filters: { from, to in [Self.filter(of: owner, from: from, to: to)] }
            )
        }
        do throws(DexError) {
            let parts = Self.filter(of: owner, from: .latest, to: .latest)
                .parts(chainID: session.network.chainID)
            var kept: [Log] = []
            for part in parts {
                kept += try DexCore.journaled(
                    try journal.events(part, blocks: first...head.number)
                ).logs
            }
            var (before, now) = (Named(), Named())
            take(kept, &before)
            named.formUnion(before)
            defer { named.formUnion(now) }
            // What this session was given at the same block is asked once.
            let isAsked = parts.allSatisfy {
                !session.recentLogs.blocks($0, at: head.hash).isEmpty
            }
            var pager = pages(isRenewed: !isAsked)
            if firstBlock == nil {
                do throws(DexError) {
                    take(try await pager.whole().logs, &now)
                } catch {
                    // A node that gives no more than a part may have given the others before.
                    guard error.concerns(.refusedLogs) else { throw error }
                    pager = pages(isRenewed: false)
                    take(try await pager.whole().logs, &now)
                }
            } else {
                while let piece = try await pager.next() { take(piece.logs, &now) }
            }
            if now.includes(before) { try pager.keep() }
        } catch {
            warnings.append(
                firstBlock == nil && error.concerns(.refusedLogs)
                    ? "The node does not give the Approval events of all blocks at once, so "
                        + "spenders that dex did not approve may be missing, in tokens and in "
                        + "Permit2: --from-block BLOCK reads them piece by piece."
                    : "Not all Approval events could be read, so spenders that dex did not approve "
                        + "may be missing, in tokens and in Permit2: \(error.message)"
            )
        }
    }

    /// All approvals of an account, in tokens and in Permit2: the owner is the first argument of
    /// each.
    private static func filter(of owner: Address, from: BlockTag, to: BlockTag) -> LogFilter {
        LogFilter(
            fromBlock: from,
            toBlock: to,
            topics: [
                [
                    ERC20.approvalTopic, Permit2Log.approvalTopic, Permit2Log.permitTopic,
                    Permit2Log.lockdownTopic,
                ],
                [owner.word],
            ]
        )
    }

    // MARK: What the tokens answer

    private func grants(
        _ pairs: [TokenSpender],
        of owner: Address,
        at block: UInt64
    ) async throws(DexError) -> [TokenGrant] {
        var batch = ReadBatch()
        func ask(_ token: Address, _ data: [UInt8]) -> ReadSlot<[UInt8]> {
            batch.add(.call(CallRequest(to: token, data: data), .number(block)))
        }
        var facts: [Address: (symbol: ReadSlot<[UInt8]>, decimals: ReadSlot<[UInt8]>)] = [:]
        for token in Set(pairs.map(\.token)) where session.tokens.known(token) == nil {
            facts[token] = (ask(token, ERC20.symbol), ask(token, ERC20.decimals))
        }
        let slots = pairs.map {
            ask($0.token, ERC20.allowance(owner: owner, spender: $0.spender))
        }
        let answers = try await batch.send(to: session.chain)
        let names = names
        var grants: [TokenGrant] = []
        for (pair, slot) in zip(pairs, slots) {
            let allowance = try answers.word(slot)
            let listed = session.tokens.known(pair.token)
            // What is no token answers nothing, and of a stranger that proves nothing.
            guard allowance != .zero, allowance != nil || listed != nil else { continue }
            let token: Token
            if let listed {
                token = listed
            } else {
                token = try self.token(pair.token, facts[pair.token], answers)
            }
            grants.append(
                TokenGrant(
                    token: token,
                    spender: pair.spender,
                    name: names.name(of: pair.spender),
                    allowance: allowance
                )
            )
        }
        return grants
    }

    private func token(
        _ address: Address,
        _ facts: (symbol: ReadSlot<[UInt8]>, decimals: ReadSlot<[UInt8]>)?,
        _ answers: ReadAnswers
    ) throws(DexError) -> Token {
        guard let facts else { return .unknown(address) }
        return Token(
            address: address,
            symbol: TokenAnswers.text(try answers.returned(facts.symbol), limit: 20)
                ?? address.shortened,
            name: "",
            decimals: TokenAnswers.decimals(try answers.returned(facts.decimals))
                .flatMap { $0 <= TokenContract.maximumDecimals ? $0 : nil }
        )
    }
}
