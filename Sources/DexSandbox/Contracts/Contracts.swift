import Ethereum
import ZeroEx

/// A message to an account: what a transaction or eth_call begins with.
struct Message: Sendable {
    let caller: Address
    let to: Address
    let value: UInt256
    let data: [UInt8]
}

/// The contracts of a chain, which never change after the genesis.
///
/// A class, since every contract call passes it on.
final class Contracts: Sendable {
    let exchange: Address
    let transferProxy: Address
    let feeToken: Address
    let exchangeProxy: Address
    /// The protocol fee of a v4 limit order's fill, as a multiple of the gas price.
    let protocolFeeMultiplier: UInt32
    /// The domain of v4 order hashes.
    let domain: ExchangeDomainV4
    let chainID: UInt64
    /// The swap venue; nil if the chain has none.
    let swap: GenesisSwap?
    private let swapContracts: [Address: SwapContract]
    private let uniswap: GenesisUniswap?
    private let uniswapContracts: [Address: UniswapContract]
    let tokens: [Address: TokenDefinition]
    let recoverer: any SignatureRecovering

    init(genesis: Genesis, recoverer: any SignatureRecovering) {
        exchange = genesis.exchange
        transferProxy = genesis.transferProxy
        feeToken = genesis.feeToken
        exchangeProxy = genesis.exchangeProxy
        protocolFeeMultiplier = genesis.protocolFeeMultiplier
        domain = ExchangeDomainV4(chainID: genesis.chainID, exchange: genesis.exchangeProxy)
        chainID = genesis.chainID
        swap = genesis.swap
        swapContracts = genesis.swap.map(SwapContract.all) ?? [:]
        uniswap = genesis.uniswap
        uniswapContracts = genesis.uniswap.map(UniswapContract.all) ?? [:]
        tokens = Dictionary(genesis.tokens.map { ($0.address, $0) }) { first, _ in first }
        self.recoverer = RememberingRecoverer(recoverer)
    }

    /// There is a contract at the address.
    func isContract(_ address: Address) -> Bool {
        address == exchange || address == transferProxy || address == exchangeProxy
            || tokens[address] != nil || swapContracts[address] != nil
            || uniswapContracts[address] != nil
    }

    /// The Uniswap v3 pool at an address; nil if there is none.
    func rangePool(at address: Address) -> GenesisRangePool? {
        guard case .pool(let pool)? = uniswapContracts[address] else { return nil }
        return pool
    }

    /// There is a Uniswap v2 pair at the address.
    func isPair(at address: Address) -> Bool {
        guard case .pair? = uniswapContracts[address] else { return false }
        return true
    }

    /// The answer of eth_getCode: a marker that names the contract, after the INVALID opcode.
    ///
    /// No contract here has byte code.
    func code(of address: Address) -> [UInt8] {
        if address == exchange { return [0xFE] + Array("dex sandbox: 0x v1 Exchange".utf8) }
        if address == transferProxy {
            return [0xFE] + Array("dex sandbox: 0x v1 TokenTransferProxy".utf8)
        }
        if address == exchangeProxy {
            return [0xFE] + Array("dex sandbox: 0x v4 Exchange Proxy".utf8)
        }
        if let contract = swapContracts[address] {
            return [0xFE] + Array("dex sandbox: \(contract.name)".utf8)
        }
        if let contract = uniswapContracts[address] {
            return [0xFE] + Array("dex sandbox: \(contract.name)".utf8)
        }
        guard let token = tokens[address] else { return [] }
        return [0xFE] + Array("dex sandbox: token \(token.symbol)".utf8)
    }

    /// Runs a message: moves its ether, then runs the contract's function.
    ///
    /// A failure reverts everything.
    ///
    /// - Returns: the return data; empty for an account without code.
    func run(_ message: Message, in execution: Execution) -> Result<[UInt8], CallFailure> {
        let snapshot = execution.snapshot
        do throws(CallFailure) {
            return .success(try enter(message, in: execution))
        } catch {
            execution.revert(to: snapshot)
            if case .revert = error {} else { execution.gasLeft = 0 }
            return .failure(error)
        }
    }

    /// Moves a message's ether, then runs the contract's function; a failure is not reverted here.
    func enter(_ message: Message, in execution: Execution) throws(CallFailure) -> [UInt8] {
        try execution.move(message.value, from: message.caller, to: message.to)
        return try dispatch(message, in: execution)
    }

    private func dispatch(
        _ message: Message,
        in execution: Execution
    ) throws(CallFailure) -> [UInt8] {
        if message.to == exchange {
            // No function of the exchange takes ether.
            guard message.value == .zero else { throw .invalid }
            return try ExchangeContract(
                contracts: self,
                execution: execution,
                caller: message.caller
            )
            .run(CalldataReader(bytes: message.data))
        }
        if message.to == transferProxy {
            guard message.value == .zero else { throw .invalid }
            return try ProxyContract(contracts: self, execution: execution, caller: message.caller)
                .run(CalldataReader(bytes: message.data))
        }
        if message.to == exchangeProxy {
            return try ExchangeProxyContract(
                contracts: self,
                execution: execution,
                caller: message.caller,
                value: message.value
            )
            .run(message.data)
        }
        if let token = tokens[message.to] {
            return try TokenContract(token: token, execution: execution, caller: message.caller)
                .run(CalldataReader(bytes: message.data), value: message.value)
        }
        if let swap, let contract = swapContracts[message.to] {
            let frame = ContractFrame(contracts: self, execution: execution, message: message)
            return try contract.run(frame, swap)
        }
        if let uniswap, let contract = uniswapContracts[message.to] {
            let frame = ContractFrame(contracts: self, execution: execution, message: message)
            return try contract.run(frame, uniswap.deployment)
        }
        return []
    }

    /// Runs a message in a call of its own; a failure reverts only that.
    func call(_ message: Message, in execution: Execution) -> Result<[UInt8], CallFailure> {
        execution.frame { () throws(CallFailure) -> [UInt8] in
            try enter(message, in: execution)
        }
    }

    /// Pays for a call's ether.
    func payForEther(to: Address, in execution: Execution) throws(CallFailure) {
        // The call with a value costs 9,000 and passes 2,300 of it on, which come back unused.
        try execution.charge(GasSchedule.callValue - GasSchedule.callStipend)
        let isEmpty =
            execution.peek(StorageKey(to, .ether)) == .zero
            && execution.peek(StorageKey(to, .nonce)) == .zero && !isContract(to)
        if isEmpty { try execution.charge(GasSchedule.newAccount) }
    }

    /// Calls a token as code of 2017 does: any failure of the call is one of the caller.
    ///
    /// - Parameter gas: the most that the token gets.
    func call<Value>(
        _ token: Address,
        from caller: Address,
        gas: UInt64 = .max,
        in execution: Execution,
        _ body: (TokenContract) throws(CallFailure) -> Value
    ) throws(CallFailure) -> Value {
        try execution.touch(token)
        guard let definition = tokens[token] else { throw .invalid }
        try execution.touch(token)
        let contract = TokenContract(token: definition, execution: execution, caller: caller)
        let result = execution.frame(gas: gas) { () throws(CallFailure) -> Value in
            try contract.enter()
            return try body(contract)
        }
        // The compiler of 2017 jumps to an invalid target when an inner call fails, which burns all
        // gas.
        guard case .success(let value) = result else { throw .invalid }
        return value
    }
}

extension Execution {
    /// Moves ether between accounts.
    ///
    /// - Throws: `CallFailure.revert` if the sender has less.
    func move(_ value: UInt256, from: Address, to: Address) throws(CallFailure) {
        guard value != .zero else { return }
        let source = StorageKey(from, .ether)
        let target = StorageKey(to, .ether)
        let (rest, isShort) = peek(source).subtractingReportingOverflow(value)
        guard !isShort else { throw .revert([]) }
        put(source, rest)
        let (sum, overflow) = peek(target).addingReportingOverflow(value)
        guard !overflow else { throw .revert([]) }
        put(target, sum)
    }

    /// The most calls within calls; an EVM allows 1,024, and no genuine call here needs ten.
    static let maximumDepth = 64

    /// Runs an inner call with at most 63/64 of the gas (EIP-150), or a given amount.
    ///
    /// A failure reverts its changes and uses up its gas, unless it is a revert.
    func frame<Value>(
        gas wanted: UInt64 = .max,
        _ body: () throws(CallFailure) -> Value
    ) -> Result<Value, CallFailure> {
        guard depth < Self.maximumDepth else { return .failure(.revert([])) }
        depth += 1
        defer { depth -= 1 }
        let given = min(wanted, gasLeft - gasLeft / 64)
        let kept = gasLeft - given
        let start = snapshot
        gasLeft = given
        do throws(CallFailure) {
            let value = try body()
            gasLeft += kept
            return .success(value)
        } catch {
            revert(to: start)
            if case .revert = error { gasLeft += kept } else { gasLeft = kept }
            return .failure(error)
        }
    }
}

/// Builds return data and log data.
enum Words {
    static func bytes(_ words: Bytes32...) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(32 * words.count)
        for word in words { word.append(to: &bytes) }
        return bytes
    }

    static func bool(_ value: Bool) -> [UInt8] {
        number(value ? 1 : .zero)
    }

    static func number(_ value: UInt256) -> [UInt8] {
        value.word.bytes
    }

    /// A string as a contract returns it: offset, length, padded bytes.
    static func string(_ text: String) -> [UInt8] {
        dynamic(Array(text.utf8))
    }

    /// A byte string as a contract returns it: offset, length, padded bytes.
    static func dynamic(_ content: [UInt8]) -> [UInt8] {
        let padding = (32 - content.count % 32) % 32
        return bytes(UInt256(32).word, UInt256(UInt64(content.count)).word) + content
            + Array(repeating: 0, count: padding)
    }

    /// A token's answer to a transfer that succeeded.
    static func isNothingOrTrue(_ answer: [UInt8]) -> Bool {
        answer.isEmpty || answer.count >= 32 && UInt256(bigEndian: answer.prefix(32)) == 1
    }
}
