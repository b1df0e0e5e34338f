package import Ethereum

/// The start of a chain: accounts, tokens, the exchange, and balances.
///
/// It is a value: the same genesis always gives the same block 0.
package struct Genesis: Hashable, Sendable {
    package var chainID: UInt64
    /// The rules of all blocks: Prague's, the newest of which an independent EVM is there to judge this
    /// one (py-evm), and those that the contracts are compiled for.
    package var revision = Revision.prague
    /// The time of block 0, in seconds since 1970.
    package var timestamp: UInt64
    /// The maximum gas of one block's transactions.
    package var blockGasLimit: UInt64 = 36_000_000
    /// The base fee of block 0, in wei per gas.
    package var baseFeePerGas: UInt64 = 1_000_000_000
    /// The recipient of priority fees.
    package var coinbase: Address
    /// 0x's contracts are there; if not, the four addresses of them say nothing.
    package var hasExchanges = true
    package var exchange: Address
    /// The contract that moves tokens and needs approvals; it authorizes the exchange.
    package var transferProxy: Address
    /// The token of order fees (ZRX).
    package var feeToken: Address
    /// The contract of protocol v4, which moves tokens itself.
    package var exchangeProxy: Address
    /// The protocol fee of a v4 limit order's fill, as a multiple of the gas price in wei.
    package var protocolFeeMultiplier: UInt32
    /// Accounts that own ether.
    package var accounts: [GenesisAccount]
    package var tokens: [TokenDefinition]
    /// Token balances in base units.
    package var balances: [GenesisBalance]
    /// Token allowances in base units.
    package var allowances: [GenesisAllowance]
    /// Orders that are partly filled or cancelled from the start.
    package var orders: [GenesisOrder] = []
    /// v4 orders that are partly filled, or cancelled, from the start.
    package var nativeOrders: [GenesisOrder] = []
    /// The swap venue beside the exchange; nil if the chain has none.
    package var swap: GenesisSwap?
    /// Uniswap's contracts; nil if the chain has none.
    package var uniswap: GenesisUniswap?
    /// Further contracts; each replaces what is at its address.
    package var contracts: [GenesisContract]

    /// No block has a time of 2^40 seconds since 1970, or more.
    static let endOfTime: UInt64 = 1 << 40
    /// No operator sets a base fee of 2^56 wei, or more.
    static let maximumBaseFee: UInt64 = 1 << 56

    /// The address of the v4 contract on local chains (chain id 1337).
    package static let localExchangeProxy = Address(
        truncating: UInt256(0x5315_e447_9839_5d4a_9525_30d1_3124_9fe0_0f55_4565).word
    )

    package init(
        chainID: UInt64 = 1337,
        timestamp: UInt64,
        coinbase: Address = .zero,
        exchange: Address,
        transferProxy: Address,
        feeToken: Address,
        exchangeProxy: Address = Self.localExchangeProxy,
        protocolFeeMultiplier: UInt32 = 0,
        accounts: [GenesisAccount] = [],
        tokens: [TokenDefinition] = [],
        balances: [GenesisBalance] = [],
        allowances: [GenesisAllowance] = [],
        swap: GenesisSwap? = nil,
        uniswap: GenesisUniswap? = nil,
        contracts: [GenesisContract] = []
    ) {
        self.chainID = chainID
        self.timestamp = timestamp
        self.coinbase = coinbase
        self.exchange = exchange
        self.transferProxy = transferProxy
        self.feeToken = feeToken
        self.exchangeProxy = exchangeProxy
        self.protocolFeeMultiplier = protocolFeeMultiplier
        self.accounts = accounts
        self.tokens = tokens
        self.balances = balances
        self.allowances = allowances
        self.swap = swap
        self.uniswap = uniswap
        self.contracts = contracts
    }
}

package struct GenesisAccount: Hashable, Sendable {
    package let address: Address
    package let ether: Wei
    package let nonce: UInt64

    package init(address: Address, ether: Wei, nonce: UInt64 = 0) {
        self.address = address
        self.ether = ether
        self.nonce = nonce
    }
}

/// An account with code from the start, and all that it holds.
package struct GenesisContract: Hashable, Sendable {
    package let address: Address
    package let code: [UInt8]
    /// The words that are not zero, by slot.
    package let storage: [UInt256: UInt256]
    package let ether: Wei
    package let nonce: UInt64

    /// - Parameter nonce: 1 after a deployment.
    package init(
        address: Address,
        code: [UInt8],
        storage: [UInt256: UInt256] = [:],
        ether: Wei = .zero,
        nonce: UInt64 = 1
    ) {
        self.address = address
        self.code = code
        self.storage = storage
        self.ether = ether
        self.nonce = nonce
    }
}

/// A token balance from the start, in base units.
///
/// A balance of wrapped ether is backed by the same amount of ether in the token's contract.
package struct GenesisBalance: Hashable, Sendable {
    package let token: Address
    package let owner: Address
    package let amount: UInt256

    package init(token: Address, owner: Address, amount: UInt256) {
        self.token = token
        self.owner = owner
        self.amount = amount
    }
}

/// An allowance from the start, in base units.
package struct GenesisAllowance: Hashable, Sendable {
    package let token: Address
    package let owner: Address
    package let spender: Address
    package let amount: UInt256

    /// An allowance; `UInt256.max` is unlimited.
    package init(token: Address, owner: Address, spender: Address, amount: UInt256 = .max) {
        self.token = token
        self.owner = owner
        self.spender = spender
        self.amount = amount
    }
}

/// The used part of an order from the start.
package struct GenesisOrder: Hashable, Sendable {
    package let hash: Bytes32
    /// Base units of the taker token; of a v4 order at most 128 bits.
    package let filled: UInt256
    /// In the same units; of a v4 order any amount is all of it.
    package let cancelled: UInt256

    package init(hash: Bytes32, filled: UInt256, cancelled: UInt256 = .zero) {
        self.hash = hash
        self.filled = filled
        self.cancelled = cancelled
    }
}
