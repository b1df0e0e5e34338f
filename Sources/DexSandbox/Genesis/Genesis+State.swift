package import Ethereum
import ZeroEx

extension Genesis {
    /// The state of block 0.
    var slots: [StorageKey: UInt256] {
        var slots: [StorageKey: UInt256] = [:]
        for account in accounts {
            slots[StorageKey(account.address, .ether)] = account.ether.rawValue
            slots[StorageKey(account.address, .nonce)] = UInt256(account.nonce)
        }
        let wrapped = Set(tokens.filter { $0.kind == .weth }.map(\.address))
        for balance in allBalances {
            slots[StorageKey(balance.token, .balance(balance.owner))] = balance.amount
            // `validate` has summed them without an overflow.
            if wrapped.contains(balance.token) {
                slots[StorageKey(balance.token, .ether), default: .zero] += balance.amount
            } else {
                slots[StorageKey(balance.token, .supply), default: .zero] += balance.amount
            }
        }
        for allowance in allowances {
            let slot = Slot.allowance(owner: allowance.owner, spender: allowance.spender)
            slots[StorageKey(allowance.token, slot)] = allowance.amount
        }
        for order in orders {
            slots[StorageKey(exchange, .filled(order.hash))] = order.filled
            slots[StorageKey(exchange, .cancelled(order.hash))] = order.cancelled
        }
        slots[StorageKey(exchange, .fixed(ExchangeContract.feeTokenSlot))] =
            UInt256(feeToken.word)
        slots[StorageKey(exchange, .fixed(ExchangeContract.proxySlot))] =
            UInt256(transferProxy.word)
        slots[StorageKey(transferProxy, .authorized(exchange))] = 1
        for order in nativeOrders {
            slots[StorageKey(exchangeProxy, ExchangeProxyStorage.order(order.hash))] =
                ExchangeProxyStorage.state(filled: order.filled, isCancelled: order.isCancelled)
        }
        for function in ExchangeFunctionV4.allCases {
            let slot = ExchangeProxyStorage.implementation(function.rawValue)
            slots[StorageKey(exchangeProxy, slot)] =
                UInt256(ExchangeProxyContract.feature(of: function).word)
        }
        for (key, value) in swap?.slots ?? [:] { slots[key] = value }
        for (key, value) in uniswap?.slots(time: timestamp) ?? [:] { slots[key] = value }
        return slots.filter { $0.value != .zero }
    }

    /// The balances of the accounts, and those of the pools.
    private var allBalances: [GenesisBalance] {
        balances + (swap?.balances ?? []) + (uniswap?.balances ?? [])
    }

    /// Checks that the chain's rules can hold.
    ///
    /// - Throws: `SandboxError.badGenesis`.
    package func validate() throws(SandboxError) {
        let contracts =
            tokens.map(\.address) + [exchange, transferProxy, exchangeProxy]
            + (swap?.contracts ?? []) + (uniswap?.contracts ?? [])
        guard Set(contracts).count == contracts.count, !contracts.contains(.zero) else {
            throw .badGenesis("each contract needs an address of its own that is not zero")
        }
        guard blockGasLimit >= 1_000_000, blockGasLimit < 1 << 40 else {
            throw .badGenesis("the block gas limit must be 1,000,000 to 2^40")
        }
        guard timestamp < 1 << 40 else {
            throw .badGenesis("the timestamp must be in seconds since 1970")
        }
        guard baseFeePerGas < 1 << 56 else { throw .badGenesis("the base fee is above 2^56 wei") }
        guard accounts.allSatisfy({ $0.nonce < 1 << 62 }) else {
            throw .badGenesis("a nonce is above 2^62")
        }
        // With this limit no sum of balances exceeds 256 bits.
        let limit = UInt256(1) << 128
        let wrapped = Set(tokens.filter { $0.kind == .weth }.map(\.address))
        var ether = UInt256.zero
        for amount in accounts.map(\.ether.rawValue)
            + allBalances.filter({ wrapped.contains($0.token) }).map(\.amount)
        {
            guard amount < limit else { throw .badGenesis("an account has 2^128 wei or more") }
            ether += amount
        }
        guard ether < limit else { throw .badGenesis("there are 2^128 wei or more") }
        let known = Set(tokens.map(\.address))
        var supplies: [Address: UInt256] = [:]
        for balance in allBalances {
            guard known.contains(balance.token) else {
                throw .badGenesis("there is a balance of the unknown token \(balance.token)")
            }
            let (sum, overflow) = supplies[balance.token, default: .zero]
                .addingReportingOverflow(balance.amount)
            guard !overflow else {
                throw .badGenesis("the supply of \(balance.token) exceeds 256 bits")
            }
            supplies[balance.token] = sum
        }
        try swap?.validate(tokens: tokens)
        try uniswap?.validate(tokens: tokens)
    }

    /// A hash over the whole genesis, by which a stored chain recognises it.
    var digest: Bytes32 {
        var items: [RLP] = [
            .integer(UInt256(chainID)), .integer(UInt256(blockGasLimit)),
            .integer(UInt256(baseFeePerGas)), .bytes(coinbase.bytes), .bytes(exchange.bytes),
            .bytes(transferProxy.bytes), .bytes(feeToken.bytes),
            .bytes(exchangeProxy.bytes), .integer(UInt256(UInt64(protocolFeeMultiplier))),
            .bytes(StateRoot.after(.zero, changes: slots).bytes),
        ]
        for token in tokens {
            items.append(
                .list([
                    .bytes(token.address.bytes), .bytes(Array(token.symbol.utf8)),
                    .bytes(Array(token.name.utf8)), .bytes([token.decimals, token.kind.rawValue]),
                    .integer(UInt256(token.queryCost.balanceOf)),
                    .integer(UInt256(token.queryCost.allowance)),
                    .list(token.queryCost.extraSlots.map { .bytes($0.bytes) }),
                    .bytes(token.queryCost.implementation?.bytes ?? []),
                ])
            )
        }
        // A chain without a venue keeps the digest that it had before there were any.
        if let swap { items.append(swap.rlp) }
        if let uniswap { items.append(uniswap.rlp) }
        return Keccak256.hash(RLP.list(items).encoded)
    }

    /// The hash of block 0.
    package var hash: BlockHash { block.hash }

    /// Block 0.
    var block: BlockRecord {
        BlockRecord(
            header: SandboxHeader(
                parentHash: .zero,
                coinbase: coinbase,
                stateRoot: StateRoot.after(.zero, changes: slots),
                transactionsRoot: Keccak256.hash(RLP.list([]).encoded),
                receiptsRoot: Keccak256.hash(RLP.list([]).encoded),
                bloom: .empty,
                number: 0,
                gasLimit: blockGasLimit,
                gasUsed: 0,
                timestamp: timestamp,
                baseFee: baseFeePerGas
            ),
            transactions: [],
            transactionBytes: 0
        )
    }
}
