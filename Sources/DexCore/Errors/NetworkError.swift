package import Ethereum

/// A network that differs from its settings, or lacks what a command needs.
package enum NetworkError: ErrorArea {
    /// A node of another chain than the network's.
    package static func wrongChain(node: UInt64, _ network: Network) -> DexError {
        row(
            .configuration("wrong-chain"),
            "The node is on chain \(node) but the network \"\(network.name)\" is chain "
                + "\(network.chainID).",
            hint: "Check --network and --rpc; nothing was signed."
        )
    }

    /// A command that needs a relay on a network that has none.
    package static func noRelay(network: String) -> DexError {
        row(
            .configuration("no-relay"),
            "No relay is configured for the network \"\(network)\".",
            hint: "Name one with --relay URL, DEX_RELAY_URL, or relay in config.toml; or set "
                + "up the network: dex init --network \(network)",
            concerns: [.venue, .relay]
        )
    }

    package static func damagedList(problem: String) -> DexError {
        row(
            .fault("damaged-resources"),
            "The list of networks in this program is damaged: \(problem).",
            hint: "Install dex again."
        )
    }

    package static func noContract(_ address: Address, chainID: UInt64) -> DexError {
        row(
            .configuration("not-an-exchange"),
            "There is no contract at \(address.checksummed) on chain "
                + "\(chainID); check the network's exchange address."
        )
    }

    package static func noWrappedCoin(network: String, coin: CoinSymbol) -> DexError {
        row(
            .configuration("no-weth"),
            "The network \"\(network)\" has no contract of wrapped \(coin).",
            hint: "Name its contract: dex config set networks.\(network).weth ADDRESS"
        )
    }

    /// A command of the exchange on a network that has none.
    package static func noExchange(network: String) -> DexError {
        row(
            .configuration("no-exchange"),
            "The network \"\(network)\" has no 0x exchange: only the swap API trades there.",
            hint: "Trade with `dex buy` and `dex sell`; or name an exchange: "
                + "dex config set networks.\(network).exchange ADDRESS"
        )
    }

    /// A command that needs a swap API on a network that has none.
    package static func noSwap(network: String) -> DexError {
        row(
            .configuration("no-swap"),
            "The network \"\(network)\" has no swap API.",
            hint: "Name one: dex config set networks.\(network).swap.api URL"
        )
    }

    /// Uniswap's pools on a network whose chain has none that are known.
    package static func noPools(network: String) -> DexError {
        row(
            .configuration("no-pools"),
            "No Uniswap pools are known on the chain of the network \"\(network)\".",
            hint: "Leave --via pools out, or take another network: dex network list"
        )
    }

    /// The swap API's key is missing.
    package static func noSwapKey(network: String) -> DexError {
        row(
            .configuration("no-swap-key"),
            "The swap API of the network \"\(network)\" needs a key, and there is none.",
            hint: "Get one from the API's operator; put it into DEX_ZEROEX_API_KEY, or into a "
                + "file of mode 600: dex config set networks.\(network).swap.key_file FILE"
        )
    }

    /// A relay that does not take orders of the network's exchange.
    package static func otherRelay(relay: String, network: String, reason: String) -> DexError {
        row(
            .configuration("other-exchange"),
            "The relay \(relay) does not take orders of the exchange of \(network): \(reason)",
            hint: "Give a relay of that network, or choose the network that it serves: "
                + "dex network list"
        )
    }
}
