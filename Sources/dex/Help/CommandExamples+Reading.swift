import DexTerminal

extension CommandExamples {
    /// `dex` itself, and commands that change nothing.
    static func ofReading(_ name: String) -> [CommandHelp.Example]? {
        switch name {
        case "":
            lines(
                ("Set up a network and a wallet", "dex init"),
                ("See the book of the sandbox", "dex book ZRX/WETH --network sandbox"),
                (
                    "Plan a purchase as alice, and be asked",
                    "dex buy ZRX/WETH 100 --network sandbox -w alice"
                )
            )
        case "orderbook":
            lines(
                ("The 10 best of each side", "dex book ZRX/WETH"),
                ("The 3 best, drawn anew when they change", "dex book ZRX/WETH --depth 3 --watch"),
                ("What each relay shows", "dex book ZRX/WETH --relays")
            )
        case "live":
            lines(
                ("The full screen of a pair", "dex live ZRX/WETH"),
                ("As another account, on the sandbox", "dex live ZRX/WETH --network sandbox -w bob")
            )
        case "price":
            lines(
                ("Best bid, best ask and mid", "dex price ZRX/WETH"),
                ("What 500 ZRX cost at each venue", "dex price ZRX/WETH --side buy --amount 500")
            )
        case "trades":
            lines(
                ("The last 20 trades of a pair", "dex trades ZRX/WETH"),
                ("Those of a week, for a spreadsheet", "dex trades ZRX/WETH --since 7d --csv")
            )
        case "chart":
            lines(
                ("Candles of an hour", "dex chart ZRX/WETH"),
                (
                    "Those of a day, as a picture too",
                    "dex chart ZRX/WETH --interval 1d --svg zrx.svg"
                ),
                ("What the terminal shows, as a picture", "dex chart ZRX/WETH --snapshot chart.svg")
            )
        case "pairs":
            lines(
                ("What the relay trades", "dex pairs"),
                ("What another relay trades", "dex pairs --relay https://relay.example/v0")
            )
        case "pool":
            lines(
                ("The pools of a pair, the deepest first", "dex pool WETH/USDC --network base"),
                ("Their addresses, for a script", "dex pool WETH/USDC --network base --json")
            )
        case "tokens":
            lines(
                ("Every known token", "dex tokens"),
                ("The address behind a symbol", "dex tokens USDC --network mainnet"),
                (
                    "Add one of your own",
                    "dex tokens add 0x1d9E25Ddc3387f611bBCD822cf2027770Ae2Bd0E"
                )
            )
        case "tokens list":
            lines(
                ("Every known token", "dex tokens list"),
                ("Those with USD in symbol or name", "dex tokens list usd --network mainnet")
            )
        case "tokens add":
            lines(
                (
                    "Add a token, and be asked",
                    "dex tokens add 0x1d9E25Ddc3387f611bBCD822cf2027770Ae2Bd0E"
                ),
                (
                    "Under a symbol of your choice",
                    "dex tokens add 0x1d9E25Ddc3387f611bBCD822cf2027770Ae2Bd0E --symbol MINE"
                )
            )
        case "tokens remove":
            lines(
                ("Remove a token of your own", "dex tokens remove MINE"),
                (
                    "By its address",
                    "dex tokens remove 0x1d9E25Ddc3387f611bBCD822cf2027770Ae2Bd0E"
                )
            )
        case "block":
            lines(
                ("The latest block and its transactions", "dex block latest"),
                ("A block by its number", "dex block 0")
            )
        case "call":
            lines(
                (
                    "An allowance, in base units",
                    "dex call ZRX 'allowance(address,address)(uint256)' 0x1d9E25Ddc3387f611bBCD822cf2027770Ae2Bd0E 0x1d9E25Ddc3387f611bBCD822cf2027770Ae2Bd0E"
                ),
                ("A supply at an earlier block", "dex call ZRX 'totalSupply()(uint256)' --block 0"),
                (
                    "By name, with the ABI of the compiler",
                    "dex call --abi Token.json ZRX balanceOf 0x1d9E25Ddc3387f611bBCD822cf2027770Ae2Bd0E"
                )
            )
        case "activity":
            lines(
                ("The last 20 rows", "dex activity"),
                ("Those of a week, for a spreadsheet", "dex activity --since 7d --csv"),
                ("Of any account", "dex activity -w 0x1d9E25Ddc3387f611bBCD822cf2027770Ae2Bd0E")
            )
        case "history":
            lines(
                ("Your trades, and what came of them", "dex history"),
                ("This month's, for a spreadsheet", "dex history list --since 30d --csv")
            )
        case "history list":
            lines(
                ("Those since a day", "dex history list --since 2026-11-01"),
                ("Those with a tag of yours", "dex history list --tag rebalance"),
                ("For a spreadsheet", "dex history list --csv")
            )
        case "history rebuild":
            lines(
                ("Read all of a chain", "dex history rebuild --from-block 0"),
                (
                    "Read from the exchange's first block on mainnet",
                    "dex history rebuild --from-block 4145578 --network mainnet"
                )
            )
        case "doctor":
            lines(
                ("Check the default network and wallet", "dex doctor"),
                ("Check what a trade as alice would use", "dex doctor --network sandbox -w alice")
            )
        case "balance":
            lines(
                ("Two tokens of another account", "dex bal ZRX WETH -w bob"),
                ("The total in USDC", "dex bal --in USDC"),
                ("Tokens that no list has", "dex bal --discover")
            )
        default: nil
        }
    }
}
