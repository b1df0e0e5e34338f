import EVM
import Ethereum

/// Proves what a limit order rests on: its maker's account, balances and allowances.
///
/// An order that nothing backs loses no money: nobody can fill it. But a node that lies about a
/// balance makes its maker sign another order than was meant, or approve for nothing.
struct FundingProver {
    let session: Session
    let owner: Address
    /// Who moves the tokens when the order is filled.
    let spender: Address
    let needs: [MakerFunding.Requirement]
    /// An order beyond the balance was allowed.
    let allowsUnfunded: Bool
    /// No approval of the same plan comes before the order.
    let isApproved: Bool

    /// The questions in the batch of the last check.
    struct Asked {
        fileprivate let reads: StateReads?
        fileprivate let answers: [ReadSlot<[UInt8]>]
    }

    /// A number that a token answers.
    private struct Figure {
        let token: Token
        let isAllowance: Bool
        let needed: UInt256
        let call: CallRequest
    }

    private var figures: [Figure] {
        needs.flatMap { need in
            [false, true].map { isAllowance in
                let calls = Self.calls(of: owner, spender: spender, need.token.address)
                return Figure(
                    token: need.token,
                    isAllowance: isAllowance,
                    needed: need.total,
                    call: isAllowance ? calls.allowance : calls.balance
                )
            }
        }
    }

    private static func calls(
        of owner: Address,
        spender: Address,
        _ token: Address
    ) -> (balance: CallRequest, allowance: CallRequest) {
        (
            CallRequest(from: owner, to: token, data: ERC20.balanceOf(owner)),
            CallRequest(
                from: owner,
                to: token,
                data: ERC20.allowance(owner: owner, spender: spender)
            )
        )
    }

    /// The calls of which a node is asked what they read, while the order is planned.
    static func traced(
        of owner: Address,
        spender: Address,
        _ tokens: [Address]
    ) -> [CallRequest] {
        tokens.flatMap { token in
            let calls = calls(of: owner, spender: spender, token)
            return [calls.balance, calls.allowance]
        }
    }

    // MARK: The last check

    func ask(in batch: inout ReadBatch) -> Asked {
        let figures = figures
        var keys: Set<StateKey>? = []
        for figure in figures {
            guard let known = session.accesses.keys(of: figure.call) else {
                keys = nil
                break
            }
            keys?.formUnion(known)
        }
        return Asked(
            reads: keys.map { StateReads.ask($0, at: .latest, in: &batch) },
            answers: figures.map { batch.add(.call($0.call, .latest)) }
        )
    }

    /// What is proven of it.
    ///
    /// - Parameter head: the latest block, of the same batch.
    /// - Throws: `DexError`, as `StateProver`; exit 4: `node-lied`, `node-ahead`; exit 6,
    ///   `order-unbacked`.
    func prove(
        _ asked: Asked,
        in answers: ReadAnswers,
        head: Block
    ) async throws(DexError) -> StateProof {
        guard let reads = asked.reads else {
            return .none("the node does not say what a balance rests on (eth_createAccessList)")
        }
        let state = FetchedState(producer: head.coinbase ?? .zero)
        do throws(ChainError) {
            try reads.put(into: state, answers)
        } catch {
            return .none(TransactionSimulator.words(error))
        }
        let claimed: [UInt256?]
        switch values(state, head) {
        case .success(let values): claimed = values
        case .failure(let gap): return .none(gap.reason)
        }
        let outcome = try await StateProver(session: session, head: head, claimed: state).prove {
            if case .failure(let gap) = values($0, $1) { gap.missing } else { [] }
        }
        guard let settled = outcome.settled else {
            try await check(claimed, claimed, asked, in: answers, outcome)
            return outcome.proof
        }
        switch values(settled.state, settled.block) {
        case .success(let proven):
            try await check(proven, claimed, asked, in: answers, outcome)
            return outcome.proof
        case .failure(let gap): return .none(gap.reason)
        }
    }

    // MARK: Runs

    /// The reason why a token's answers are not known.
    private struct Gap: Error {
        let reason: String
        var missing: Set<StateKey> = []
    }

    /// What the tokens' own code answers on a state; nil where it is no number.
    private func values(_ state: FetchedState, _ block: Block) -> Result<[UInt256?], Gap> {
        let context = BlockContext(after: block, session, baseFee: block.baseFeePerGas)
            .knowing(state)
        guard !context.hasOtherMachine else {
            return .failure(Gap(reason: "the chain's contracts are no EVM code"))
        }
        let execution = Execution(
            state,
            .of(chain: session.network.chainID, time: context.timestamp),
            recoverer: session.recoverer
        )
        var values: [UInt256?] = []
        for figure in figures {
            do throws(Execution.Gap) {
                let outcome = try execution.call(
                    figure.call.to,
                    figure.call.data,
                    from: owner,
                    in: context
                )
                let succeeded = outcome.ending == .succeeded
                values.append(succeeded ? TokenAnswers.word(outcome.output) : nil)
            } catch {
                guard case .needs(let keys) = error else {
                    return .failure(Gap(reason: "a token's code cannot be run on this machine"))
                }
                let reason = "a token's answer rests on more of the state than a node said"
                return .failure(Gap(reason: reason, missing: keys))
            }
        }
        return .success(values)
    }

    // MARK: Comparisons

    /// Compares what is proven with what the node answers, and with what the order needs.
    private func check(
        _ proven: [UInt256?],
        _ claimed: [UInt256?],
        _ asked: Asked,
        in answers: ReadAnswers,
        _ outcome: StateProver.Outcome
    ) async throws(DexError) {
        guard outcome.proof.failure == nil, let block = outcome.proof.block else { return }
        if outcome.proof.isComplete {
            try await checkAnswers(proven, asked, in: answers, at: block, outcome.proof.nodes.count)
        }
        for ((figure, value), before) in zip(zip(figures, proven), claimed) {
            guard let value, value < figure.needed,
                figure.isAllowance ? isApproved : !allowsUnfunded
            else { continue }
            if let lone = outcome.lone, before.map({ $0 >= figure.needed }) == true {
                throw DexError(lone)
            }
            throw LimitError.unbacked(
                isAllowance: figure.isAllowance,
                has: TokenAmount(raw: value, token: figure.token),
                needs: TokenAmount(raw: figure.needed, token: figure.token),
                block: block
            )
        }
    }

    /// A node that answers a call otherwise than the proven code and state do has lied, unless
    /// something moved between two blocks: it is asked once more, at the block of the proof.
    private func checkAnswers(
        _ proven: [UInt256?],
        _ asked: Asked,
        in answers: ReadAnswers,
        at number: UInt64,
        _ nodes: Int
    ) async throws(DexError) {
        var batch = ReadBatch()
        var doubts: [(figure: Figure, proven: UInt256, slot: ReadSlot<[UInt8]>)] = []
        for ((figure, value), slot) in zip(zip(figures, proven), asked.answers) {
            guard let value, case .success(let bytes) = answers[slot],
                TokenAnswers.word(bytes) != value
            else { continue }
            doubts.append((figure, value, batch.add(.call(figure.call, .number(number)))))
        }
        guard !doubts.isEmpty else { return }
        let again = batch
        let members = session.proofNodes
        let views = await members.concurrentMap { member in
            await Result { () async throws(ChainError) in try await member.client.read(again) }
        }
        for (member, view) in zip(members, views) {
            guard case .success(let said) = view else { continue }
            for (figure, value, slot) in doubts {
                guard case .success(let bytes) = said[slot],
                    let word = TokenAnswers.word(bytes), word != value
                else { continue }
                let token = figure.token.address
                throw DexError(
                    StateLie(
                        node: member.name,
                        subject: figure.isAllowance
                            ? .allowance(of: owner, to: spender, in: token)
                            : .balance(of: owner, in: token),
                        block: number,
                        claimed: TokenAmount(raw: word, token: figure.token).value,
                        proven: TokenAmount(raw: value, token: figure.token).value,
                        nodes: nodes
                    )
                )
            }
        }
    }
}
