package import DexSandbox
package import Ethereum
import EthereumWallet
import StrictJSON

/// What defines a fork of a live chain, kept so that a restart finds the same chain.
///
/// The live node's URL is not in it: that may have a key.
package struct ForkSettings: Hashable, Sendable {
    /// Of the fork.
    package let chainID: UInt64
    package let point: ForkPoint
    /// The coin that pays for gas.
    package let coin: CoinSymbol
    package let seed: UInt64
    /// Whether the named accounts, whose keys are public, own something.
    package let hasNamedAccounts: Bool

    /// The accounts with names.
    ///
    /// - Throws: `PrivateKeyError`, with a chance of 1 in 2^128.
    func accounts() throws(PrivateKeyError) -> SandboxAccounts {
        hasNamedAccounts ? try SandboxAccounts(seed: seed) : .none
    }

    /// The chain id that a fork has unless another one is asked for: that of a sandbox, and not the
    /// live chain's.
    static func usualChainID(of live: UInt64) -> UInt64 {
        live == SandboxTokens.chainID ? live + 1 : SandboxTokens.chainID
    }

    /// The fork that a folder keeps; nil if there is none.
    ///
    /// - Throws: `SandboxHostError` if the file cannot be read.
    package static func kept(in folder: SandboxFolder) throws(SandboxHostError) -> ForkSettings? {
        try SandboxFolder.json(folder.forkFile).map { json throws(SandboxHostError) in
            guard let settings = ForkSettings(json) else { throw .damaged(folder.forkFile) }
            return settings
        }
    }

    /// - Throws: `SandboxHostError.file`.
    func write(to folder: SandboxFolder) throws(SandboxHostError) {
        try SandboxFolder.replace(folder.forkFile, with: json)
    }
}

extension ForkSettings {
    fileprivate init?(_ json: JSONValue) {
        guard let chainID = json["chainId"]?.numberText.flatMap(UInt64.init),
            (1...SandboxSettings.maximumChainID).contains(chainID),
            let point = json["point"]?.stringValue.flatMap({ Hex.bytes($0) })
                .flatMap(ForkPoint.init(encoded:)),
            let coin = json["coin"]?.stringValue.flatMap(CoinSymbol.init),
            let seed = json["seed"]?.stringValue.flatMap(UInt64.init),
            let hasNamedAccounts = json["namedAccounts"]?.boolValue
        else { return nil }
        self.init(
            chainID: chainID,
            point: point,
            coin: coin,
            seed: seed,
            hasNamedAccounts: hasNamedAccounts
        )
    }

    fileprivate var json: JSONValue {
        [
            "chainId": .integer(chainID),
            "forkedChainId": .integer(point.chainID),
            "block": .integer(point.block.number),
            "hash": .string(point.block.hash.hex),
            "point": .string(Hex.encode(point.encoded)),
            "coin": .string(coin.text),
            "seed": .string(String(seed)),
            "namedAccounts": .bool(hasNamedAccounts),
        ]
    }
}
