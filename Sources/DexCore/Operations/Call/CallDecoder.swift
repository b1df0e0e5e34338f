import Ethereum
import ZeroEx

/// Reads what call data does, by selectors and leading words, also inside of wrappers.
///
/// What a function does is up to its contract. This reads what the function of that name does
/// everywhere, and says of the rest that it is not read.
struct CallDecoder {
    /// One call: the transaction's, or one inside of it.
    struct Frame: Sendable {
        /// The arguments.
        let words: CallWords
        /// nil if it is not in the data.
        let contract: Address?
        /// Who calls: whose tokens `transfer` moves.
        let sender: Address
        let place: CallEffect.Place
        let function: ABIFunction

        func address(_ index: Int) -> Address { words.address(32 * index) }
        func number(_ index: Int) -> UInt256 { words.number(32 * index) }
    }

    /// The most calls that are read, and the deepest that they are nested.
    static let maximumCalls = 256
    static let deepest = 8
    /// The most effects: one call may have a list of transfers.
    private static let maximumEffects = 256

    private let account: Address
    private let weth: Address?
    private let exchange: Address?
    private let exchangeProtocol: any ExchangeProtocol
    private(set) var effects = CallEffects()
    /// Where calls begin that are read.
    private var starts: Set<Int> = []
    private var calls = 0

    private init(account: Address, network: Network) {
        self.account = account
        weth = network.weth
        exchange = network.hasExchange ? network.exchange : nil
        exchangeProtocol = Protocols.implementation(of: network)
    }

    /// The effects of a call of an account.
    static func effects(
        of data: [UInt8],
        to contract: Address,
        by account: Address,
        on network: Network
    ) -> CallEffects {
        var decoder = CallDecoder(account: account, network: network)
        decoder.readArguments(data)
        decoder.read(data[...], of: contract, by: account, .call)
        decoder.scan(data)
        return decoder.effects
    }

    // MARK: The called function

    /// The arguments of a known function, and how its data differ from the usual encoding.
    private mutating func readArguments(_ data: [UInt8]) {
        guard let rule = CallRules.rule(of: data[...]) else { return }
        let function = rule.signature.function
        effects.signature = rule.signature
        let values: [ABIValue]
        if function.inputs.contains(where: \.isDynamic) {
            // nil: not the one encoding that every encoder writes; it is read by position below
            let strict = try? ABI.decode(Array(data.dropFirst(4)), as: function.inputs)
            effects.isIrregular = strict == nil
            values = strict ?? []
        } else {
            let words = CallWords(bytes: data.dropFirst(4))
            values = function.inputs.enumerated().map { index, type in
                value(words.word(32 * index), type)
            }
            let size = 4 + 32 * function.inputs.count
            effects.extraBytes = max(0, data.count - size)
            effects.missingBytes = max(0, size - data.count)
        }
        guard values.count == function.inputs.count else { return }
        effects.arguments = ContractValue.list(
            values,
            types: function.inputs,
            names: rule.signature.inputNames
        )
    }

    /// A word as the type that a function gives it; bytes beyond the type are cut off.
    private mutating func value(_ word: Bytes32, _ type: ABIType) -> ABIValue {
        let number = UInt256(word)
        switch type {
        case .address:
            effects.isDirty = effects.isDirty || Address(ifWord: word) == nil
            return .address(Address(truncating: word))
        case .bool:
            effects.isDirty = effects.isDirty || number > 1
            return .bool(number != .zero)
        case .uint(let bits) where bits < 256:
            let mask = (UInt256(1) << bits) &- 1
            effects.isDirty = effects.isDirty || number > mask
            return .uint(number & mask)
        case .uint: return .uint(number)
        default: return .word(word)
        }
    }

    // MARK: Calls

    /// Reads one call.
    ///
    /// - Parameter data: a slice of the whole call data.
    mutating func read(
        _ data: ArraySlice<UInt8>,
        of contract: Address,
        by sender: Address,
        _ place: CallEffect.Place
    ) {
        guard calls < Self.maximumCalls else {
            effects.isTooLong = true
            return
        }
        calls += 1
        starts.insert(data.startIndex)
        // Only ether moves.
        if data.isEmpty, place != .call { return }
        if contract == exchange, readExchange(data, contract, by: sender, place) { return }
        guard contract != exchange, let rule = CallRules.rule(of: data) else {
            unread(data, contract, place)
            return
        }
        let frame = Frame(
            words: CallWords(bytes: data.dropFirst(4)),
            contract: contract,
            sender: sender,
            place: place,
            function: rule.signature.function
        )
        let count = effects.list.count
        guard rule.read(&self, frame) else {
            unread(data, contract, place)
            return
        }
        if effects.list.count == count { note(frame, token: nil, .nothing) }
    }

    private mutating func unread(
        _ data: ArraySlice<UInt8>,
        _ contract: Address,
        _ place: CallEffect.Place
    ) {
        effects.isUnread = true
        effects.list.append(
            CallEffect(
                place: place,
                contract: contract,
                token: nil,
                function: CallRules.rule(of: data)?.signature.function.signature
                    ?? Hex.encode(data.prefix(4)),
                action: .unread(bytes: data.count)
            )
        )
    }

    /// The exchange's own functions: a fill pays at most what its data say.
    private mutating func readExchange(
        _ data: ArraySlice<UInt8>,
        _ contract: Address,
        by sender: Address,
        _ place: CallEffect.Place
    ) -> Bool {
        guard let call = exchangeProtocol.effects(of: Array(data)) else { return false }
        for (token, amount) in call.pays.sorted(by: { $0.key < $1.key }) {
            effects.list.append(
                CallEffect(
                    place: place,
                    contract: contract,
                    token: token,
                    function: call.function,
                    action: .move(amount, owner: sender, to: contract)
                )
            )
        }
        guard call.pays.isEmpty else { return true }
        effects.list.append(
            CallEffect(
                place: place,
                contract: contract,
                token: nil,
                function: call.function,
                action: .nothing
            )
        )
        return true
    }

    // MARK: What the rules add

    /// Adds an effect; true, for the rules that end with it.
    @discardableResult
    mutating func note(_ frame: Frame, token: Address?, _ action: CallEffect.Action) -> Bool {
        guard effects.list.count < Self.maximumEffects else {
            effects.isTooLong = true
            return true
        }
        effects.list.append(
            CallEffect(
                place: frame.place,
                contract: frame.contract,
                token: token,
                function: frame.function.signature,
                action: action
            )
        )
        return true
    }

    /// Notes that a contract runs the code of another one as its own (DELEGATECALL): whatever the data
    /// of that call say, it may do anything.
    mutating func delegate(_ frame: Frame, to target: Address) {
        effects.isUnread = true
        note(frame, token: nil, .control(.code, by: target))
    }

    /// The network's wrapped coin; nil without one.
    var wrapper: Address? { weth }

    /// Whether the called contract is the network's wrapped coin.
    func isWrapper(_ contract: Address?) -> Bool { contract != nil && contract == weth }

    /// The place of a command inside of a call; nil if there are too many, or they are too deep.
    mutating func enter(_ frame: Frame, _ index: Int) -> CallEffect.Place? {
        guard let place = below(frame, index), calls < Self.maximumCalls else {
            effects.isTooLong = true
            return nil
        }
        calls += 1
        return place
    }

    private func below(_ frame: Frame, _ index: Int) -> CallEffect.Place? {
        guard case .inside(let path) = frame.place else { return .inside([index]) }
        return path.count < Self.deepest ? .inside(path + [index]) : nil
    }

    /// Reads a call inside of another one.
    ///
    /// - Parameters:
    ///   - index: from 1.
    ///   - sender: who calls there: the wrapper, or the same one where the wrapper calls itself.
    mutating func inside(
        _ frame: Frame,
        _ index: Int,
        _ data: ArraySlice<UInt8>,
        of contract: Address,
        by sender: Address,
        value: UInt256 = .zero
    ) -> Bool {
        guard let place = below(frame, index) else {
            effects.isTooLong = true
            return true
        }
        if value != .zero {
            effects.list.append(
                CallEffect(
                    place: place,
                    contract: contract,
                    token: nil,
                    function: frame.function.signature,
                    action: .ether(value, to: contract)
                )
            )
        }
        read(data, of: contract, by: sender, place)
        return true
    }

    // MARK: What nothing reads

    /// Finds calls of known functions anywhere in the data: in tails, gaps and unknown wrappers.
    ///
    /// A selector in other bytes by chance happens once in millions of calls.
    private mutating func scan(_ data: [UInt8]) {
        guard data.count > 4 else { return }
        var selector: UInt32 = 0
        for (index, byte) in data.enumerated() {
            selector = selector << 8 | UInt32(byte)
            let start = index - 3
            guard start > 0, !starts.contains(start), let rule = CallRules.money[selector] else {
                continue
            }
            guard calls < Self.maximumCalls else {
                effects.isTooLong = true
                return
            }
            calls += 1
            let frame = Frame(
                words: CallWords(bytes: data[(start + 4)...]),
                contract: nil,
                sender: account,
                place: .found(start),
                function: rule.signature.function
            )
            _ = rule.read(&self, frame)
        }
    }
}
