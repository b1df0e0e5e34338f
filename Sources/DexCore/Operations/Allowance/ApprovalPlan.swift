import Ethereum

/// A missing allowance of the transfer contract for a trade.
struct ApprovalNeed: Hashable, Sendable {
    let token: Token
    /// Base units that are approved now.
    let current: UInt256
    /// Base units that will be approved.
    let amount: UInt256
}

/// Finds the required approvals by simulation.
struct ApprovalPlanner {
    let owner: Address
    let spender: Address
    let approval: TradeSettings.Approval
    let overrides: FeeOverrides
    let session: Session
    var spenderName = "the transfer contract"

    /// The missing part of these requirements.
    ///
    /// - Throws: `DexError`, exit 6, if a token's contract does not report the allowance.
    func needs(
        _ requirements: [(token: Token, amount: UInt256)],
        account: AccountSnapshot
    ) throws(DexError) -> [ApprovalNeed] {
        var needs: [ApprovalNeed] = []
        for (token, amount) in requirements {
            let current = try account.allowance(of: token)
            guard current < amount else { continue }
            needs.append(
                ApprovalNeed(
                    token: token,
                    current: current,
                    amount: approval == .unlimited ? .max : amount
                )
            )
        }
        return needs
    }

    /// The slots of an approval's simulation, and of a revocation's.
    struct Simulation {
        fileprivate let raise: ReadSlot<[UInt8]>
        fileprivate let raiseGas: ReadSlot<UInt64>
        fileprivate let resetGas: ReadSlot<UInt64>
        fileprivate let accesses: ReadSlot<AccessListTrace>
    }

    /// Adds the simulation of an approval.
    func ask(_ token: Token, _ amount: UInt256, in batch: inout ReadBatch) -> Simulation {
        let raise = approve(token.address, amount)
        let reset = approve(token.address, .zero)
        return Simulation(
            raise: batch.add(.call(raise, .latest)),
            raiseGas: batch.add(.estimateGas(raise)),
            resetGas: batch.add(.estimateGas(reset)),
            // It reads what a raise reads, and no token refuses it.
            accesses: batch.add(.accessList(reset))
        )
    }

    /// Adds the simulations of all needs.
    func ask(
        _ needs: [ApprovalNeed],
        block: Block,
        in batch: inout ReadBatch
    ) -> JointRead<[PlannedStep]> {
        let asked = needs.map { ($0, ask($0.token, $0.amount, in: &batch)) }
        return JointRead { answers throws(DexError) in
            var steps: [PlannedStep] = []
            for (need, simulation) in asked {
                steps += try self.steps(need, simulation, in: answers, block: block)
            }
            return steps
        }
    }

    /// The steps, by the simulation.
    ///
    /// - Throws: `DexError`, exit 10, if the token accepts no approval at all.
    func steps(
        _ need: ApprovalNeed,
        _ simulation: Simulation,
        in answers: ReadAnswers,
        block: Block
    ) throws(DexError) -> [PlannedStep] {
        let raise = approve(need.token.address, need.amount)
        let reset = approve(need.token.address, .zero)
        answers.learn(simulation.accesses, of: reset, into: session.accesses)
        if try succeeded(answers[simulation.raise]) {
            let gas = try estimate(answers[simulation.raiseGas], token: need.token)
            let purpose = need.amount == .zero ? TransactionPurpose.resetAllowance : .approve
            return [try step(need, purpose, raise, gas: gas, block: block)]
        }
        guard need.current > .zero else { throw refused(need.token) }
        // USDT reverts unless the allowance is zero: zero first.
        let gas = try estimate(answers[simulation.resetGas], token: need.token)
        return [
            try step(need, .resetAllowance, reset, gas: gas, block: block),
            // Writing to a cleared slot costs about 20,000 gas more than clearing it.
            try step(
                need,
                .approve,
                raise,
                gas: gas.addingSaturating(25_000),
                block: block
            ),
        ]
    }

    private func approve(_ token: Address, _ amount: UInt256) -> CallRequest {
        CallRequest(
            from: owner,
            to: token,
            data: ERC20.approve(spender: spender, amount: amount)
        )
    }

    private func succeeded(_ answer: Result<[UInt8], ChainError>) throws(DexError) -> Bool {
        switch answer {
        case .success(let returned): return TokenAnswers.isSuccess(returned)
        case .failure(let error) where error.isExecutionFailure: return false
        case .failure(let error): throw DexError(error)
        }
    }

    private func estimate(
        _ answer: Result<UInt64, ChainError>,
        token: Token
    ) throws(DexError) -> UInt64 {
        switch answer {
        case .success(let gas): return gas
        case .failure(let error) where error.isExecutionFailure: throw refused(token)
        case .failure(let error): throw DexError(error)
        }
    }

    private func refused(_ token: Token) -> DexError {
        CallError.approvalFails(token)
    }

    private func step(
        _ need: ApprovalNeed,
        _ purpose: TransactionPurpose,
        _ call: CallRequest,
        gas: UInt64,
        block: Block
    ) throws(DexError) -> PlannedStep {
        let planned = PlannedCall(
            purpose: purpose,
            summary: summary(need, purpose),
            subject: "the approval",
            request: call,
            answer: .success
        )
        return PlannedStep(
            call: planned,
            gasLimit: try GasLimit(
                estimate: gas,
                percent: planned.margin,
                of: call,
                within: GasBounds(block, session.network.fees, overrides)
            )
        )
    }

    private func summary(_ need: ApprovalNeed, _ purpose: TransactionPurpose) -> String {
        let token = PlainText.name(need.token.symbol)
        let contract = "\(spenderName) \(spender.checksummed)"
        guard purpose == .approve else {
            return "set the allowance of \(token) to \(contract) to 0"
                + (need.amount == .zero ? "" : " first")
        }
        let amount =
            need.amount == .max
            ? "unlimited" : TokenAmount(raw: need.amount, token: need.token).value
        return "approve \(amount) \(token) to \(contract)"
    }
}
