import DexSandbox
import Ethereum
import EthereumWallet
import StrictJSON

/// What both chains begin with: five traders with more and less of everything, and a token of each
/// kind that both have.
struct World: Sendable {
    /// One who sends transactions.
    struct Trader: Sendable {
        let name: String
        let signer: PrivateKeySigner

        var address: Address { signer.address }
    }

    /// The time of block 0; a multiple of ten, as the times of all blocks are.
    static let start: UInt64 = 1_750_000_000
    static let chainID: UInt64 = 1337
    static let exchange = address(0xE1)
    static let proxy = address(0xE2)
    /// The contract of v4, which is approved as well.
    static let exchangeProxy = address(0xE4)
    static let zrx = address(0xA1)
    static let weth = address(0xA2)
    static let dai = address(0xA3)
    static let usdc = address(0xA4)
    static let silent = address(0xA5)
    static let usdt = address(0xA6)
    static let heavy = address(0xA7)
    static let upgradeable = address(0xA8)
    static let implementation = address(0xB8)
    /// Tokens that do not do what most do.
    static let unusual = [silent, usdt, heavy, upgradeable]
    static let coinbase = address(0xCB)
    /// It owns nothing at first, so its first fee fills an empty slot.
    static let feeRecipient = address(0xFE)
    /// An account that does not exist.
    static let nobody = address(0x99)

    let traders: [Trader]
    let genesis: Genesis

    /// - Parameters:
    ///   - protocolFeeMultiplier: what a fill of a limit order of v4 costs, as a multiple of the
    ///     gas price.
    ///   - hasSwap: there is a swap venue.
    init(protocolFeeMultiplier: UInt32 = 0, hasSwap: Bool = false) throws {
        let names = ["alice", "bob", "carol", "dave", "erin"]
        traders = try names.enumerated().map { index, name in
            let key = UInt256(0x5EED_0000 + UInt64(index) + 1).word
            return Trader(name: name, signer: try PrivateKeySigner(key: key))
        }
        var genesis = Self.genesis(traders.map(\.address), protocolFeeMultiplier)
        if hasSwap { genesis.addSwap(traders.map(\.address)) }
        self.genesis = genesis
    }

    static func address(_ number: UInt64) -> Address {
        Address(truncating: Keccak256.hash(UInt256(number).bigEndianBytes))
    }

    /// A token's whole unit in base units.
    func unit(_ token: Address) -> UInt256 {
        let definition = genesis.tokens.first { $0.address == token }
        return Self.powerOfTen(definition?.decimals ?? 18)
    }

    /// A token's short name.
    func symbol(_ token: Address) -> String {
        genesis.tokens.first { $0.address == token }?.symbol ?? ""
    }

    private static func powerOfTen(_ exponent: UInt8) -> UInt256 {
        (0..<exponent).reduce(UInt256(1)) { power, _ in power * 10 }
    }

    private static let tokens: [TokenDefinition] = [
        TokenDefinition(
            address: zrx,
            symbol: "ZRX",
            name: "0x Protocol Token",
            decimals: 18,
            kind: .zrx
        ),
        TokenDefinition(address: weth, symbol: "WETH", name: "Wrapped", decimals: 18, kind: .weth),
        TokenDefinition(address: dai, symbol: "DAI", name: "Dai", decimals: 18),
        TokenDefinition(address: usdc, symbol: "USDC", name: "Six decimals", decimals: 6),
        TokenDefinition(
            address: silent,
            symbol: "SIL",
            name: "Silent",
            decimals: 18,
            kind: .silent
        ),
        TokenDefinition(address: usdt, symbol: "USDT", name: "Tether", decimals: 6, kind: .usdt),
        TokenDefinition(
            address: heavy,
            symbol: "HEAVY",
            name: "Heavy",
            decimals: 18,
            kind: .heavy
        ),
        TokenDefinition(
            address: upgradeable,
            symbol: "UPG",
            name: "Upgradeable",
            decimals: 18,
            kind: .upgradeable,
            implementation: implementation
        ),
    ]

    private static func genesis(_ owners: [Address], _ multiplier: UInt32) -> Genesis {
        let ether = powerOfTen(18)
        var genesis = Genesis(
            chainID: chainID,
            timestamp: start,
            coinbase: coinbase,
            exchange: exchange,
            transferProxy: proxy,
            feeToken: zrx,
            exchangeProxy: exchangeProxy,
            protocolFeeMultiplier: multiplier,
            accounts: owners.map { GenesisAccount(address: $0, ether: Wei(100_000 * ether)) },
            tokens: tokens
        )
        for token in tokens {
            let unit = powerOfTen(token.decimals)
            // Two are rich, one has limits, one is poor and the last has nothing.
            let balances = [1_000_000 * unit, 1_000_000 * unit, 100 * unit, 3 * unit]
            for (owner, amount) in zip(owners, balances) {
                genesis.balances.append(
                    GenesisBalance(token: token.address, owner: owner, amount: amount)
                )
            }
            var limits: [UInt256] = [.max, .max, 40 * unit]
            if token.kind != .zrx, token.kind != .silent { limits.append(.max) }
            for (owner, limit) in zip(owners, limits) {
                for spender in [proxy, exchangeProxy] {
                    genesis.allowances.append(
                        GenesisAllowance(
                            token: token.address,
                            owner: owner,
                            spender: spender,
                            amount: limit
                        )
                    )
                }
            }
            for (spender, limit) in [(owners[1], 50 * unit), (owners[2], UInt256.max)] {
                genesis.allowances.append(
                    GenesisAllowance(
                        token: token.address,
                        owner: owners[0],
                        spender: spender,
                        amount: limit
                    )
                )
            }
        }
        // So much that what it is multiplied by can leave 256 bits.
        genesis.balances.append(
            GenesisBalance(token: dai, owner: owners[4], amount: UInt256(1) << 250)
        )
        for spender in [proxy, exchangeProxy] {
            genesis.allowances.append(
                GenesisAllowance(token: dai, owner: owners[4], spender: spender)
            )
        }
        return genesis
    }
}

extension Genesis {
    /// The same as the EVM's node takes it; docs/evm.md describes the form.
    var evmConfiguration: JSONValue {
        guard let swap, var members = exchangeConfiguration.objectValue else {
            return exchangeConfiguration
        }
        members["swap"] = swap.evmConfiguration
        return .object(members)
    }

    private var exchangeConfiguration: JSONValue {
        [
            "chainId": .string(String(chainID)),
            "timestamp": .string(String(timestamp)),
            "gasLimit": .string(String(blockGasLimit)),
            "baseFeePerGas": .string(String(baseFeePerGas)),
            "coinbase": .string(coinbase.lowercaseHex),
            "exchange": .string(exchange.lowercaseHex),
            "transferProxy": .string(transferProxy.lowercaseHex),
            "feeToken": .string(feeToken.lowercaseHex),
            "exchangeProxy": .string(exchangeProxy.lowercaseHex),
            "protocolFeeMultiplier": .string(String(protocolFeeMultiplier)),
            "accounts": .array(
                accounts.map { account in
                    [
                        "address": .string(account.address.lowercaseHex),
                        "ether": .string(account.ether.rawValue.description),
                        "nonce": .string(String(account.nonce)),
                    ]
                }
            ),
            "tokens": .array(tokens.map(\.evmConfiguration)),
            "balances": .array(
                balances.map { balance in
                    [
                        "token": .string(balance.token.lowercaseHex),
                        "owner": .string(balance.owner.lowercaseHex),
                        "amount": .string(balance.amount.description),
                    ]
                }
            ),
            "allowances": .array(
                allowances.map { allowance in
                    [
                        "token": .string(allowance.token.lowercaseHex),
                        "owner": .string(allowance.owner.lowercaseHex),
                        "spender": .string(allowance.spender.lowercaseHex),
                        "amount": .string(allowance.amount.description),
                    ]
                }
            ),
        ]
    }
}

extension TokenDefinition {
    fileprivate var evmConfiguration: JSONValue {
        [
            "address": .string(address.lowercaseHex),
            "symbol": .string(symbol),
            "name": .string(name),
            "decimals": .string(String(decimals)),
            "kind": .string("\(kind)"),
            "implementation": .string((implementation ?? .zero).lowercaseHex),
        ]
    }
}
