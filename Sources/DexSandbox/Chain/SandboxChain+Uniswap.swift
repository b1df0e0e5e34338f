package import Ethereum
import Uniswap

/// What the operator of the chain can do to pools, quotes and tokens.
extension SandboxChain {
    /// A quote that lies is this much better than the pool, in percent.
    package static let quoteLie: UInt64 = 2

    /// The selectors of QuoterV2's functions, and whether they ask what an exact amount costs.
    private static let quoted: [[UInt8]: Bool] = [
        Array(ERC20.call("quoteExactInputSingle((address,address,uint256,uint24,uint160))")): false,
        Array(ERC20.call("quoteExactInput(bytes,uint256)")): false,
        Array(ERC20.call("quoteExactOutputSingle((address,address,uint256,uint24,uint160))")): true,
        Array(ERC20.call("quoteExactOutput(bytes,uint256)")): true,
    ]

    /// Lets eth_call of QuoterV2 answer more than the pool gives, or ask for less than it takes.
    ///
    /// Only calls lie: what a transaction does is the pool's.
    package func lieInQuotes(_ lies: Bool) {
        liesInQuotes = lies
    }

    /// A call's answer, better than it is where quotes lie.
    func embellished(_ answer: [UInt8], of request: CallMessage) -> [UInt8] {
        guard liesInQuotes, request.to == genesis.uniswap?.deployment.quoter,
            let isExactOut = Self.quoted[Array(request.data.prefix(4))],
            let amount = UInt256(bigEndian: answer.prefix(32)), amount >> 128 == .zero
        else { return answer }
        let percent = UInt256(isExactOut ? 100 - Self.quoteLie : 100 + Self.quoteLie)
        return (amount * percent / 100).word.bytes + answer.dropFirst(32)
    }

    /// Lets a token keep 1 % of each transfer from now on, or no more, by a block without
    /// transactions.
    ///
    /// - Throws: `SandboxError` for a token that cannot, or if the block cannot be stored.
    package func setTransferFee(_ isOn: Bool, of token: Address) throws(SandboxError) {
        guard genesis.tokens.contains(where: { $0.address == token && $0.canStartFee }) else {
            throw .badTokenSetting("\(token) is no plain token of the chain")
        }
        guard hasTransferFee(token) != isOn else { return }
        try makeBlock(maximumTransactions: 0, setting: feeChanges(isOn, of: token))
    }

    /// The code and the word by which a plain token keeps a fee, or no more.
    func feeChanges(_ isOn: Bool, of token: Address) -> [StorageKey: UInt256] {
        [
            StorageKey(token, .code):
                UInt256(isOn ? TokenLayout.feeCodeHash : TokenLayout.codeHash),
            StorageKey(token, TokenLayout.fee): isOn ? TokenLayout.feeMillionths : .zero,
        ]
    }

    func hasTransferFee(_ token: Address) -> Bool {
        world.value(StorageKey(token, TokenLayout.fee)) != .zero
    }

    /// Accepts signed transactions and makes one block of them, whenever blocks are made otherwise.
    ///
    /// - Throws: `ChainError` if one is refused, and then none is left waiting; `SandboxError` if
    ///   the block cannot be stored.
    package func mine(raw transactions: [[UInt8]]) async throws {
        let wasAutomining = isAutomining
        isAutomining = false
        defer { isAutomining = wasAutomining }
        var accepted: [TransactionHash] = []
        do {
            for raw in transactions { accepted.append(try await send(raw: raw)) }
        } catch {
            for hash in accepted { try forget(hash) }
            throw error
        }
        try await mine()
    }

    /// Accepts a signed transaction that waits for the next block, however blocks are made, and
    /// goes before all others there.
    ///
    /// - Throws: `ChainError` if it is refused.
    package func keep(raw: [UInt8]) async throws(ChainError) {
        let wasAutomining = isAutomining
        isAutomining = false
        defer { isAutomining = wasAutomining }
        pool.preferred = try await send(raw: raw)
    }
}
