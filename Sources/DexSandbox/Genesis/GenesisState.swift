import Ethereum

/// The state of block 0.
struct GenesisState {
    private(set) var slots: [StorageKey: UInt256] = [:]
    /// By hash.
    private(set) var codes: [Bytes32: [UInt8]] = [:]

    /// A value; zero where none was set.
    subscript(address: Address, slot: Slot) -> UInt256 {
        get { slots[StorageKey(address, slot)] ?? .zero }
        set { slots[StorageKey(address, slot)] = newValue == .zero ? nil : newValue }
    }

    /// Keeps code that no account has yet.
    ///
    /// - Returns: its hash.
    @discardableResult
    mutating func keep(_ code: [UInt8]) -> Bytes32 {
        let hash = Keccak256.hash(code)
        codes[hash] = code
        return hash
    }

    /// Puts code at an address, as after its deployment: its nonce is 1.
    mutating func install(_ code: [UInt8], at address: Address) {
        let hash = keep(code)
        self[address, .code] = UInt256(hash)
        self[address, .nonce] = 1
    }

    /// Puts contracts in place of what is at their addresses.
    mutating func install(_ contracts: [GenesisContract]) {
        let places = Set(contracts.map(\.address))
        slots = slots.filter { !places.contains($0.key.address) }
        for contract in contracts {
            install(contract.code, at: contract.address)
            self[contract.address, .nonce] = UInt256(contract.nonce)
            self[contract.address, .ether] = contract.ether.rawValue
            for (slot, word) in contract.storage { self[contract.address, .word(slot)] = word }
        }
    }

    /// Puts a contract at an address.
    ///
    /// - Returns: the contract, for its slots.
    @discardableResult
    mutating func install(
        _ name: ContractCode.Name,
        at address: Address,
        _ immutables: [String: UInt256] = [:]
    ) -> ContractCode {
        let contract = ContractCode.named(name)
        install(contract.runtime(immutables), at: address)
        return contract
    }
}
