public import Ethereum

extension RouterCall {
    /// What the swaps brought of an exact amount in, or cost of an exact amount out, all together.
    ///
    /// A router tells what a pool sent: of a token that takes a fee when it moves, less arrives.
    ///
    /// - Parameter answer: what the call returned: a `bytes[]`, each swap's with one number.
    /// - Returns: base units; nil for anything else.
    public func result(_ answer: [UInt8]) -> UInt256? {
        guard var arguments = CallArguments(answer[...], as: [.array(.bytes)]),
            let results = arguments.byteStrings(), results.count >= swaps.count
        else { return nil }
        var sum = UInt256.zero
        for result in results.prefix(swaps.count) {
            guard result.count == 32, let amount = UInt256(bigEndian: result) else { return nil }
            sum = sum.addingSaturating(amount)
        }
        return sum
    }
}

extension V2RouterCall {
    /// What the swap brought of an exact amount in, or cost of an exact amount out.
    ///
    /// - Parameter answer: what the call returned: the amounts along the path.
    /// - Returns: base units; nil for anything else, as of a swap that measures.
    public func result(_ answer: [UInt8]) -> UInt256? {
        guard var arguments = CallArguments(answer[...], as: [.array(.uint(256))]),
            let amounts = arguments.numbers(), amounts.count == path.tokens.count
        else { return nil }
        return if case .exactIn = amount { amounts.last } else { amounts.first }
    }
}
