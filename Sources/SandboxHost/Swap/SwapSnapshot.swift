import Ethereum

/// What a price or a quote is made from: the chain at its newest block.
struct SwapSnapshot: Hashable, Sendable {
    let block: UInt64
    /// Of the block; seconds since 1970.
    let timestamp: UInt64
    let gasPrice: Wei
    /// The genuine Settler of the moment.
    let settler: Address
    /// nil if the registry names none.
    let previousSettler: Address?
    let pools: [ConstantPool]
    /// Of the sold asset; nil without a taker.
    let balance: UInt256?
    /// Of the sold token for the spender; nil where nothing is approved.
    let allowance: UInt256?

    private static let headReads = 4

    /// Asks everything in one batch, so all is of one block.
    ///
    /// - Throws: `ChainError`.
    static func read(
        _ chain: any ChainClient,
        for query: SwapAPIQuery,
        spender: Address
    ) async throws(ChainError) -> SwapSnapshot {
        func call(_ to: Address, _ data: [UInt8]) -> ChainRead {
            .call(CallRequest(to: to, data: data), .latest)
        }
        let settlerRole = UInt256(2).word
        var reads: [ChainRead] = [
            .block(.latest), .gasPrice,
            call(SwapContracts.registry, ERC20.call("ownerOf(uint256)", settlerRole)),
            call(SwapContracts.registry, ERC20.call("prev(uint128)", settlerRole)),
        ]
        for pool in SwapContracts.pools {
            reads += [call(pool, ERC20.call("tokens()")), call(pool, ERC20.call("reserves()"))]
        }
        let owned = reads.count
        if let taker = query.taker {
            reads.append(
                query.sellsNative
                    ? .balance(taker, .latest) : call(query.sellToken, ERC20.balanceOf(taker))
            )
            if let token = query.approvedToken {
                reads.append(call(token, ERC20.allowance(owner: taker, spender: spender)))
            }
        }
        let answers = try await chain.read(reads)
        guard answers.count == reads.count else {
            throw .nonsense("\(answers.count) answers to \(reads.count) questions")
        }
        guard case .block(let found) = try answers[0].get(), let head = found,
            case .wei(let gasPrice) = try answers[1].get()
        else { throw .nonsense("the newest block is missing") }
        return SwapSnapshot(
            block: head.number,
            timestamp: head.timestamp,
            gasPrice: gasPrice,
            settler: address(answers[2]) ?? SwapContracts.settler,
            previousSettler: address(answers[3]),
            pools: SwapContracts.pools.enumerated().compactMap { index, address in
                let place = headReads + 2 * index
                return ConstantPool(
                    address: address,
                    tokens: bytes(answers[place]),
                    reserves: bytes(answers[place + 1])
                )
            },
            balance: query.taker == nil ? nil : amount(answers[owned]),
            allowance: query.taker == nil || query.approvedToken == nil
                ? nil : amount(answers[owned + 1])
        )
    }

    /// What a call returned; nothing where it reverted.
    private static func bytes(_ answer: Result<ChainAnswer, ChainError>) -> [UInt8] {
        if case .success(.bytes(let bytes)) = answer { bytes } else { [] }
    }

    /// nil where it reverted, as a paused registry does, or names nobody.
    private static func address(_ answer: Result<ChainAnswer, ChainError>) -> Address? {
        guard let word = Bytes32(bytes: bytes(answer)) else { return nil }
        let address = Address(truncating: word)
        return address == .zero ? nil : address
    }

    /// Zero for a token that is none.
    private static func amount(_ answer: Result<ChainAnswer, ChainError>) -> UInt256 {
        if case .success(.wei(let wei)) = answer { return wei.rawValue }
        return Bytes32(bytes: bytes(answer)).map { UInt256($0) } ?? .zero
    }
}
