import DexSandbox
import Ethereum
import EthereumWallet
import ZeroEx

/// A faster taker, who sees a fill and fills its first order right before it.
struct Frontrunner: Sendable {
    let chain: SandboxChain
    let accounts: SandboxAccounts
    let venues: [SandboxDeployment]
    let chainID: UInt64
    let recoverer = Secp256k1()

    /// More than any of its transactions uses.
    private static let gasLimit: UInt64 = 500_000

    /// Fills the first fillable order of a fill.
    ///
    /// - Returns: false if the transaction is not a fill, or no other account can fill its orders.
    func fills(before signed: SignedTransaction) async -> Bool {
        guard let venue = venues.first(where: { $0.contracts.exchange == signed.transaction.to })
        else { return false }
        for order in venue.filledOrders(in: signed.transaction.data) {
            for signer in candidates
            where signer.address != signed.sender && signer.address != order.maker {
                guard order.reservation(against: signer.address) == nil else { continue }
                // Twice the gas price of the transaction to front-run.
                let price = signed.transaction.maximumGasPrice
                let turn = Turn(
                    venue: venue,
                    signer: signer,
                    gasPrice: price.multiplied(by: 2) ?? price
                )
                if (try? await fill(order, turn)) == true { return true }  // the next may
            }
        }
        return false
    }

    /// The possible takers: traders from the last one, then makers.
    private var candidates: [PrivateKeySigner] {
        (accounts.traders.reversed() + accounts.makers)
            .compactMap { accounts.signer(named: $0.name) }
    }

    /// What it takes part with: one of its accounts at one exchange.
    private struct Turn {
        let venue: SandboxDeployment
        let signer: PrivateKeySigner
        let gasPrice: Wei
    }

    /// Fills all that is left of an order, or as much as the taker can pay for.
    ///
    /// - Returns: whether it was accepted: at once, or with the next block.
    private func fill(_ order: any SignedOrder, _ turn: Turn) async throws -> Bool {
        let (venue, signer) = (turn.venue, turn.signer)
        let exchange = venue.exchangeProtocol
        var answers: [[UInt8]] = []
        for call in exchange.stateCalls(of: [order], contracts: venue.contracts) {
            answers.append(try await chain.call(call))
        }
        guard let state = try exchange.states(of: [order], answers: answers).first,
            state.status == .open
        else { return false }
        let feeToken = exchange.feeToken(of: order, contracts: venue.contracts)
        let balance = try await number(order.takerToken, ERC20.balanceOf(signer.address))
        var amount = min(state.remaining, balance)
        if feeToken == order.takerToken, order.takerFee > .zero {
            // The payment and the fee on top are in the same token.
            let part = UInt256.mulDiv(
                balance,
                order.takerAmount,
                order.takerAmount.addingSaturating(order.takerFee)
            )
            amount = min(amount, part?.quotient ?? .zero)
        }
        guard amount > .zero else { return false }
        var approved: Set<Address> = [order.takerToken]
        if order.takerFee > .zero { approved.insert(feeToken) }
        let spender = venue.contracts.transferContract
        for token in approved {
            let query = ERC20.allowance(owner: signer.address, spender: spender)
            guard try await number(token, query) < balance else { continue }
            try await send(turn, to: token, ERC20.approve(spender: spender, amount: .max))
        }
        let call = exchange.fillCall(
            PlannedFill(order: order, takerAmount: amount),
            mode: .skipping,
            contracts: venue.contracts
        )
        try await send(turn, to: call.to, call.data, value: call.value(at: turn.gasPrice))
        return true
    }

    private func number(_ to: Address, _ data: [UInt8]) async throws -> UInt256 {
        let bytes = try await chain.call(CallRequest(to: to, data: data))
        return UInt256(bigEndian: bytes) ?? .zero
    }

    private func send(
        _ turn: Turn,
        to address: Address,
        _ data: [UInt8],
        value: Wei = .zero
    ) async throws {
        let raw = try await chain.signed(
            CallRequest(
                to: address,
                data: data,
                value: value,
                gas: Self.gasLimit,
                fee: .legacy(gasPrice: turn.gasPrice)
            ),
            by: turn.signer,
            chainID: chainID
        )
        _ = try await chain.send(raw: raw)
    }
}

extension SandboxChain {
    /// A signed transaction with the next nonce of its sender; the call names its gas and its fee.
    ///
    /// - Parameter others: how many transactions with lower nonces are not sent yet.
    func signed(
        _ call: CallRequest,
        by signer: PrivateKeySigner,
        chainID: UInt64,
        after others: UInt64 = 0
    ) async throws -> [UInt8] {
        let nonce = try await read(.transactionCount(signer.address, .pending))
        let transaction = Transaction(
            chainID: chainID,
            nonce: nonce.addingSaturating(others),
            fee: call.fee ?? .legacy(gasPrice: .zero),
            gasLimit: call.gas ?? 0,
            to: call.to,
            value: call.value,
            data: call.data
        )
        return try await signer.sign(transaction, chainID: chainID).raw
    }
}
