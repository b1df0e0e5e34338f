import DexTerminal

extension CommandExamples {
    /// The wallet of dapps, the sandbox and its faults.
    static func ofSandbox(_ name: String) -> [CommandHelp.Example]? {
        switch name {
        case "sandbox":
            lines(
                ("Start it in the background", "dex sandbox up --detach"),
                ("Let the next fill be overtaken", "dex sandbox fault collision"),
                ("Stop it", "dex sandbox down")
            )
        case "provider":
            lines(
                ("Be the wallet of dapps, as the account main", "dex provider -w main"),
                ("For two of them at once, on another port", "dex provider -w bob --port 8549")
            )
        case "mcp":
            lines(
                ("As a host starts it: it may look, and no more", "dex mcp"),
                ("It may plan too, for one account of the sandbox", "dex mcp --allow plan -w alice")
            )
        case "approve":
            lines(
                ("See what agents planned", "dex approve"),
                ("Carry one out, after a question", "dex approve 7f3a"),
                ("Stay, and be asked as plans come", "dex approve --watch")
            )
        case "approve list":
            lines(
                ("What waits, and for what", "dex approve list"),
                ("For a script", "dex approve list -j")
            )
        case "approve show":
            lines(
                ("See one without a question", "dex approve show 7f3a"),
                ("For a script", "dex approve show 7f3a -j")
            )
        case "approve no":
            lines(
                ("Decline one for good", "dex approve no 7f3a"),
                ("Two at once", "dex approve no 7f3a 81c0")
            )
        case "sandbox up":
            lines(
                ("In the background", "dex sandbox up --detach"),
                (
                    "On a live chain's contracts and pools, with play money",
                    "dex sandbox up --fork mainnet --fund alice=10000:USDC"
                ),
                (
                    "For a group on a local network",
                    "dex sandbox up --listen 0.0.0.0 --chain-id 5555 --coin LAB --accounts none --fund 0x2b1858a6a83931237070a1a10b0dF600E528e7d7"
                )
            )
        case "sandbox status":
            lines(
                ("Whether it runs", "dex sandbox status"),
                ("Its addresses, for a script", "dex sandbox status -j")
            )
        case "sandbox down":
            lines(("Stop it", "dex sandbox down"), ("Go on later", "dex sandbox up --detach"))
        case "sandbox follow":
            lines(
                (
                    "Keep a copy of the sandbox at 192.168.1.5",
                    "dex sandbox follow http://192.168.1.5:8545 --detach"
                ),
                ("Go on with it", "dex sandbox follow --detach"),
                ("How far it is", "dex sandbox status")
            )
        case "sandbox reset":
            lines(
                ("Begin anew", "dex sandbox reset"),
                ("Without a question", "dex sandbox reset -y")
            )
        case "sandbox fault":
            lines(
                ("Let the next fill be overtaken", "dex sandbox fault collision"),
                ("Let a third of the requests fail", "dex sandbox fault flaky --share 33"),
                ("End it all", "dex sandbox fault clear")
            )
        case "sandbox fault list":
            lines(
                ("What is on", "dex sandbox fault list"),
                ("For a script", "dex sandbox fault list -j")
            )
        case "sandbox fault collision":
            lines(
                ("Overtake the next fill", "dex sandbox fault collision"),
                ("Overtake three of them", "dex sandbox fault collision --times 3")
            )
        case "sandbox fault stuck":
            lines(
                ("Let the next transaction wait", "dex sandbox fault stuck"),
                ("Pay more for it", "dex tx speedup 0x7d3a9f01")
            )
        case "sandbox fault reorg":
            lines(
                ("Take the newest block back", "dex sandbox fault reorg"),
                (
                    "Lose the transactions of three blocks",
                    "dex sandbox fault reorg --blocks 3 --transactions gone"
                )
            )
        case "sandbox fault flaky":
            lines(
                ("A third of the requests fails", "dex sandbox fault flaky --share 33"),
                ("The relay says 429", "dex sandbox fault flaky --of relay --kind 429")
            )
        case "sandbox fault slow":
            lines(
                ("Every answer comes 2 seconds late", "dex sandbox fault slow"),
                ("The node's half a second", "dex sandbox fault slow --of node --delay 500ms")
            )
        case "sandbox fault down":
            lines(
                ("Node and relay are gone", "dex sandbox fault down"),
                ("The relay is gone", "dex sandbox fault down --of relay")
            )
        case "sandbox fault hang":
            lines(
                ("Node and relay never answer", "dex sandbox fault hang"),
                ("The node never answers", "dex sandbox fault hang --of node")
            )
        case "sandbox fault wrong-chain":
            lines(
                ("The node is of another chain", "dex sandbox fault wrong-chain"),
                ("It says that it is mainnet's", "dex sandbox fault wrong-chain --chain-id 1")
            )
        case "sandbox fault pools":
            lines(
                ("Move pools for one block", "dex sandbox fault pools --kind moved"),
                ("Let quotes promise too much", "dex sandbox fault pools --kind quote")
            )
        case "sandbox fault quote":
            lines(
                ("Quotes pay someone else", "dex sandbox fault quote --kind recipient"),
                ("One quote is stale", "dex sandbox fault quote --kind stale --times 1")
            )
        case "sandbox fault clear":
            lines(
                ("End all faults", "dex sandbox fault clear"),
                ("End two of them", "dex sandbox fault clear slow flaky")
            )
        default: nil
        }
    }

    /// Hosting a relay.
    static func ofRelays(_ name: String) -> [CommandHelp.Example]? {
        switch name {
        case "relay":
            lines(
                ("Write its settings", "dex relay init --network sandbox"),
                ("Check them", "dex relay check"),
                ("Run it", "dex relay serve")
            )
        case "relay init":
            lines(
                ("Settings for the sandbox's chain", "dex relay init --network sandbox"),
                ("Into a file of your choice", "dex relay init --config relay.toml"),
                (
                    "For the public, behind a proxy of this machine",
                    "dex relay init --public https://relay.example"
                )
            )
        case "relay serve":
            lines(
                ("By the default settings", "dex relay serve"),
                ("By a file", "dex relay serve --config relay.toml")
            )
        case "relay check":
            lines(
                ("Before it serves", "dex relay check"),
                ("For a monitor", "dex relay check --config relay.toml -j")
            )
        case "relay stats":
            lines(
                ("The relay on this machine", "dex relay stats"),
                ("Another one", "dex relay stats --url http://127.0.0.1:3000")
            )
        case "relay export":
            lines(
                ("Into a file", "dex relay export orders.jsonl"),
                ("To the terminal", "dex relay export")
            )
        case "relay import":
            lines(
                ("From a file", "dex relay import orders.jsonl"),
                ("From standard input", "dex relay import -")
            )
        case "relay hide":
            lines(
                (
                    "Every order of a maker",
                    "dex relay hide 0xE41d2489571d322189246DaFA5ebDe1F4699F498 --reason spam"
                ),
                ("Every order of a pair", "dex relay hide ZRX/WETH")
            )
        case "relay remove":
            lines(
                (
                    "Every order of a maker",
                    "dex relay remove 0xE41d2489571d322189246DaFA5ebDe1F4699F498"
                ),
                ("Every order of a pair", "dex relay remove ZRX/WETH --reason 'Court order 12'")
            )
        case "relay show":
            lines(
                ("A pair again", "dex relay show ZRX/WETH"),
                ("A maker again", "dex relay show 0xE41d2489571d322189246DaFA5ebDe1F4699F498")
            )
        case "relay moderation":
            lines(
                ("What was decided, and when", "dex relay moderation"),
                ("With whole hashes and addresses", "dex relay moderation -v")
            )
        case "relay backup":
            lines(
                ("While the relay runs", "dex relay backup relay-copy.sqlite"),
                ("By a file of settings", "dex relay backup copy.sqlite --config relay.toml")
            )
        case "relay key":
            lines(
                ("A key for a market maker", "dex relay key add maker --posts-per-second 100"),
                ("Who has keys", "dex relay key list")
            )
        case "relay key add":
            lines(
                (
                    "With limits of its own",
                    "dex relay key add maker --posts-per-second 100 --post-burst 500"
                ),
                ("Reading without a limit", "dex relay key add shop --requests-per-hour 0")
            )
        case "relay key list":
            lines(
                ("Who has keys", "dex relay key list"),
                ("For a script", "dex relay key list -j")
            )
        case "relay key remove":
            lines(
                ("Take a key back", "dex relay key remove maker"),
                ("Of another relay", "dex relay key remove maker --config relay2.toml")
            )
        case "relay token":
            lines(
                ("Carry a token", "dex relay token add ZRX"),
                ("Carry it no longer", "dex relay token remove ZRX")
            )
        case "relay token add":
            lines(
                ("For WETH", "dex relay token add ZRX"),
                ("For USDC", "dex relay token add ZRX --against USDC")
            )
        case "relay token remove":
            lines(
                ("All of its pairs", "dex relay token remove ZRX"),
                (
                    "By its address",
                    "dex relay token remove 0xE41d2489571d322189246DaFA5ebDe1F4699F498"
                )
            )
        default: nil
        }
    }
}
