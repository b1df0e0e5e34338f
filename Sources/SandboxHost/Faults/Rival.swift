import DexSandbox
import Ethereum
import EthereumWallet
import ZeroEx

/// Another taker, who is faster: sees a fill and fills its first order right before.
struct Rival: Sendable {
    let chain: SandboxChainClient
    let accounts: SandboxAccounts
    let recoverer = Secp256k1()

    /// More than any of its transactions uses.
    private static let gasLimit: UInt64 = 500_000

    /// Fills the first order of a fill that can be filled.
    ///
    /// - Returns: false where the transaction is no fill, or none of its orders can be filled by
    ///   anybody else.
    func fills(before signed: SignedTransaction) async -> Bool {
        guard signed.transaction.to == SandboxTokens.contracts.exchange,
            let call = try? ExchangeCallV1(data: signed.transaction.data)
        else { return false }
        for order in Self.orders(of: call) {
            for signer in candidates
            where signer.address != signed.sender && signer.address != order.terms.maker {
                guard order.terms.taker == .zero || order.terms.taker == signer.address else {
                    continue
                }
                let price = signed.transaction.maximumGasPrice
                if (try? await fill(order, by: signer, above: price)) == true { return true }
            }
        }
        return false
    }

    /// Who may be the other taker: traders from the last one, then makers.
    private var candidates: [PrivateKeySigner] {
        (accounts.traders.reversed() + accounts.makers)
            .compactMap { accounts.signer(named: $0.name) }
    }

    /// The orders of a fill whose signatures are of the right form, in its order.
    private static func orders(of call: ExchangeCallV1) -> [SignedOrderV1] {
        switch call {
        case .fillOrder(let addresses, let values, _, _, let signature),
            .fillOrKillOrder(let addresses, let values, _, let signature):
            return [order(addresses, values, signature)].compactMap { $0 }
        case .fillOrdersUpTo(let orders, _, _, let signatures),
            .batchFillOrders(let orders, _, _, let signatures),
            .batchFillOrKillOrders(let orders, _, let signatures):
            let fields = zip(zip(signatures.v, signatures.r), signatures.s)
                .map { SignatureFieldsV1(v: $0.0, r: $0.1, s: $1) }
            return zip(zip(orders.addresses, orders.values), fields)
                .compactMap { order($0.0, $0.1, $1) }
        default: return []
        }
    }

    private static func order(
        _ addresses: OrderAddressesV1,
        _ values: OrderValuesV1,
        _ fields: SignatureFieldsV1
    ) -> SignedOrderV1? {
        let exchange = SandboxTokens.contracts.exchange
        return fields.signature.map { signature in
            SignedOrderV1(
                terms: OrderDraft(exchange: exchange, addresses, values),
                signature: signature
            )
        }
    }

    // MARK: Filling

    /// Fills all that is left of an order.
    ///
    /// - Returns: whether it was taken: at once, or with the next block.
    private func fill(
        _ order: SignedOrderV1,
        by signer: PrivateKeySigner,
        above price: Wei
    ) async throws -> Bool {
        let exchangeProtocol = ZeroExV1()
        let hash = exchangeProtocol.hash(of: order.terms)
        let exchange = SandboxTokens.contracts.exchange
        func number(_ to: Address, _ data: [UInt8]) async throws -> UInt256 {
            let bytes = try await chain.call(CallRequest(from: signer.address, to: to, data: data))
            return UInt256(bigEndian: bytes) ?? .zero
        }
        let used = try await number(
            exchange,
            ExchangeCallV1.getUnavailableTakerTokenAmount(hash).data
        )
        let (left, isOver) = order.terms.takerAmount.subtractingReportingOverflow(used)
        let token = order.terms.takerToken
        let balance = try await number(token, ERC20.balanceOf(signer.address))
        let amount = min(left, balance)
        guard !isOver, amount > .zero else { return false }
        var approved: Set<Address> = [token]
        if order.terms.fees.takerFee > .zero { approved.insert(SandboxTokens.zrx.address) }
        let spender = SandboxTokens.contracts.transferContract
        for token in approved {
            let query = ERC20.allowance(owner: signer.address, spender: spender)
            guard try await number(token, query) < balance else { continue }
            let data = ERC20.approve(spender: spender, amount: .max)
            try await send(to: token, data, by: signer, above: price)
        }
        let call = ExchangeCallV1.fillOrder(
            OrderAddressesV1(order.terms),
            OrderValuesV1(order.terms),
            fill: amount,
            shouldThrow: false,
            SignatureFieldsV1(order.signature)
        )
        try await send(to: exchange, call.data, by: signer, above: price)
        return true
    }

    /// Pays twice as much for gas as whoever is to come behind.
    private func send(
        to address: Address,
        _ data: [UInt8],
        by signer: PrivateKeySigner,
        above price: Wei
    ) async throws {
        let nonce = try await chain.read(.transactionCount(signer.address, .pending)).number()
        let double = price.multiplied(by: 2) ?? price
        let transaction = Transaction(
            chainID: SandboxTokens.chainID,
            nonce: nonce,
            fee: .legacy(gasPrice: double),
            gasLimit: Self.gasLimit,
            to: address,
            data: data
        )
        let signed = try await signer.sign(transaction, chainID: SandboxTokens.chainID)
        _ = try await chain.send(raw: signed.raw)
    }
}
