package import Ethereum
import ZeroEx

extension Genesis {
    /// The state of block 0.
    var state: GenesisState {
        var state = GenesisState()
        for account in accounts {
            state[account.address, .ether] = account.ether.rawValue
            state[account.address, .nonce] = UInt256(account.nonce)
        }
        for token in tokens { state.install(token) }
        let wrapped = Set(tokens.filter { $0.kind == .weth }.map(\.address))
        for balance in allBalances {
            state[balance.token, TokenLayout.balance(balance.owner)] = balance.amount
            // `validate` has summed them without an overflow.
            if wrapped.contains(balance.token) {
                state[balance.token, .ether] += balance.amount
            } else {
                state[balance.token, TokenLayout.supply] += balance.amount
            }
        }
        for allowance in allowances {
            let slot = TokenLayout.allowance(owner: allowance.owner, spender: allowance.spender)
            state[allowance.token, slot] = allowance.amount
        }
        if hasExchanges {
            install(exchangeIn: &state)
            install(exchangeProxyIn: &state)
        }
        swap?.install(in: &state)
        uniswap?.install(in: &state, time: timestamp)
        state.install(contracts)
        return state
    }

    /// 0x v1: the exchange, and the proxy that moves tokens for it.
    private func install(exchangeIn state: inout GenesisState) {
        let contract = state.install(.exchange, at: exchange)
        state[exchange, contract.slot("zrx_token")] = UInt256(feeToken.word)
        state[exchange, contract.slot("transfer_proxy")] = UInt256(transferProxy.word)
        for order in orders {
            state[exchange, contract.slot("filled", order.hash)] = order.filled
            state[exchange, contract.slot("cancelled", order.hash)] = order.cancelled
        }
        let proxy = state.install(.tokenTransferProxy, at: transferProxy)
        state[transferProxy, proxy.slot("authorized", exchange.word)] = 1
        state[transferProxy, proxy.slot("authorities")] = 1
        state[transferProxy, proxy.slot("authorities", offset: 1)] = UInt256(exchange.word)
    }

    /// Where the functions of 0x v4 are said to be implemented; something that has code.
    private static let feature = Address(
        truncating: Bytes32(limbs: (feWord, feWord, feWord, feWord))
    )
    private static let feWord: UInt64 = 0xFEFE_FEFE_FEFE_FEFE

    /// 0x v4.
    private func install(exchangeProxyIn state: inout GenesisState) {
        let domain = ExchangeDomainV4(chainID: chainID, exchange: exchangeProxy).separator
        let contract = state.install(
            .exchangeProxy,
            at: exchangeProxy,
            ["domain": UInt256(domain)]
        )
        state[exchangeProxy, contract.slot("protocol_fee_multiplier")] =
            UInt256(UInt64(protocolFeeMultiplier))
        state[Self.feature, .code] = UInt256(state.keep([0xFE]))
        let selectors = ExchangeFunctionV4.allCases.map(\.rawValue) + Self.ownSelectors
        for selector in selectors {
            // A mapping's key of four bytes is at the left of its word.
            let key = UInt256(UInt64(selector)) << 224
            state[exchangeProxy, contract.slot("features", key.word)] = UInt256(Self.feature.word)
        }
        for order in nativeOrders {
            state[exchangeProxy, contract.slot("used", order.hash)] =
                order.cancelled == .zero ? order.filled : order.filled | UInt256(1) << 255
        }
    }

    /// Of the functions that the contract calls of itself for each order of a batch.
    private static let ownSelectors = [
        "_fillLimitOrder(\(limit),\(signature),uint128,address,address)",
        "_fillRfqOrder(\(rfq),\(signature),uint128,address)",
    ].map { function in
        Keccak256.hash(function.utf8).bytes.prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    private static let limit =
        "(address,address,uint128,uint128,uint128,address,address,address,address,bytes32,uint64,"
        + "uint256)"
    private static let rfq =
        "(address,address,uint128,uint128,address,address,address,bytes32,uint64,uint256)"
    private static let signature = "(uint8,uint8,bytes32,bytes32)"

    /// The balances of the accounts, and those of the pools.
    private var allBalances: [GenesisBalance] {
        balances + (swap?.balances ?? []) + (uniswap?.balances ?? [])
    }

    /// Checks that the chain's rules can hold.
    ///
    /// - Throws: `SandboxError.badGenesis`.
    package func validate() throws(SandboxError) {
        let contracts =
            tokens.map(\.address)
            + (hasExchanges ? [exchange, transferProxy, exchangeProxy] : [])
            + (swap?.contracts ?? []) + (uniswap?.contracts ?? [])
        guard Set(contracts).count == contracts.count, !contracts.contains(.zero) else {
            throw .badGenesis("each contract needs an address of its own that is not zero")
        }
        guard blockGasLimit >= 1_000_000, blockGasLimit < 1 << 40 else {
            throw .badGenesis("the block gas limit must be 1,000,000 to 2^40")
        }
        guard timestamp < Self.endOfTime else {
            throw .badGenesis("the timestamp must be in seconds since 1970")
        }
        guard baseFeePerGas < Self.maximumBaseFee else {
            throw .badGenesis("the base fee is above 2^56 wei")
        }
        let nonces = accounts.map(\.nonce) + self.contracts.map(\.nonce)
        guard nonces.allSatisfy({ $0 < 1 << 62 }) else {
            throw .badGenesis("a nonce is above 2^62")
        }
        // With this limit no sum of balances exceeds 256 bits.
        let limit = UInt256(1) << 128
        let wrapped = Set(tokens.filter { $0.kind == .weth }.map(\.address))
        var ether = UInt256.zero
        for amount in (accounts.map(\.ether) + self.contracts.map(\.ether)).map(\.rawValue)
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
    ///
    /// - Parameter root: of the state.
    func digest(root: Bytes32) -> Bytes32 {
        Keccak256.hash(
            RLP.list([
                .integer(UInt256(chainID)), .integer(UInt256(UInt64(revision.rawValue))),
                .integer(UInt256(blockGasLimit)), .integer(UInt256(baseFeePerGas)),
                .bytes(coinbase.bytes), .bytes(root.bytes),
            ]).encoded
        )
    }

    /// The hash of block 0.
    package var hash: BlockHash { block(root: StateTries(state.slots).root).hash }

    /// Block 0.
    ///
    /// - Parameter root: of the state.
    func block(root: Bytes32) -> BlockRecord {
        BlockRecord(
            header: SandboxHeader(
                parentHash: .zero,
                coinbase: coinbase,
                stateRoot: root,
                transactionsRoot: MerkleTrie.emptyRoot,
                receiptsRoot: MerkleTrie.emptyRoot,
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
