import DexSandbox
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

    /// Asks everything in one batch, so all is of one block.
    ///
    /// - Throws: `ChainError`.
    static func read(
        _ chain: any ChainClient,
        for query: SwapAPIQuery,
        spender: Address
    ) async throws(ChainError) -> SwapSnapshot {
        var batch = ReadBatch()
        func call(_ to: Address, _ data: [UInt8]) -> ReadSlot<[UInt8]> {
            batch.add(.call(CallRequest(to: to, data: data), .latest))
        }
        let (latest, gasPrice) = (batch.add(.latestBlock), batch.add(.gasPrice))
        let settlerRole = UInt256(2).word
        let settlers = [
            call(GenesisSwap.registry, ERC20.call("ownerOf(uint256)", settlerRole)),
            call(GenesisSwap.registry, ERC20.call("prev(uint128)", settlerRole)),
        ]
        let pools = SandboxPools.all.map(\.address).map { pool in
            (pool, call(pool, ERC20.call("tokens()")), call(pool, ERC20.call("reserves()")))
        }
        let ether = query.taker.flatMap { taker in
            query.sellsNative ? batch.add(.balance(taker, .latest)) : nil
        }
        let tokens = query.taker.flatMap { taker in
            query.sellsNative ? nil : call(query.sellToken, ERC20.balanceOf(taker))
        }
        let allowance = query.taker.flatMap { taker in
            query.approvedToken.map {
                call($0, ERC20.allowance(owner: taker, spender: spender))
            }
        }
        let answers = try await chain.read(batch)
        // What a call returned; nothing where it reverted.
        func bytes(_ slot: ReadSlot<[UInt8]>) -> [UInt8] { (try? answers[slot].get()) ?? [] }
        // Zero for a token that is none.
        func amount(_ slot: ReadSlot<[UInt8]>) -> UInt256 {
            Bytes32(bytes: bytes(slot)).map { UInt256($0) } ?? .zero
        }
        // nil where it reverted, as a paused registry does, or names nobody.
        let named = settlers.map { slot in
            Bytes32(bytes: bytes(slot)).map { Address(truncating: $0) }
                .flatMap { $0 == .zero ? nil : $0 }
        }
        let head = try answers[latest].get()
        return SwapSnapshot(
            block: head.number,
            timestamp: head.timestamp,
            gasPrice: try answers[gasPrice].get(),
            settler: named[0] ?? GenesisSwap.currentSettler,
            previousSettler: named[1],
            pools: pools.compactMap { address, tokens, reserves in
                ConstantPool(address: address, tokens: bytes(tokens), reserves: bytes(reserves))
            },
            // Zero where the node does not say it.
            balance: ether.map { (try? answers[$0].get().rawValue) ?? .zero }
                ?? tokens.map(amount),
            allowance: allowance.map(amount)
        )
    }
}
