import DexCore
import DexTerminal
import RelayHost
import SandboxHost
import StrictJSON
import ZeroEx

/// What `dex sandbox` answers.
extension Answer {
    private static let account = Shape.object([
        .init("name", .text, "Its name"), .init("address", .address, "Its address"),
    ])
    private static let running = Shape.Member("running", .constant(true), "It runs")
    private static let chain: [Shape.Member] = [
        .init("chainId", .integer, "Its chain"), .init("coin", .text, "The symbol of its coin"),
        .init("genesis", .hash, "The hash of its first block"),
        .init("hosts", .list(.text), "Of its URLs for other machines; empty on loopback"),
        .init("startedAt", .time, "When it was started"),
        .init("folder", .text, "Where it keeps its state"),
        .init("block", Shape.integer.orNull, "Its latest block; null if it is silent"),
        .init("accounts", .list(account), "Its named accounts"),
    ]
    private static let network: [Shape.Member] = [
        .init("name", .text, "For `--network`"),
        .init("protocol", .words(of: ProtocolVersion.self), "The version of 0x"),
        .init("relay", .text, "The URL of its relay"),
    ]
    private static let orders = Shape.Member(
        "orderCount",
        Shape.count.orNull,
        "In its book; null if it is silent"
    )

    private static let sandboxKeys = Shape.object(
        [
            running, .init("pid", .integer, "Its process"),
            .init("rpcUrl", .text, "The URL of its node"),
            .init("relay", Shape.text.orNull, "Of the network `sandbox`"),
            .init("swapUrl", Shape.text.orNull, "The base URL of the swap API, or null"),
            .init(
                "pools",
                .list(
                    .object([
                        .init("pair", .pairName, "What it trades"),
                        .init("kind", .words(["v2", "v3"]), "Of Uniswap"),
                        .init("feePercent", .percent, "Of what comes in"),
                        .init("address", .address, "The pool"),
                    ])
                ),
                "Uniswap's pools"
            ),
            .init(
                "followers",
                .list(ServerJSON.follower.shape),
                "The machines that keep a copy, the one that lags most first"
            ),
            .init("seed", .digits, "Of its market"), orders,
            .init("networks", .list(.object(network + [orders])), "Its networks"),
        ] + chain
    )

    private static let copyKeys = Shape.object(
        [
            running, .init("pid", .integer, "Its process"),
            .init("leader", Shape.text.orNull, "The node that is followed"),
            .init(
                "copy",
                Shape.object([
                    .init(
                        "condition",
                        .words(["connecting", "following", "cut off", "stopped"]),
                        "What it does"
                    ),
                    .init("reason", Shape.text.orNull, "Why, or null"),
                    .init("block", .integer, "How far it is verified"),
                    .init("time", .time, "The time of that block"),
                    .init("leaderBlock", Shape.integer.orNull, "How far the other is, or null"),
                    .init("behind", Shape.integer.orNull, "Blocks, or null"),
                    .init("silentFor", Shape.integer.orNull, "Seconds, or null"),
                ]).orNull,
                "Null if its node is silent"
            ),
            .init("rpcUrl", .text, "The URL of its node"),
            .init("relay", Shape.text.orNull, "Of its first network, or null"),
            .init("swapUrl", .constant(.null), "It has none"),
            .init("networks", .list(.object(network)), "Its networks"),
        ] + chain
    )

    private static let forkKeys = Shape.object(
        [
            running, .init("pid", .integer, "Its process"),
            .init(
                "forkOf",
                .object([
                    .init("chainId", .integer, "The live chain"),
                    .init("block", .integer, "The block with which the fork begins"),
                    .init(
                        "node",
                        Shape.text.orNull,
                        "The live chain's, cut to what may be shown; null: it goes on offline"
                    ),
                    .init(
                        "valueCount",
                        Shape.integer.orNull,
                        "Accounts and words that were fetched"
                    ),
                    .init("trips", Shape.integer.orNull, "Round trips to the node since the start"),
                    .init("missing", .list(.text), "What is not the live chain's, as sentences"),
                ]),
                "Of what it is a fork"
            ),
            .init("rpcUrl", .text, "The URL of its node"),
            .init("relay", .constant(.null), "It has none"),
            .init("swapUrl", .constant(.null), "It has none"),
            .init("seed", .digits, "Of its accounts"),
            .init("networks", .list(.object(Array(network.dropLast()))), "Its networks"),
        ] + chain
    )

    private static let fork = Shape.named(
        .init("sandboxFork", "A running fork of a live chain", forkKeys)
    )
    private static let sandbox = Shape.named(
        .init("sandbox", "A running sandbox", sandboxKeys)
    )
    private static let copy = Shape.named(
        .init("sandboxCopy", "A running copy of another machine's sandbox", copyKeys)
    )

    private static func stopped(_ isKept: Shape) -> Shape {
        .object([
            .init("running", .constant(false), "It has stopped"),
            .init("kept", isKept, "Its state is kept"),
        ])
    }

    static let sandboxUp = Answer([
        "once it runs": sandbox, "once it has stopped": stopped(.bool),
        "of a copy": copy, "of a fork": fork,
    ])
    static let sandboxStatus = Answer([
        "of a sandbox": sandbox, "of a copy": copy, "of a fork": fork,
        "if none runs": .object([
            .init("running", .constant(false), "None runs"),
            .init("folder", .text, "Where it would keep its state"),
        ]),
    ])
    static let sandboxFollow = Answer([
        "once it runs": copy, "once it has stopped": stopped(.constant(true)),
    ])
    static let sandboxDown = Answer(
        .init("stopped", .bool, "One ran"),
        .init("pid", .integer, "Its process", isOptional: true)
    )
    static let sandboxReset = Answer(
        .init("reset", .bool, "It is done"),
        .init("folder", .text, "What was removed")
    )

    // MARK: Faults

    private static let fault = Shape.object([
        .init("fault", .words(of: SandboxFault.Name.self), "Its name"),
        .init("times", .integer, "How often it strikes", isOptional: true),
        .init("share", .integer, "How many of a hundred fail", isOptional: true),
        .init(
            "kinds",
            .list(.words(of: SandboxFault.Flakiness.Kind.self)),
            "How they fail",
            isOptional: true
        ),
        .init("seed", .digits, "Which ones fail", isOptional: true),
        .init("delay", .integer, "Milliseconds", isOptional: true),
        .init("chainId", .integer, "What the node says", isOptional: true),
        .init("kind", .text, "Of a quote, or of the pools", isOptional: true),
        .init("of", .words(of: SandboxServer.self), "Which server"),
        .init("requests", .integer, "Since it was set"),
        .init("hits", .integer, "Those that it struck"),
    ])
    private static let faultList: [Shape.Member] = [
        .init("faults", .list(fault), "The active ones"),
        .init("block", .integer, "The latest block"),
        .init("baseFee", .digits, "Wei, of the next block"),
        .init("waiting", .list(.hash), "Waiting transactions"),
    ]
    static let faults = Answer(.object(faultList))
    static let faultsCleared = Answer(
        .object(
            faultList + [
                .init(
                    "cleared",
                    .list(fault),
                    "Those that ended; not in a dry run",
                    isOptional: true
                )
            ]
        )
    )
    static let reorganization = Answer([
        "": .object([
            .init("fork", .integer, "The newest block that is kept"),
            .init("block", .integer, "The newest block now"),
            .init("replaced", .integer, "How many were replaced"),
            .init(
                "transactions",
                .list(
                    .object([
                        .init("hash", .hash, "The transaction"),
                        .init("block", .integer, "Its former block"),
                        .init("now", .words(["pool", "gone", "mined"]), "Where it is"),
                    ])
                ),
                "What was in them"
            ),
        ]),
        "in a dry run": .object(faultList),
    ])
}

/// What `dex relay` answers.
extension Answer {
    private static let path = Shape.Member("path", Shape.text.orNull, "Null on PostgreSQL")
    private static let store = Shape.Member("store", .text, "Where the orders are kept")

    static let relayInit = Answer(
        .init("path", .text, "The file of settings"),
        .init("network", .text, "The network")
    )
    static let relayServe = Answer([
        "once it serves": .object([
            running, .init("url", .text, "For this machine"),
            .init("public", Shape.text.orNull, "For others, or null"),
            .init("network", .text, "The network"), .init("chainId", .integer, "Its chain"),
            .init("orderCount", .count, "In the books"), store,
            .init(
                "markets",
                .list(
                    .object([
                        .init("protocol", .words(of: ProtocolVersion.self), "The version of 0x"),
                        .init("exchange", .address, "The exchange"),
                        .init("relay", .text, "For `--relay`"),
                    ])
                ),
                "What it serves"
            ),
        ]),
        "once it has stopped": .object([.init("running", .constant(false), "It has stopped")]),
    ])
    static let relayStats = Answer(
        .init("url", .text, "The relay"),
        .init("version", .text, "Its version"),
        .init("ready", .bool, "It is ready"),
        .init("reasons", .list(.text), "Why it is not ready"),
        .init("requests", .integer, "How many it had"),
        .init(
            "orderCounts",
            .list(
                .object([
                    .init("protocol", .text, "The version of 0x"),
                    .init("pairLabel", .text, "Two addresses, or `other`"),
                    .init(
                        "state",
                        .text,
                        "`shown`, `dormant`, `hidden`, `filled`, `cancelled`, `expired`, `removed`"
                    ),
                    .init("count", .integer, "How many"),
                ])
            ),
            "By their state"
        ),
        .init(
            "posts",
            .list(
                .object([
                    .init("protocol", .text, "The version of 0x"),
                    .init("result", .text, "`added`, `known`, or why not"),
                    .init("count", .integer, "How many"),
                ])
            ),
            "By what became of them"
        ),
        .init(
            "watcher",
            Shape.object([
                .init("watching", .bool, "This instance watches the chain"),
                .init("followed", Shape.integer.orNull, "How far it is, or null"),
                .init("latest", Shape.integer.orNull, "The node's latest block, or null"),
                .init("lag", Shape.integer.orNull, "Blocks, or null"),
                .init("nodeRequests", .integer, "How many"),
                .init("nodeFailures", .integer, "How many failed"),
                .init("reorganizations", .integer, "How many"),
            ]).orNull,
            "Null if it does not count"
        ),
        .init(
            "storeStatus",
            Shape.object([
                .init("reachable", .bool, "It answers"), .init("commits", .integer, "How many"),
                .init("failures", .integer, "How many"),
            ]).orNull,
            "Null if it does not count"
        ),
        .init("connections", Shape.integer.orNull, "Of the feed, or null"),
        .init("subscriptions", Shape.integer.orNull, "Of the feed, or null")
    )
    static let relayExport = Answer(
        .init("file", .text, "The file"),
        .init("orderCount", .count, "How many")
    )
    static let relayBackup = Answer(
        .init("file", .text, "The file"),
        .init("orderCount", Shape.count.orNull, "That have not ended; null at a dry run"),
        .init("bytes", Shape.count.orNull, "Its size; null at a dry run")
    )
    static let relayImport = Answer(
        .init("lineCount", .count, "How many were read"),
        .init("addedCount", .count, "New orders"),
        .init("knownCount", .count, "Orders that it had"),
        .init("refusedCount", .count, "Other lines"),
        .init(
            "refusals",
            .list(
                .object([
                    .init("line", .count, "Its number"),
                    .init("orderHash", Shape.hash.orNull, "Null if the line is no order"),
                    .init("reason", .text, "Why"),
                ])
            ),
            "The first 50"
        )
    )
    static let relayTokens = Answer(
        .init("path", .text, "The file of settings"),
        .init("added", .list(.text), "Pairs"),
        .init("removed", .list(.text), "Pairs")
    )
    static let relayDecision = Answer(
        path,
        store,
        .init("decision", ServerJSON.decision.shape, "What holds now")
    )
    static let relayModeration = Answer(
        path,
        store,
        .init("decisions", .list(ServerJSON.decision.shape), "The latest first")
    )
    static let relayKey = Answer(
        path,
        store,
        .init("client", ServerJSON.client.shape, "The client"),
        .init("key", Shape.text.orNull, "This once; null at a dry run")
    )
    static let relayKeys = Answer(
        path,
        store,
        .init("clients", .list(ServerJSON.client.shape), "All of them")
    )
    static let relayKeyRemoved = Answer(path, store, .init("name", .text, "The client"))
}
