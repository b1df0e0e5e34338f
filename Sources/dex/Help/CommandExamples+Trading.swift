import DexTerminal

extension CommandExamples {
    /// Commands that move money or follow what was sent.
    static func ofTrading(_ name: String) -> [CommandHelp.Example]? {
        switch name {
        case "market-buy":
            lines(
                ("Buy 100 ZRX at the best of the venues", "dex buy ZRX/WETH 100"),
                ("Pay at most 0.00076 WETH for one", "dex buy ZRX/WETH 100 --max-price 0.00076"),
                (
                    "Plan it over the book and another venue, as alice",
                    "dex buy ZRX/WETH 100 --split -n -w alice"
                )
            )
        case "market-sell":
            lines(
                ("Sell 100 ZRX at the best of the venues", "dex sell ZRX/WETH 100"),
                (
                    "Take half a percent less than quoted at most",
                    "dex sell ZRX/WETH 100 --slippage 0.5"
                ),
                (
                    "Sell into the relay's bids, without a question",
                    "dex sell ZRX/WETH 100 --via book -y"
                )
            )
        case "place-limit":
            lines(
                (
                    "Offer 50 ZRX at 0.00076 WETH each for a day",
                    "dex limit sell ZRX/WETH 50 --price 0.00076"
                ),
                ("Bid for a week", "dex limit buy ZRX/WETH 50 --price 0.0007 --expires 7d"),
                (
                    "Print the signed order and post it nowhere",
                    "dex limit sell ZRX/WETH 50 --price 0.00076 --no-post --json"
                )
            )
        case "fill":
            lines(
                ("Fill an order of the relay as far as you can pay", "dex fill 0x7d3a9f01"),
                ("Take 10 of its BASE", "dex fill 0x7d3a9f01 10"),
                ("Fill a signed order that someone handed you", "dex fill order.json")
            )
        case "cancel":
            lines(
                ("Cancel two orders", "dex cancel 0x7d3a9f01 0xb20c55e8"),
                ("Cancel all of a pair", "dex cancel --pair ZRX/WETH"),
                ("Cancel everything that is open", "dex cancel --all")
            )
        case "replace":
            lines(
                ("Move an order to another price", "dex replace 0x7d3a9f01 --price 0.00077"),
                ("Halve it as well", "dex replace 0x7d3a9f01 --price 0.00077 --amount 25")
            )
        case "orders":
            lines(
                ("Your own orders, and what happened to each", "dex orders --mine"),
                ("What can be filled now", "dex orders --pair ZRX/WETH --open")
            )
        case "order":
            lines(
                ("Show an order", "dex order 0x7d3a9f01"),
                ("What its maker signed, for a script", "dex order 0x7d3a9f01 -j")
            )
        case "why":
            lines(
                ("Find out why an order is not taken", "dex why 0x7d3a9f01"),
                ("The same as another account", "dex why 0x7d3a9f01 -w bob")
            )
        case "status":
            lines(
                ("See how a transaction or an order stands", "dex status 0x7d3a9f01"),
                (
                    "Wait until 3 blocks hold a transaction",
                    "dex status 0x7d3a9f01 --wait --confirmations 3"
                )
            )
        case "tx":
            lines(
                ("See what was sent", "dex tx list"),
                ("Pay more for what waits", "dex tx speedup 0x7d3a9f01")
            )
        case "tx list":
            lines(
                ("The last 20 transactions", "dex tx list"),
                ("Only those that need you", "dex tx list --unsettled")
            )
        case "tx speedup":
            lines(
                ("Pay what the market pays now", "dex tx speedup 0x7d3a9f01"),
                ("Pay at most 40 gwei for a unit of gas", "dex tx speedup 0x7d3a9f01 --max-fee 40")
            )
        case "tx export":
            lines(
                (
                    "Write the file of a signed transaction again",
                    "dex tx export 0x7d3a9f01 --out tx.json"
                ),
                (
                    "See what it holds, and write nothing",
                    "dex tx export 0x7d3a9f01 --out tx.json -n"
                )
            )
        case "broadcast":
            lines(
                ("Show what a signed file does, and send nothing", "dex broadcast tx.json -n"),
                ("Send it", "dex broadcast tx.json"),
                ("From standard input, without a question", "dex broadcast - -y")
            )
        case "tx cancel":
            lines(
                ("Take a waiting transaction back", "dex tx cancel 0x7d3a9f01"),
                ("Before most others", "dex tx cancel 0x7d3a9f01 --priority high")
            )
        case "resume":
            lines(
                ("See what an interrupted command left", "dex resume"),
                ("Finish it without a question", "dex resume -y")
            )
        case "watch":
            lines(
                ("Follow your orders and tokens", "dex watch"),
                (
                    "Two accounts, and only what is filled",
                    "dex watch -w alice -w bob --events fill"
                ),
                ("What is new since the last time, for a cron job", "dex watch --once -j")
            )
        default: ofAlerts(name)
        }
    }

    /// Alerts.
    private static func ofAlerts(_ name: String) -> [CommandHelp.Example]? {
        switch name {
        case "alert":
            lines(
                ("Be told when ZRX falls below a price", "dex alert add ZRX/WETH --below 0.00074"),
                ("See all alerts", "dex alert list"),
                ("Check them at each block", "dex watch")
            )
        case "alert add":
            lines(
                ("When the mid falls below a price", "dex alert add ZRX/WETH --below 0.00074"),
                (
                    "Once, when the spread is wide",
                    "dex alert add ZRX/WETH spread --above 2% --once"
                ),
                ("When alice runs low", "dex alert add balance WETH --below 1 -w alice")
            )
        case "alert list":
            lines(("Every alert", "dex alert list"), ("For a script", "dex alert list -j"))
        case "alert remove":
            lines(
                ("Remove an alert", "dex alert remove 3"),
                ("See what is left", "dex alert list")
            )
        default: ofGuards(name)
        }
    }

    /// Guards.
    private static func ofGuards(_ name: String) -> [CommandHelp.Example]? {
        switch name {
        case "guard":
            lines(
                ("A stop-loss", "dex guard add sell ZRX/WETH 100 --below 0.0007"),
                ("Run all guards", "dex guard run"),
                ("See what became of them", "dex guard list")
            )
        case "guard add":
            lines(
                ("A stop-loss", "dex guard add sell ZRX/WETH 100 --below 0.0007 --slippage 2"),
                ("Take a profit", "dex guard add sell ZRX/WETH 100 --above 0.0009"),
                ("Buy a dip, planned only", "dex guard add buy ZRX/WETH 1k --below 0.0006 -n")
            )
        case "guard list":
            lines(("Every guard", "dex guard list"), ("For a script", "dex guard list -j"))
        case "guard remove":
            lines(
                ("Remove a guard", "dex guard remove 2"),
                ("See what is left", "dex guard list")
            )
        case "guard run":
            lines(
                ("Until none waits, or Ctrl-C", "dex guard run"),
                (
                    "With a wallet, at no more than a fee",
                    "dex guard run -w alice --max-gas-cost 0.01"
                )
            )
        default: nil
        }
    }
}
