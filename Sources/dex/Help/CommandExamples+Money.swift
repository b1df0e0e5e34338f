import DexTerminal

extension CommandExamples {
    /// Commands that move money without a trade.
    static func ofMoney(_ name: String) -> [CommandHelp.Example]? {
        switch name {
        case "send":
            lines(
                ("Send 1 WETH to a name of the address book", "dex send WETH 1 ledger"),
                (
                    "Plan a payment in the coin, and sign nothing",
                    "dex send ETH 0.1 0x1d9E25Ddc3387f611bBCD822cf2027770Ae2Bd0E -n"
                ),
                (
                    "Sign it for dex broadcast, and send nothing",
                    "dex send WETH 1 ledger --no-send --out tx.json"
                )
            )
        case "wrap":
            lines(
                ("Make 0.5 of the coin tradable", "dex wrap 0.5"),
                ("Spend at most 0.001 on gas", "dex wrap 0.5 --max-gas-cost 0.001")
            )
        case "unwrap":
            lines(
                ("Turn 0.5 of the wrapped token back", "dex unwrap 0.5"),
                ("The same, without a question", "dex unwrap 0.5 -y")
            )
        case "allowance":
            lines(
                ("What may be moved", "dex allowance"),
                ("Allow 100 ZRX", "dex allowance set ZRX 100"),
                ("Allow nothing any more", "dex allowance revoke ZRX")
            )
        case "allowance list":
            lines(
                ("Every known token", "dex allowance list"),
                ("Two of them", "dex allowance list ZRX WETH")
            )
        case "allowance set":
            lines(
                ("Allow exactly 100 ZRX", "dex allowance set ZRX 100"),
                ("Allow all WETH, now and later", "dex allowance set WETH unlimited")
            )
        case "allowance revoke":
            lines(
                ("Allow nothing any more", "dex allowance revoke ZRX"),
                ("Everything that anybody may move", "dex allowance revoke --all")
            )
        case "transact":
            lines(
                (
                    "Approve 100 base units of ZRX",
                    "dex transact ZRX 'approve(address,uint256)' 0x1d9E25Ddc3387f611bBCD822cf2027770Ae2Bd0E 100"
                ),
                (
                    "Send the coin to a contract, as a plan only",
                    "dex transact WETH 'deposit()' --value 0.1 -n"
                )
            )
        default: nil
        }
    }

    /// Keys, and what they may sign.
    static func ofWallets(_ name: String) -> [CommandHelp.Example]? {
        switch name {
        case "wallet":
            lines(
                ("Make a key", "dex wallet new main"),
                ("Bring a recovery phrase in", "dex wallet import words main"),
                ("See them all", "dex wallet list")
            )
        case "wallet new":
            lines(
                ("Make a key and name it", "dex wallet new main"),
                ("With a phrase of 24 words", "dex wallet new main --words 24")
            )
        case "wallet import":
            lines(
                ("Type the words of a recovery phrase", "dex wallet import words main"),
                (
                    "The second key of a phrase",
                    "dex wallet import words second --path \"m/44'/60'/0'/0/1\""
                ),
                ("Bring geth's keystore in", "dex wallet import keystore old --from keystore.json")
            )
        case "wallet export":
            lines(
                ("Save the encrypted keystore", "dex wallet export main --out main.json"),
                ("Show the words, to write them down", "dex wallet export main --words")
            )
        case "wallet list":
            lines(
                ("All wallets", "dex wallet list"),
                ("For a script", "dex wallet list -j")
            )
        case "wallet use":
            lines(
                ("Use it wherever no other is named", "dex wallet use main"),
                ("By its address", "dex wallet use 0x1d9E25Ddc3387f611bBCD822cf2027770Ae2Bd0E")
            )
        case "wallet rename":
            lines(
                ("Give it another name", "dex wallet rename main savings"),
                (
                    "Name one by its address",
                    "dex wallet rename 0x1d9E25Ddc3387f611bBCD822cf2027770Ae2Bd0E savings"
                )
            )
        case "wallet remove":
            lines(
                ("Keep a backup first", "dex wallet backup wallets.json"),
                ("Remove the file for good", "dex wallet remove old")
            )
        case "wallet sign-message":
            lines(
                (
                    "Prove that the account is yours",
                    "dex wallet sign-message 'I am alice' -w alice"
                ),
                ("Sign a text of several lines", "dex wallet sign-message --file letter.txt")
            )
        case "wallet verify-message":
            lines(
                (
                    "Check a text against its signature",
                    "dex wallet verify-message 0x1d9E25Ddc3387f611bBCD822cf2027770Ae2Bd0E \"$SIGNATURE\" 'I am alice'"
                ),
                (
                    "Check a file",
                    "dex wallet verify-message 0x1d9E25Ddc3387f611bBCD822cf2027770Ae2Bd0E \"$SIGNATURE\" --file letter.txt"
                )
            )
        case "wallet sign-typed":
            lines(
                ("See what an application's request allows", "dex wallet sign-typed request.json"),
                (
                    "Sign it for a script",
                    "dex wallet sign-typed request.json -w main --yes --json"
                )
            )
        case "wallet verify-typed":
            lines(
                ("See who signed it", "dex wallet verify-typed request.json \"$SIGNATURE\""),
                (
                    "Check that this account did",
                    "dex wallet verify-typed request.json \"$SIGNATURE\" 0x1d9E25Ddc3387f611bBCD822cf2027770Ae2Bd0E"
                )
            )
        case "wallet backup":
            lines(
                ("Save all keys, still encrypted", "dex wallet backup wallets.json"),
                ("On a slow machine", "dex wallet backup wallets.json --light")
            )
        case "wallet restore":
            lines(
                ("Bring back what is missing", "dex wallet restore wallets.json"),
                ("Report it as JSON", "dex wallet restore wallets.json -j")
            )
        case "unlock":
            lines(
                ("Ask for no password for 15 minutes", "dex unlock main"),
                (
                    "Let at most 1 WETH out at once, and 3 in a day",
                    "dex unlock main --for 8h --max WETH=1 --max-day WETH=3"
                ),
                ("See what is unlocked", "dex unlock --status")
            )
        case "lock":
            lines(("Forget one key", "dex lock main"), ("Forget all", "dex lock"))
        case "policy":
            lines(
                ("See what may be signed", "dex policy show"),
                ("On another network", "dex policy show --network mainnet")
            )
        case "policy show":
            lines(
                ("The rules, and what they leave for today", "dex policy show"),
                ("Of another account", "dex policy show -w savings")
            )
        default: nil
        }
    }
}
