import DexSandbox
import Ethereum
import StrictJSON

/// Makes the answer to a request for a price or a quote, with its fault if it has one.
struct SwapQuoting: Sendable {
    let query: SwapAPIQuery
    let endpoint: SwapAPI.Endpoint
    let isFirm: Bool
    let chainID: UInt64
    let snapshot: SwapSnapshot
    /// Seconds since 1970.
    let time: UInt64
    let id: Bytes32
    let zid: String

    /// How many blocks a stale quote is behind.
    static let staleBlocks: UInt64 = 100
    /// For how many seconds a stale quote has expired.
    static let expired: UInt64 = 60

    /// The JSON of a price or a quote.
    ///
    /// - Throws: `SwapAPIError.failed`, never for the message of a quote that is made here.
    func body(_ strike: FaultRegistry.QuoteStrike?) throws(SwapAPIError) -> JSONObject {
        let kind = strike?.kind
        guard kind != .noLiquidity, var trade = PooledTrade(query, snapshot.pools) else {
            return SwapAnswer.withoutLiquidity(zid)
        }
        if kind == .worse { trade = trade.worse }
        let answer = SwapAnswer(
            query: query,
            trade: trade,
            snapshot: snapshot,
            spender: endpoint.spender,
            zid: zid
        )
        var body = answer.json(isFirm: isFirm)
        if isFirm, let taker = query.taker {
            do throws(TypedDataError) {
                try sign(&body, answer, taker, strike)
            } catch {
                throw .failed
            }
        }
        if let strike { bend(&body, answer, strike) }
        return body
    }

    /// Adds the transaction and the message that a quote has.
    private func sign(
        _ body: inout JSONObject,
        _ answer: SwapAnswer,
        _ taker: Address,
        _ strike: FaultRegistry.QuoteStrike?
    ) throws(TypedDataError) {
        let trade = answer.trade
        let call = SettlerCall(
            query: query,
            trade: trade,
            words: words(taker, trade, strike),
            taker: taker,
            deadline: deadline(strike),
            // Only a signed message has one: Settler takes no other through the AllowanceHolder.
            nonce: endpoint == .permit2 ? UInt256(Keccak256.hash(id.bytes)) : .zero,
            // The highest twelve bytes are the id; the others would be an affiliate's.
            id: Bytes32(limbs: (id.limbs.0, id.limbs.1 & 0xffff_ffff_0000_0000, 0, 0))
        )
        let value = query.sellsNative ? trade.maximumSold : .zero
        if endpoint == .permit2 { body["permit2"] = .null }
        if query.isDirectWrap {
            body["transaction"] = answer.transaction(
                to: strike?.kind == .settler ? SwapContracts.stranger : SwapContracts.wrapped,
                data: query.sellsNative
                    ? ERC20.call("deposit()") : ERC20.call("withdraw(uint256)", trade.sold.word),
                value: value
            )
            return
        }
        switch endpoint {
        case .allowanceHolder:
            body["transaction"] = answer.transaction(
                to: GenesisSwap.allowanceHolder,
                data: call.throughAllowanceHolder,
                value: value
            )
        case .permit2:
            body["transaction"] = answer.transaction(
                to: call.words.settler,
                data: call.direct,
                value: value
            )
            guard !query.sellsNative else { return }
            body["permit2"] = try PermitMessage(
                chainID: chainID,
                token: query.sellToken,
                amount: trade.maximumSold,
                spender: call.words.settler,
                nonce: call.nonce,
                deadline: call.deadline
            ).json()
        }
    }

    /// What the call data promises: what the JSON says, unless a fault makes it lie.
    private func words(
        _ taker: Address,
        _ trade: PooledTrade,
        _ strike: FaultRegistry.QuoteStrike?
    ) -> SettlerCall.Words {
        var words = SettlerCall.Words(
            settler: snapshot.settler,
            recipient: query.recipient ?? taker,
            buyToken: query.buyToken,
            minimum: trade.minimumBought
        )
        switch strike?.kind {
        case .recipient: words.recipient = SwapContracts.stranger
        case .token:
            words.buyToken =
                SandboxTokens.all.map(\.address).first {
                    $0 != query.buyToken && $0 != query.sellToken
                } ?? SwapContracts.stranger
        case .minimum:
            let isNone = (strike?.number ?? 0).isMultiple(of: 2)
            words.minimum = isNone ? .zero : trade.minimumBought / 2
        case .settler: words.settler = SwapContracts.stranger
        case .previous: words.settler = snapshot.previousSettler ?? snapshot.settler
        default: break
        }
        return words
    }

    private func deadline(_ strike: FaultRegistry.QuoteStrike?) -> UInt64 {
        let now = max(time, snapshot.timestamp)
        guard strike?.kind == .stale else { return now.addingSaturating(SwapAPI.lifetime) }
        return now - min(now, Self.expired)
    }

    /// Changes what a fault says about the JSON itself.
    private func bend(
        _ body: inout JSONObject,
        _ answer: SwapAnswer,
        _ strike: FaultRegistry.QuoteStrike
    ) {
        var issues = body["issues"]?.objectValue ?? JSONObject()
        switch strike.kind {
        case .stale:
            let block = snapshot.block - min(snapshot.block, Self.staleBlocks)
            body["blockNumber"] = .string("\(block)")
        case .spender:
            body["allowanceTarget"] = .string(SwapContracts.stranger.lowercaseHex)
            issues["allowance"] = SwapAnswer.allowance(
                actual: snapshot.allowance ?? .zero,
                SwapContracts.stranger
            )
            body["issues"] = .object(issues)
        case .balance:
            issues["balance"] = answer.balance(actual: answer.trade.maximumSold - 1)
            issues["simulationIncomplete"] = true
            body["issues"] = .object(issues)
        case .fields: FieldFault.of(strike.number, isFirm: isFirm).apply(to: &body)
        default: break
        }
    }
}
