import DexStore
package import Ethereum
import ZeroEx

/// An allowance inside a token: how much of it a spender may move.
package struct TokenGrant: Hashable, Sendable {
    package let token: Token
    package let spender: Address
    /// By which the user or this program knows the spender; nil for a stranger.
    package let name: String?
    /// Base units; nil if it could not be read.
    package let allowance: UInt256?

    package init(token: Token, spender: Address, name: String?, allowance: UInt256?) {
        self.token = token
        self.spender = spender
        self.name = name
        self.allowance = allowance
    }
}

/// Finds the allowances of an account for every spender: those that `dex` approved by its journal,
/// and those that the account's Approval events name.
///
/// Any contract can log an approval of any account, so what is shown is what each token's own
/// contract answers.
struct GrantSearch {
    let session: Session
    let journal: Journal
    let known: KnownAddresses
    /// The first block whose events are read; nil asks for those of all blocks at once.
    var firstBlock: UInt64?

    /// The most pairs of a token and a spender whose allowances are read.
    static let mostPairs = 2_000
    private static let batchSize = 250
    /// The most transactions of the journal that are looked at, the newest first.
    private static let mostJournaled = 10_000

    struct Found: Sendable {
        /// By spender and symbol; none of them is zero.
        var grants: [TokenGrant] = []
        /// Sentences.
        var warnings: [String] = []
    }

    private struct Pair: Hashable {
        let token: Address
        let spender: Address
    }

    /// The allowances at a block.
    ///
    /// - Parameter transferContract: the spender of the network's own trades, whose allowances of
    ///   known tokens are read elsewhere.
    /// - Throws: `DexError`: exit 3 if the journal cannot be read; exit 4 if the node does not
    ///   answer.
    func find(
        of owner: Address,
        at block: UInt64,
        beside transferContract: Address
    ) async throws(DexError) -> Found {
        var found = Found()
        var pairs = try journaled(of: owner)
        pairs.formUnion(await logged(of: owner, at: block, &found.warnings))
        let wanted = pairs.filter {
            $0.spender != transferContract || session.tokens.known($0.token) == nil
        }.sorted { ($0.spender, $0.token) < ($1.spender, $1.token) }
        if wanted.count > Self.mostPairs {
            found.warnings.append(
                "The account has approved \(wanted.count) pairs of a token and a spender; "
                    + "\(Self.mostPairs) of them were read."
            )
        }
        let read = Array(wanted.prefix(Self.mostPairs))
        for start in stride(from: 0, to: read.count, by: Self.batchSize) {
            let part = Array(read[start..<min(start + Self.batchSize, read.count)])
            found.grants += try await grants(part, of: owner, at: block)
        }
        found.grants.sort {
            ($0.name ?? "~", $0.spender, $0.token.symbol, $0.token.address)
                < ($1.name ?? "~", $1.spender, $1.token.symbol, $1.token.address)
        }
        return found
    }

    // MARK: Who was approved

    /// The approvals that `dex` signed for the account, whatever became of them.
    private func journaled(of owner: Address) throws(DexError) -> Set<Pair> {
        let chainID = session.network.chainID
        let own = try DexCore.journaled(
            try journal.transactions(
                chainID: chainID,
                sender: owner,
                limit: Self.mostJournaled
            )
        )
        var pairs: Set<Pair> = []
        for one in own {
            guard let transaction = one.signed(session)?.transaction, let token = transaction.to,
                let spender = Self.spender(in: transaction.data)
            else { continue }
            pairs.insert(Pair(token: token, spender: spender))
        }
        return pairs
    }

    /// The spender of a call of `approve`; nil for any other call.
    private static func spender(in data: [UInt8]) -> Address? {
        let selector = ERC20.approve(spender: .zero, amount: .zero).prefix(4)
        guard data.count >= 68, data.starts(with: selector),
            let word = Bytes32(bytes: data[4..<36])
        else { return nil }
        return Address(ifWord: word)
    }

    /// The pairs in the account's Approval events.
    private func logged(
        of owner: Address,
        at block: UInt64,
        _ warnings: inout [String]
    ) async -> Set<Pair> {
        var pairs: Set<Pair> = []
        func take(_ logs: [Log]) {
            for log in logs {
                // nil: another event, or one without a position
                guard let approval = try? ApprovalLog(log), approval.owner == owner else {
                    continue
                }
                pairs.insert(Pair(token: approval.token, spender: approval.spender))
            }
        }
        guard let firstBlock else {
            do throws(ChainError) {
                let filter = ApprovalLog.filter(of: owner, from: .number(0), to: .number(block))
                take(try await session.chain.read(.logs(filter)))
            } catch {
                warnings.append(
                    "The node does not give the Approval events of all blocks at once, so spenders "
                        + "that dex did not approve may be missing: --from-block BLOCK reads them "
                        + "piece by piece."
                )
            }
            return pairs
        }
        guard firstBlock <= block else { return pairs }
        var pager = LogPager(session: session, blocks: firstBlock...block) { from, to in
            [ApprovalLog.filter(of: owner, from: from, to: to)]
        }
        do throws(DexError) {
            while let piece = try await pager.next() { take(piece.logs) }
        } catch {
            warnings.append(
                "Not all Approval events could be read, so spenders that dex did not approve may be "
                    + "missing: \(error.message)"
            )
        }
        return pairs
    }

    // MARK: What the tokens answer

    private func grants(
        _ pairs: [Pair],
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
        let names = ContractNames(network: session.network, tokens: session.tokens, known: known)
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
                .flatMap { $0 <= TokenContract.mostDecimals ? $0 : nil }
        )
    }
}
