import DexCore
import DexTerminal
import StrictJSON
import ZeroEx

/// What the commands about settings answer.
extension Answer {
    private static let value = Shape.named(
        .init(
            "setting",
            "A value of config.toml, of the type that it has there",
            .either([.text, .integer, .bool, .list(.text)])
        )
    )
    private static let path = Shape.Member("path", .text, "The file")
    private static let key = Shape.Member("key", .text, "The setting")

    static let configShow = Answer([
        "": .object([path, .init("fileSettings", .map(value), "Each key's value")]),
        "with `--all`": .object([
            path,
            .init(
                "settings",
                .list(
                    .object([
                        key, .init("value", value.orNull, "Null: none"),
                        .init(
                            "source",
                            .text,
                            "A flag, a variable, `config.toml`, `sandbox` or `default`"
                        ),
                    ])
                ),
                "All that hold"
            ),
        ]),
    ])
    static let configGet = Answer(
        key,
        .init("value", value, "The value"),
        .init("source", .text, "A flag, a variable, `config.toml`, `sandbox` or `default`")
    )
    static let configSet = Answer(key, .init("value", value, "The new value"))
    static let configUnset = Answer(
        key,
        .init("removedSettings", .map(value), "Each key that is removed, with its value")
    )
    static let configEdit = Answer(path, .init("changed", .bool, "It is changed"))
    static let configPath = Answer(path)

    static let policy = Answer(
        path,
        .init("exists", .bool, "There is such a file"),
        .init("network", .text, "The network"),
        .init("allowedNetworks", names, "Where anything may be signed; null: any"),
        .init("allowedTokens", names, "Which may move; null: any"),
        .init("allowedSpenders", names, "Which may be allowed something; null: any"),
        .init("allowedRecipients", names, "Who may get something; null: any"),
        .init("allowedTypedData", names, "Whose typed data may be signed; null: any"),
        .init("maxFee", Shape.amount.orNull, "Of a transaction, or null"),
        .init("maxSlippage", Shape.percent.orNull, "Of a trade, or null"),
        .init("limits", limits, "The limits of tokens"),
        .init("agents", limits.orNull, "What agents may do without a person; null for nothing"),
        .init("auditLog", .text, "The file of what was signed")
    )
    private static let names = Shape.list(.text).orNull
    private static let limits = Shape.list(
        .object([
            .init("symbol", .text, "The token's"),
            .init("perTrade", Shape.amount.orNull, "At once, or null"),
            .init("perDay", Shape.amount.orNull, "In 24 hours, or null"),
            .init("spent", Shape.amount.orNull, "Used of that, or null"),
        ])
    )

    // MARK: Names

    private static let name = Shape.Member("name", .text, "The name")
    static let addressEntry = Answer(name, .init("address", .address, "The address"))
    static let aliasSet = Answer(name, .init("command", .text, "What it stands for"))
    static let aliasRemove = Answer(name)
    static let tokenRemove = Answer(
        .init("network", .text, "The network"),
        .init("token", .token, "What is removed"),
        .init("list", .text, "The file")
    )
    static let completion = Answer(
        .init("shell", .words(of: CompletionCommand.Shell.self), "The shell"),
        .init("script", .text, "Its script")
    )
    static let manual = Answer([
        "without a page": .object([.init("pages", .list(.text), "Their names")]),
        "of a page": .object([.init("page", .text, "The page in mdoc")]),
    ])
    static let schema = Answer([
        "without a command": .object([
            .init(
                "commands",
                .list(
                    .object([
                        .init("command", .text, "Its words"),
                        .init("summary", .text, "What it does"),
                    ])
                ),
                "Those with a schema"
            )
        ]),
        "of a command": .object([
            .init("command", .text, "Its words"),
            .init("schema", .any, "The schema"),
        ]),
    ])

    // MARK: Wallets

    static let walletMade = Answer([
        "": WalletJSON.wallet.shape,
        "in a dry run": .object([
            name, .init("address", Shape.address.orNull, "If it is known", isOptional: true),
            .init("folder", .text, "Where it would be"),
        ]),
    ])
    static let walletUse = Answer([
        "of a wallet": WalletJSON.wallet.shape, "of a signer": WalletJSON.signer.shape,
    ])
    static let wallet = Answer(WalletJSON.wallet)
    static let walletExport = Answer([
        "": .object(
            WalletJSON.wallet.shape.members + [.init("keystore", .any, "The file's content")]
        ),
        "with `--key`, `--words` or `--out`": .object(
            WalletJSON.wallet.shape.members + [
                .init("form", .text, "What was written"),
                .init("out", Shape.text.orNull, "The file; null: the terminal"),
            ]
        ),
    ])
    private static let file = Shape.Member("file", .text, "The file")
    static let walletBackup = Answer(file, .init("names", .list(.text), "Their names"))
    static let walletRestore = Answer([
        "": .object([
            file, .init("restored", .list(WalletJSON.wallet.shape), "What came back"),
            .init("existing", .list(.text), "Names of those that already existed"),
        ]),
        "in a dry run": .object([file, .init("names", .list(.text), "Their names")]),
    ])
    static let signMessage = Answer(
        .init("address", .address, "The account"),
        .init("messageBytes", .bytes, "What is signed"),
        .init("hash", .hash, "Its hash"),
        .init("signature", .bytes, "Not in a plan", isOptional: true)
    )
    static let verifyMessage = Answer(
        .init("address", .address, "Who signed it"),
        .init("hash", .hash, "Its hash")
    )
    static let verifyTyped = Answer(
        .init("address", .address, "Who signed it"),
        .init("primaryType", .text, "Its type"),
        .init("hash", .hash, "What was signed")
    )
    static let lock = Answer(.init("locked", .list(.address), "The accounts"))
    static let unlock = Answer(
        .init(
            "unlockedKeys",
            .list(
                .object([
                    .init("address", .address, "The account"),
                    .init("name", Shape.text.orNull, "Its wallet's name, or null"),
                    .init("seconds", .integer, "How long it stays unlocked"),
                    .init("memoryLocked", .bool, "Its memory is never written to swap"),
                    .init(
                        "confinement",
                        .list(.text),
                        "What its process gave up: `no-new-privileges`, `system-calls`, `files`"
                    ),
                    .init("networks", .list(unlockedAt), "Where it may sign"),
                ])
            ),
            "The keys that are unlocked"
        )
    )
    private static let unlockedAt = Shape.object([
        name,
        .init("contracts", Shape.list(.address).orNull, "Which it may call; null: any"),
        .init("maxGasCost", Shape.amount.orNull, "Of a transaction, or null"),
        .init("maxTip", Shape.digits.orNull, "Wei a unit of gas, or null"),
        .init("maxAmounts", .list(.amount), "At once"),
        .init("maxDayAmounts", .list(.amount), "In 24 hours"),
    ])
}
