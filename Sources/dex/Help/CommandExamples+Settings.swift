import DexTerminal

extension CommandExamples {
    /// Networks, config.toml, and names.
    static func ofSettings(_ name: String) -> [CommandHelp.Example]? {
        switch name {
        case "init":
            lines(
                ("Be asked for everything, on a terminal", "dex init"),
                (
                    "Say it all at once, in a script",
                    "dex init --network base --rpc https://node.example --new-wallet main --yes"
                ),
                ("See what that would change", "dex init --network base --dry-run")
            )
        case "network":
            lines(
                ("See them all", "dex network list"),
                ("Make one the default", "dex network use sandbox")
            )
        case "network list":
            lines(
                ("The bundled ones and your own", "dex network list"),
                ("For a script", "dex network list -j")
            )
        case "network use":
            lines(
                ("Trade on the sandbox from now on", "dex network use sandbox"),
                ("The same market on 0x v4", "dex network use sandbox-v4")
            )
        case "network add":
            lines(
                (
                    "A chain of your own with 0x v4",
                    "dex network add mychain --chain-id 1337 --exchange 0xdef1c0ded9bec7f1a1670819833240f027b25eff --protocol v4 --rpc http://127.0.0.1:8545"
                ),
                (
                    "A chain that 0x's Swap API serves, with a node that proves what a signature rests on",
                    "dex network add base2 --chain-id 8453 --swap https://api.0x.org --rpc https://node.example --proofs"
                ),
                (
                    "One whose two nodes must agree before anything is signed",
                    "dex network add base3 --chain-id 8453 --swap https://api.0x.org --rpc https://node.example --rpc https://other-node.example --quorum 2"
                )
            )
        case "schema":
            lines(
                ("What dex tx list --json prints", "dex schema tx list"),
                ("The commands that have a schema", "dex schema")
            )
        case "completion":
            lines(
                ("What bash has to read", "dex completion bash"),
                ("What fish has to read", "dex completion fish")
            )
        case "config":
            lines(
                ("See what is set", "dex config show"),
                ("Trade this pair where none is named", "dex config set trade.pair ZRX/WETH")
            )
        case "config show":
            lines(("Every setting", "dex config show"), ("For a script", "dex config show -j"))
        case "config get":
            lines(
                ("The default network", "dex config get network"),
                ("A setting of a network", "dex config get networks.mainnet.relay")
            )
        case "config set":
            lines(
                ("The default pair", "dex config set trade.pair ZRX/WETH"),
                (
                    "The node of a network",
                    "dex config set networks.mainnet.rpc https://node.example"
                )
            )
        case "config unset":
            lines(
                ("Have no default pair any more", "dex config unset trade.pair"),
                ("Remove a network", "dex config unset networks.mychain")
            )
        case "config edit":
            lines(
                ("In your usual editor", "dex config edit"),
                ("See it afterwards", "dex config show")
            )
        case "config path":
            lines(
                ("Where the file is", "dex config path"),
                ("For a script", "dex config path -j")
            )
        case "address":
            lines(
                (
                    "Name an address",
                    "dex address add ledger 0x1d9E25Ddc3387f611bBCD822cf2027770Ae2Bd0E"
                ),
                ("Send to it", "dex send WETH 1 ledger")
            )
        case "address add":
            lines(
                (
                    "Name an address",
                    "dex address add ledger 0x1d9E25Ddc3387f611bBCD822cf2027770Ae2Bd0E"
                ),
                ("See every name", "dex address list")
            )
        case "address list":
            lines(("Every name", "dex address list"), ("For a script", "dex address list -j"))
        case "address remove":
            lines(
                ("Forget a name", "dex address remove ledger"),
                ("See what is left", "dex address list")
            )
        case "alias":
            lines(
                ("Shorten what you often type", "dex alias set b 'book ZRX/WETH --depth 3'"),
                ("See all short forms", "dex alias list")
            )
        case "alias set":
            lines(
                ("A book by one letter", "dex alias set b 'book ZRX/WETH --depth 3'"),
                ("A command as one account", "dex alias set mine 'orders --mine -w alice'")
            )
        case "alias list":
            lines(("All short forms", "dex alias list"), ("For a script", "dex alias list -j"))
        case "alias remove":
            lines(
                ("Forget an alias", "dex alias remove b"),
                ("See what is left", "dex alias list")
            )
        default: nil
        }
    }
}
