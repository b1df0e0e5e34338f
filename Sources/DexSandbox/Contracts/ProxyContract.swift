import Ethereum

/// The TokenTransferProxy: moves tokens for the contracts that it authorizes.
struct ProxyContract {
    let contracts: Contracts
    let execution: Execution
    let caller: Address

    func run(_ data: CalldataReader) throws(CallFailure) -> [UInt8] {
        switch data.selector {
        case 0xb918_1611:  // authorized(address)
            try execution.charge(.view)
            return Words.bool(try execution.load(key(data.address(0))) != .zero)
        case 0xd39d_e6e9:  // getAuthorizedAddresses()
            try execution.charge(.view)
            let isAuthorized = try execution.load(key(contracts.exchange)) != .zero
            guard isAuthorized else { return Words.bytes(UInt256(32).word, .zero) }
            return Words.bytes(UInt256(32).word, UInt256(1).word, contracts.exchange.word)
        case 0x8da5_cb5b:  // owner(): the authorized contracts are fixed here
            try execution.charge(.view)
            return Words.number(.zero)
        case 0x15da_cbea:  // transferFrom(address,address,address,uint256)
            return Words.bool(
                try transferFrom(
                    token: data.address(0),
                    from: data.address(1),
                    to: data.address(2),
                    amount: data.number(3)
                )
            )
        default: throw .invalid
        }
    }

    /// Moves tokens that their owner approved for the proxy.
    ///
    /// - Returns: the token's answer; an empty answer counts as true.
    func transferFrom(
        token: Address,
        from: Address,
        to: Address,
        amount: UInt256
    ) throws(CallFailure) -> Bool {
        guard try execution.load(key(caller)) != .zero else { throw .revert([]) }
        let answer = try contracts.call(token, from: contracts.transferProxy, in: execution) {
            contract throws(CallFailure) in
            try contract.transferFrom(from, to, amount)
        }
        return answer.isEmpty || answer.contains { $0 != 0 }
    }

    private func key(_ address: Address) -> StorageKey {
        StorageKey(contracts.transferProxy, .authorized(address))
    }
}
