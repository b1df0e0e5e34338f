/// The columns that the lists have with `--csv`; docs/output.md has them too.
package enum ListColumns {
    package static let orders: [CSVColumn] = [
        .init("order", "orderHash"), .init("status"), .init("side"), .init("pair"),
        .init("price"), .init("maker"), .init("taker"), .init("gives", "gives.value"),
        .init("gives_token", "gives.symbol"), .init("wants", "wants.value"),
        .init("wants_token", "wants.symbol"), .init("filled", "filled.value"),
        .init("cancelled", "cancelled.value"), .init("fillable", "fillable.value"),
        .init("expires", isTime: true), .init("own"), .init("on_relay", "onRelay"),
        .init("relays"), .init("flags"), .init("gives_address", "gives.address"),
        .init("wants_address", "wants.address"),
    ]

    package static let book: [CSVColumn] = [
        .init("side"), .init("price"), .init("amount", "amount.value"),
        .init("fillable", "fillable.value"), .init("taker_fee", "takerFee.value"),
        .init("order", "orderHash"), .init("maker"), .init("expires", isTime: true),
        .init("flags"), .init("relays"), .init("source"), .init("pool"),
    ]

    package static let transactions: [CSVColumn] = [
        .init("hash"), .init("account"), .init("nonce"), .init("purpose"), .init("status"),
        .init("settled"), .init("created", isTime: true), .init("block"),
        .init("max_fee_per_gas", "maxFeePerGas"), .init("successor"), .init("predecessor"),
        .init("amount", "amount.value"), .init("token", "amount.symbol"), .init("to"),
        .init("to_name", "toName"), .init("token_address", "amount.address"),
    ]

    package static let activity: [CSVColumn] = [
        .init("time", isTime: true), .init("block"), .init("transaction"), .init("kind"),
        .init("status"), .init("own"), .init("amount", "amount.value"),
        .init("token", "amount.symbol"), .init("receives", "receives.value"),
        .init("receives_token", "receives.symbol"), .init("counterparty"),
        .init("counterparty_name", "counterpartyName"), .init("gas_eth", "gas.value"),
        .init("function"), .init("order", "orderHash"), .init("amount_raw", "amount.raw"),
        .init("token_address", "amount.address"), .init("receives_address", "receives.address"),
    ]

    package static let pairs: [CSVColumn] = [
        .init("pair"), .init("bid"), .init("ask"), .init("spread_percent", "spread"),
        .init("bid_depth", "bidDepth.value"), .init("ask_depth", "askDepth.value"),
        .init("volume_base", "volume.base.value"), .init("volume_quote", "volume.quote.value"),
        .init("trades", "volume.trades"), .init("known"),
        .init("base_address", "base.address"), .init("quote_address", "quote.address"),
    ]

    package static let tokens: [CSVColumn] = [
        .init("symbol"), .init("name"), .init("decimals"), .init("address"), .init("warnings"),
    ]

    package static let balances: [CSVColumn] = [
        .init("token", "token.symbol"), .init("balance", "balance.value"),
        .init("allowance", "allowance.value"), .init("value", "value.value"),
        .init("value_unit", "value.symbol"), .init("address", "token.address"),
    ]

    package static let allowances: [CSVColumn] = [
        .init("token", "token.symbol"), .init("allowance", "allowance.value"),
        .init("balance", "balance.value"), .init("address", "token.address"),
        .init("spender"), .init("spender_name", "spenderName"), .init("by"),
        .init("expires", isTime: true), .init("usable"), .init("allowance_raw", "allowance.raw"),
    ]

    package static let wallets: [CSVColumn] = [
        .init("name"), .init("address"), .init("default", "isDefault"),
        .init("unlocked", "isUnlocked"), .init("kind"), .init("derivation"), .init("path"),
    ]

    package static let networks: [CSVColumn] = [
        .init("name"), .init("chain_id", "chainId"), .init("protocol"), .init("exchange"),
        .init("relays"), .init("swap", "swap.api"), .init("rpc"), .init("default", "isDefault"),
        .init("quorum"),
    ]

    package static let addresses: [CSVColumn] = [.init("name"), .init("address"), .init("source")]

    package static let alerts: [CSVColumn] = [
        .init("id"), .init("condition"), .init("account"), .init("once"), .init("armed"),
        .init("fired"), .init("created", isTime: true),
    ]

    package static let guards: [CSVColumn] = [
        .init("id"), .init("state"), .init("exit_code", "exitCode"), .init("account"),
        .init("side"), .init("pair"), .init("amount"), .init("trigger"), .init("price"),
        .init("slippage"), .init("limit"), .init("created", isTime: true), .init("base"),
        .init("quote"), .init("watched"),
        .init("never_fires", "neverFires"),
    ]

    package static let aliases: [CSVColumn] = [
        .init("name"), .init("command"), .init("built_in", "builtIn"),
    ]
}
