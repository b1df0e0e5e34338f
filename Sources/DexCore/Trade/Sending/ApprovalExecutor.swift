import Ethereum
import ZeroEx

/// Sends the approvals of a plan, each estimated afresh right before it is signed.
struct ApprovalExecutor {
    let session: Session
    let sender: TransactionSender
    let contracts: ExchangeContracts

    /// What was sent, and whether all of it is mined and succeeded.
    struct Result {
        var transactions: [SentTransaction] = []
        var isDone = true

        /// How the command ends where an approval did not get through.
        var exit: ExitCode {
            switch transactions.last?.status {
            case .pending: .notMinedYet
            case .replaced, .dropped: .replacedOrDropped
            case .reverted: .reverted
            case .mined, nil: .done
            }
        }
    }

    func send(
        _ steps: [ApprovalStep],
        budget: inout GasBudget
    ) async throws(DexError) -> Result {
        var result = Result()
        for step in steps {
            let sent = try await send(step, budget: budget)
            result.transactions.append(sent.sent)
            budget.spend(sent.sent.cost)
            guard sent.sent.status == .mined else {
                result.isDone = false
                return result
            }
        }
        return result
    }

    private func send(
        _ step: ApprovalStep,
        budget: GasBudget
    ) async throws(DexError) -> TransactionSender.Result {
        session.environment.progress(step.summary(spender: contracts.transferContract))
        let account = sender.signer.address
        let setup = try await ChainSetup.read(
            session,
            account: account,
            extra: [.call(step.call, .latest), .estimateGas(step.call)]
        )
        // The transfer contract that was confirmed is the only one that is ever approved.
        guard setup.contracts == contracts, let fees = setup.fees,
            let nonce = setup.pendingNonce, setup.extra.count == 2
        else { throw TradeExecutor.contractsChanged }
        guard case .success(.bytes(let returned)) = setup.extra[0],
            ApprovalPlanner.isSuccess(returned),
            case .success(.number(let gas)) = setup.extra[1]
        else {
            throw DexError(
                .simulationFailed,
                code: "approval-fails",
                message: "The approval fails in the simulation; it was not sent.",
                hint: "Run the command again to see a new plan.",
                retryable: true
            )
        }
        let limit = try GasPricing.limit(estimate: gas, percent: 110, block: setup.block)
        return try await sender.send(
            TransactionSender.Request(
                purpose: step.purpose,
                to: step.call.to,
                data: step.call.data,
                value: .zero,
                gasLimit: limit,
                fee: try budget.fee(fees, limit: limit),
                pendingNonce: nonce,
                chainID: session.network.chainID
            ),
            contracts: contracts
        )
    }
}
