public import Ethereum

/// What proves a quote of 0x's Swap API v2 genuine, on one chain.
///
/// Nothing in the JSON binds a contract, so only the call data counts: at most what `exec` allows,
/// the value or the permit leaves the account, and Settler's minimum arrives, or all reverts.
///
/// Source: docs/protocol/swap-v2.md, "What proves a quote genuine".
public struct ZeroExSwapRules: LiquidityRules {
    let chainID: UInt64

    /// The rules of a chain.
    public init(chainID: UInt64) {
        self.chainID = chainID
    }

    public var name: String { "0x Swap" }

    public func spender(_ payment: SwapPayment) -> Address {
        switch payment {
        case .allowance: ZeroExSwapContracts.allowanceHolder(chainID: chainID)
        case .permit: ZeroExSwapContracts.permit2
        }
    }

    public var contracts: [Address] {
        [spender(.allowance), spender(.permit), ZeroExSwapContracts.registry]
    }

    /// `ownerOf(2)` and `prev(2)`: the Settler for senders of their own, and the one before it.
    ///
    /// While the API lags behind a deployment, it still names the previous one.
    public var registryCalls: [CallRequest] {
        [Self.ownerOf, Self.previous].map { selector in
            var writer = ContractDataWriter(selector: selector)
            writer.put(Self.takerSubmitted)
            return CallRequest(to: ZeroExSwapContracts.registry, data: writer.finished)
        }
    }

    /// The current Settler, then the previous one if there is another.
    ///
    /// - Throws: `QuoteFault.paused` if the registry names no current one: its way to say that
    ///   nobody shall interact.
    public func genuine(answers: [[UInt8]?]) throws(QuoteFault) -> [Address] {
        guard answers.count == 2, let current = Self.settler(answers[0]) else { throw .paused }
        guard let previous = Self.settler(answers[1]), previous != current else {
            return [current]
        }
        return [current, previous]
    }

    /// The address of an answer; nil if it is not exactly one, or zero.
    private static func settler(_ answer: [UInt8]?) -> Address? {
        guard let answer, let word = Bytes32(bytes: answer), word != .zero else { return nil }
        return Address(ifWord: word)
    }

    private static let ownerOf: UInt32 = 0x6352_211e
    private static let previous: UInt32 = 0xe260_3dc2
    /// The registry's number of the Settler that a taker calls.
    private static let takerSubmitted: UInt256 = 2
}
