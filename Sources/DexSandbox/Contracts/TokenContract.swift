import Ethereum

/// A token's functions: ERC-20, and deposit and withdraw for wrapped ether.
struct TokenContract {
    let token: TokenDefinition
    let execution: Execution
    let caller: Address

    private var address: Address { token.address }

    func run(_ data: CalldataReader, value: UInt256) throws(CallFailure) -> [UInt8] {
        // An upgradeable token delegates every call. Others read the selector first, and their
        // flags only if balances are queried or changed.
        if token.queryCost.implementation != nil { try enter() }
        guard let function = data.selector.flatMap({ Function(rawValue: $0) }),
            token.kind == .weth || !function.isOfWrappedEther
        else {
            // A call without a known function.
            guard token.kind == .weth else { throw unpayable }
            return try deposit(value)
        }
        guard value == .zero || function == .deposit else { throw unpayable }
        if token.kind == .plain, !data.has(arguments: function.arguments) { throw .revert([]) }
        if token.queryCost.implementation == nil, !function.isDescription { try enter() }
        switch function {
        case .balanceOf: return Words.number(try balance(of: data.address(0)))
        case .allowance:
            return Words.number(
                try allowance(owner: data.address(0), spender: data.address(1))
            )
        case .totalSupply: return Words.number(try totalSupply())
        case .name: return try describe(Words.string(token.name), at: 3)
        case .symbol: return try describe(Words.string(token.symbol), at: 4)
        case .decimals:
            return try describe(Words.number(UInt256(UInt64(token.decimals))), at: 5)
        case .approve: return try approve(data.address(0), data.number(1))
        case .transfer:
            try execution.charge(.tokenTransfer)
            return try answer(move(data.number(1), from: caller, to: data.address(0)))
        case .transferFrom:
            return try transferFrom(data.address(0), data.address(1), data.number(2))
        case .deposit: return try deposit(value)
        case .withdraw: return try withdraw(data.number(0))
        }
    }

    /// Pays the entry cost of a call about balances: the token's flags, and the delegated call of
    /// an upgradeable token.
    func enter() throws(CallFailure) {
        for slot in token.queryCost.extraSlots {
            _ = try execution.load(StorageKey(address, .fixed(slot)))
        }
        if let implementation = token.queryCost.implementation {
            try execution.touch(implementation)
        }
    }

    /// `balanceOf`, without entering.
    func balance(of owner: Address) throws(CallFailure) -> UInt256 {
        try execution.charge(token.queryCost.balanceOf)
        return try execution.load(StorageKey(address, .balance(owner)))
    }

    /// `allowance`, without entering.
    func allowance(owner: Address, spender: Address) throws(CallFailure) -> UInt256 {
        try execution.charge(token.queryCost.allowance)
        return try execution.load(
            StorageKey(address, .allowance(owner: owner, spender: spender))
        )
    }

    private func totalSupply() throws(CallFailure) -> UInt256 {
        try execution.charge(.view)
        // WETH9 returns its ether balance.
        if token.kind == .weth { return execution.peek(StorageKey(address, .ether)) }
        return try execution.load(StorageKey(address, .supply))
    }

    /// Returns a description of the token: constant in ZRX's code, a slot read in others.
    private func describe(_ answer: [UInt8], at slot: UInt256) throws(CallFailure) -> [UInt8] {
        try execution.charge(.view)
        if token.kind != .zrx { _ = try execution.load(StorageKey(address, .fixed(slot.word))) }
        return answer
    }

    /// The failure of this kind's contract for ether and unknown functions.
    private var unpayable: CallFailure {
        token.kind == .zrx ? .invalid : .revert([])
    }

    // MARK: Changes

    private func approve(_ spender: Address, _ amount: UInt256) throws(CallFailure) -> [UInt8] {
        try execution.charge(.tokenApprove)
        let key = StorageKey(address, .allowance(owner: caller, spender: spender))
        if token.kind == .usdt, amount != .zero {
            guard try execution.load(key) == .zero else { throw .revert([]) }
        }
        try execution.store(key, amount)
        try execution.emit(
            address,
            topics: [ERC20.approvalTopic, caller.word, spender.word],
            data: Words.number(amount)
        )
        return token.kind == .usdt ? [] : Words.bool(true)
    }

    /// `transferFrom`, without entering.
    ///
    /// - Returns: the return data.
    func transferFrom(
        _ from: Address,
        _ to: Address,
        _ amount: UInt256
    ) throws(CallFailure) -> [UInt8] {
        try execution.charge(.tokenTransferFrom)
        let key = StorageKey(address, .allowance(owner: from, spender: caller))
        // WETH9 lets an owner move its own tokens without an allowance.
        let isOwn = token.kind == .weth && from == caller
        let allowed = isOwn ? .max : try execution.load(key)
        guard allowed >= amount else { return try answer(false) }
        guard try move(amount, from: from, to: to) else { return try answer(false) }
        if token.kind == .silent || allowed != .max {
            try execution.store(key, allowed - amount)
        }
        return try answer(true)
    }

    /// Moves an amount; the event follows.
    ///
    /// - Returns: false if the balance is too low or the sum would overflow; nothing has changed.
    private func move(
        _ amount: UInt256,
        from: Address,
        to: Address
    ) throws(CallFailure) -> Bool {
        let source = StorageKey(address, .balance(from))
        let target = StorageKey(address, .balance(to))
        guard try execution.load(source) >= amount else { return false }
        let tax = keepsFee ? amount / 100 : .zero
        let (sum, overflow) = try execution.load(target).addingReportingOverflow(amount - tax)
        guard !overflow else { return false }
        try execution.store(target, sum)
        // Read again: a transfer to the same account has just changed it.
        let rest = try execution.load(source)
        try execution.store(source, rest - amount)
        if token.kind != .silent {
            try execution.emit(
                address,
                topics: [ERC20.transferTopic, from.word, to.word],
                data: Words.number(amount - tax)
            )
        }
        if tax > .zero || token.kind == .taxed { try burn(tax, of: from) }
        return true
    }

    private var keepsFee: Bool {
        token.kind == .taxed || execution.peek(Self.feeKey(of: address)) != .zero
    }

    /// Where it stands that a plain token keeps 1 % of each transfer.
    static func feeKey(of token: Address) -> StorageKey {
        StorageKey(token, .fixed(UInt256(6).word))
    }

    /// Takes an amount that nobody received out of the supply.
    private func burn(_ amount: UInt256, of owner: Address) throws(CallFailure) {
        let supply = StorageKey(address, .supply)
        // The supply is the sum of all balances.
        try execution.store(supply, try execution.load(supply) - amount)
        try execution.emit(
            address,
            topics: [ERC20.transferTopic, owner.word, Address.zero.word],
            data: Words.number(amount)
        )
    }

    /// A transfer's return data for this kind of token, or its failure.
    private func answer(_ succeeded: Bool) throws(CallFailure) -> [UInt8] {
        switch token.kind {
        case .zrx: return Words.bool(succeeded)
        case .plain, .weth, .taxed:
            guard succeeded else { throw .revert([]) }
            return Words.bool(true)
        case .silent:
            guard succeeded else { throw .revert([]) }
            return []
        case .usdt:
            // Its safe arithmetic asserts.
            guard succeeded else { throw .invalid }
            return []
        }
    }

    // MARK: Wrapped ether

    private func deposit(_ value: UInt256) throws(CallFailure) -> [UInt8] {
        try execution.charge(.tokenApprove)
        let key = StorageKey(address, .balance(caller))
        let (sum, overflow) = try execution.load(key).addingReportingOverflow(value)
        guard !overflow else { throw .revert([]) }
        try execution.store(key, sum)
        try execution.emit(
            address,
            topics: [ERC20.depositTopic, caller.word],
            data: Words.number(value)
        )
        return []
    }

    private func withdraw(_ amount: UInt256) throws(CallFailure) -> [UInt8] {
        try execution.charge(.tokenApprove)
        let key = StorageKey(address, .balance(caller))
        let (rest, isShort) = try execution.load(key).subtractingReportingOverflow(amount)
        guard !isShort else { throw .revert([]) }
        try execution.store(key, rest)
        try sendEther(amount, to: caller)
        try execution.emit(
            address,
            topics: [ERC20.withdrawalTopic, caller.word],
            data: Words.number(amount)
        )
        return []
    }

    private func sendEther(_ amount: UInt256, to: Address) throws(CallFailure) {
        try execution.touch(to)
        guard amount != .zero else { return }
        // The call with a value costs 9,000 and passes 2,300 of it on, which come back unused.
        try execution.charge(GasSchedule.callValue - GasSchedule.callStipend)
        try execution.move(amount, from: address, to: to)
    }
}

extension TokenContract {
    private enum Function: UInt32 {
        case name = 0x06fd_de03
        case approve = 0x095e_a7b3
        case totalSupply = 0x1816_0ddd
        case transferFrom = 0x23b8_72dd
        case withdraw = 0x2e1a_7d4d
        case decimals = 0x313c_e567
        case balanceOf = 0x70a0_8231
        case symbol = 0x95d8_9b41
        case transfer = 0xa905_9cbb
        case deposit = 0xd0e3_0db0
        case allowance = 0xdd62_ed3e

        /// Only wrapped ether has it.
        var isOfWrappedEther: Bool { self == .deposit || self == .withdraw }

        /// It returns the same for every caller.
        var isDescription: Bool {
            switch self {
            case .name, .symbol, .decimals, .totalSupply: true
            default: false
            }
        }

        var arguments: Int {
            switch self {
            case .name, .totalSupply, .decimals, .symbol, .deposit: 0
            case .withdraw, .balanceOf: 1
            case .approve, .transfer, .allowance: 2
            case .transferFrom: 3
            }
        }
    }
}
