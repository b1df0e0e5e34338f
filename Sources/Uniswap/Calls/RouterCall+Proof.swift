public import Ethereum

extension RouterCall {
    /// Call data to be simulated in place of the call, and never to be signed: they revert with
    /// "Insufficient token" where less of the bought token would arrive than the swaps have to give.
    ///
    /// The swaps themselves do not see a token that takes a fee when it moves: a v3 pool tells how
    /// much it sent. So here they give to the router, and `sweepToken` compares their minimum with
    /// what the router really got. What the router held before goes away first, or somebody could
    /// hide a fee by a present.
    ///
    /// The transfer to the router stands for that to the account: a token that takes a fee from the
    /// account alone is not seen.
    ///
    /// - Parameter account: where the sweeps send the tokens.
    public func arrivalProof(of token: Address, for account: Address) -> [UInt8] {
        func sweep(_ minimum: UInt256) -> [UInt8] {
            var call = CallEncoder(selector: RouterFunction.sweepToken.selector)
            call.add(token.word, minimum.word, account.word)
            return call.data
        }
        let kept = swaps.map { swap in
            var swap = swap
            swap.recipient = RouterSwap.inRouter
            return swap
        }
        let minimum = swaps.map(\.minimum).reduce(UInt256.zero) { $0.addingSaturating($1) }
        var calls = [sweep(.zero)] + kept.map(\.data) + [sweep(minimum)]
        if refunds { calls.append(CallEncoder(selector: RouterFunction.refundETH.selector).data) }
        return multicall(calls)
    }
}
