package import Ethereum

/// A call of a contract as the user wrote it.
package struct ContractRequest: Hashable, Sendable {
    /// An address, or the symbol of a token.
    package var contract: String
    /// `balanceOf(address)(uint256)`, or a line of Solidity; with an ABI a name is enough.
    package var function: String
    /// A text per argument, in the forms of `ABIText`.
    package var arguments: [String]
    /// Ether to send: human units, `max` or a percentage of what the fee leaves.
    package var value: String
    /// The contract's functions and errors; nil if the user names the types.
    package var abi: ContractABI?
    /// Call data that another program made, in place of function and arguments; nil without.
    private(set) var data: [UInt8]?
    /// The names of addresses.
    private(set) var known = KnownAddresses()

    package init(
        contract: String,
        function: String,
        arguments: [String],
        value: String = "0",
        abi: ContractABI? = nil
    ) {
        self.contract = contract
        self.function = function
        self.arguments = arguments
        self.value = value
        self.abi = abi
    }

    /// A call with the data of another program.
    ///
    /// - Parameters:
    ///   - data: at least one byte; a call without data is a transfer of ether.
    ///   - known: the names of addresses in it.
    package init(
        contract: Address,
        data: [UInt8],
        value: Wei,
        known: KnownAddresses = KnownAddresses()
    ) {
        self.init(
            contract: contract.checksummed,
            function: "",
            arguments: [],
            value: DecimalText.format(value.rawValue, decimals: 18)
        )
        self.data = data
        self.known = known
    }

    /// The ether as typed; it may be zero.
    enum Ether: Hashable {
        case amount(Wei)
        /// Of what the fee leaves, in hundredths of a percent.
        case share(UInt64)
    }

    /// The ether.
    ///
    /// - Throws: `DexError`, exit 2, `bad-amount`.
    func ether() throws(DexError) -> Ether {
        switch try AmountExpression(value) {
        case .number(let number):
            .amount(try reported(DecimalTextError.self, Wei(try number.units(decimals: 18))))
        case .share(let share): .share(share)
        }
    }

    /// The ether of a call that nobody pays for, which has no balance to take a share of.
    ///
    /// - Throws: `DexError`, exit 2, `bad-amount`.
    func plainEther() throws(DexError) -> Wei {
        guard case .amount(let amount) = try ether() else {
            throw InputError.relativeAmount(value)
        }
        return amount
    }

    /// The signature, with the names in it.
    ///
    /// - Throws: `DexError`, exit 2: `bad-function`; with an ABI also `no-such-function`,
    ///   `ambiguous-function`.
    func signature() throws(DexError) -> ABISignature {
        if let abi { return try abi.signature(of: function) }
        do {
            return try ABISignature(function)
        } catch {
            throw CallError.badFunction(reason: error.description)
        }
    }

    /// The call data and its content.
    ///
    /// - Throws: `DexError`, exit 2: `bad-address`, `unknown-token`, `ambiguous-token`,
    ///   `bad-arguments`, `bad-argument`.
    func call(
        _ signature: ABISignature,
        tokens: TokenMap
    ) throws(DexError) -> ContractCall {
        let address = try address(tokens)
        let function = signature.function
        guard arguments.count == function.inputs.count else {
            let count = function.inputs.count
            throw CallError.badArguments(
                function: function.signature,
                count: count,
                given: arguments.count
            )
        }
        var values: [ABIValue] = []
        for (index, type) in function.inputs.enumerated() {
            do {
                values.append(try ABIText.parse(arguments[index], as: type))
            } catch {
                throw CallError.badArgument(
                    index: index,
                    function: function.name,
                    reason: error.description
                )
            }
        }
        do {
            return ContractCall(
                address: address,
                token: tokens.known(address),
                function: function.signature,
                arguments: ContractValue.list(
                    values,
                    types: function.inputs,
                    names: signature.inputNames
                ),
                data: try function.encode(values)
            )
        } catch {
            throw CallError.badArgumentText(reason: error.description)
        }
    }

    /// The call, its signature if that is known, and what its data do.
    ///
    /// - Throws: as `signature` and `call`.
    func read(
        by account: Address,
        _ session: Session
    ) throws(DexError) -> (call: ContractCall, signature: ABISignature?, effects: CallEffects) {
        guard let data else {
            let signature = try signature()
            let call = try call(signature, tokens: session.tokens)
            return (call, signature, effects(of: call, by: account, session))
        }
        let address = try address(session.tokens)
        let effects = CallDecoder.effects(
            of: data,
            to: address,
            by: account,
            on: session.network
        )
        let call = ContractCall(
            address: address,
            token: session.tokens.known(address),
            function: effects.signature?.function.signature
                ?? effects.list.first { $0.place == .call }.map(\.function)
                ?? Hex.encode(data.prefix(4)),
            arguments: effects.arguments,
            data: data
        )
        return (call, effects.signature, effects)
    }

    /// The effects of a call whose function the user names: that one is known.
    private func effects(
        of call: ContractCall,
        by account: Address,
        _ session: Session
    ) -> CallEffects {
        var effects = CallDecoder.effects(
            of: call.data,
            to: call.address,
            by: account,
            on: session.network
        )
        effects.list.removeAll {
            if case .unread = $0.action { $0.place == .call } else { false }
        }
        effects.isUnread = effects.list.contains {
            if case .unread = $0.action { true } else { false }
        }
        return effects
    }

    private func address(_ tokens: TokenMap) throws(DexError) -> Address {
        if let address = try TokenMap.address(contract) {
            try tokens.refuseReserved(address)
            return address
        }
        // For a mistyped address, "not a token" would be the wrong error.
        guard contract.lowercased().hasPrefix("0x") else {
            return try tokens.resolve(contract).address
        }
        return try reported(AddressError.self, try Address(contract))
    }
}

extension ContractValue {
    /// - Parameters: equal numbers of types, names and values.
    static func list(
        _ values: [ABIValue],
        types: [ABIType],
        names: [String?]
    ) -> [ContractValue] {
        zip(zip(values, types), names).map { pair, name in
            ContractValue(name: name, type: pair.1.name, value: pair.0)
        }
    }

    /// A call's results by its signature; nil if that has no result types.
    ///
    /// - Throws: `ABIError` if it does not fit.
    static func results(
        _ returned: [UInt8],
        of signature: ABISignature
    ) throws(ABIError) -> [ContractValue]? {
        let types = signature.function.outputs
        guard !types.isEmpty else { return nil }
        let values = try ABI.decode(returned, as: types, allowsTrailingBytes: true)
        return list(values, types: types, names: signature.outputNames)
    }
}

extension DexError {
    /// The error of a contract address without code.
    static func notAContract(_ address: Address, network: Network) -> DexError {
        CallError.notAContract(address, network: network.name)
    }
}
