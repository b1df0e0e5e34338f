import ArgumentParser
import DexCore
import Ethereum

// A command's groups are siblings: in a debug build the parser checks each group several times for
// each check of the enclosing one. Four nested groups took a third of a second before the first
// instruction.

/// Options that change the settings of trades for one command.
protocol SettingsOptions: ParsableArguments {
    func apply(to settings: inout TradeSettings) throws(DexError)
}

/// Exceptions of a single trade to config.toml.
struct TradeOptions: SettingsOptions, Sendable {
    enum Approval: String, ExpressibleByArgument, CaseIterable, Sendable {
        case exact
        case unlimited
    }

    @Option(help: .of("how", "How much to approve where an approval is missing."))
    var approve: Approval = .exact

    func apply(to settings: inout TradeSettings) {
        settings.approval = approve == .unlimited ? .unlimited : .exact
    }
}

/// What a new limit order may do against the book and the balance.
struct LimitOptions: SettingsOptions, Sendable {
    @Flag(help: "Refuse a price at which it could be filled at once.")
    var postOnly = false

    @Flag(help: "Sign although the balance does not cover the order.")
    var allowUnfunded = false

    @Flag(help: "Sign although the price crosses the book by more than 1 %.")
    var allowCrossing = false

    func validate() throws {
        if postOnly, allowCrossing {
            throw ValidationError("--post-only and --allow-crossing exclude each other.")
        }
    }

    func apply(to settings: inout TradeSettings) {
        settings.allowsUnfundedOrders = allowUnfunded
        settings.allowsCrossing = allowCrossing
        settings.postsOnly = postOnly
    }
}

/// The highest taker fee for others' orders.
struct TakerFeeOption: SettingsOptions, Sendable {
    @Option(
        help: .of(
            "cap",
            "The most taker fees: an amount of the fee token (default 10), or a share such as 1%."
        )
    )
    var maxTakerFee: String?

    func apply(to settings: inout TradeSettings) throws(DexError) {
        try apply(to: &settings.takerFees)
    }

    func apply(to cap: inout TakerFeeCap) throws(DexError) {
        if let maxTakerFee { try cap.set(maxTakerFee) }
    }
}

/// The user's own word for a trade.
struct TagOption: SettingsOptions, Sendable {
    @Option(help: .of("text", "A word of your own for it, which dex history shows and finds."))
    var tag: String?

    func apply(to settings: inout TradeSettings) throws(DexError) {
        settings.tag = try tag.map { text throws(DexError) in try TradeTag(text) }
    }
}

/// What may be in flight already.
struct PendingOption: SettingsOptions, Sendable {
    @Flag(
        help: """
            Go on although an earlier transaction is pending, or a fill was mined that nobody \
            looked at.
            """
    )
    var despitePending = false

    func apply(to settings: inout TradeSettings) {
        settings.allowsPending = despitePending
    }
}

/// What moving something may cost, which is held against its value.
struct MovingOptions: SettingsOptions, Sendable {
    @Flag(help: "Go on although the network fee is above what is moved.")
    var allowHighGas = false

    func apply(to settings: inout TradeSettings) {
        settings.allowsHighGas = allowHighGas
    }
}

/// What the gas of a transaction may cost, and when the transaction counts as done.
struct SendingOptions: SettingsOptions, Sendable {
    @Option(help: .of("amount", "The most of the coin that gas may cost."))
    var maxGasCost: String?

    @Option(help: .of("how-soon", "How soon it is to be mined, by what others paid lately."))
    var priority: FeePriority?

    @Option(help: .of("gwei", "The tip for a unit of gas, in place of what others pay."))
    var priorityFee: String?

    @Option(help: .of("gwei", "The most for a unit of gas, base fee and tip together."))
    var maxFee: String?

    @Option(help: .of("gwei", "What a unit of gas costs, on a chain without a base fee."))
    var gasPrice: String?

    @Option(help: .of("gas", "The gas limit of each transaction, in place of the estimate's."))
    var gasLimit: UInt64?

    @Option(
        help: .of("n", "Blocks that must hold a transaction (default: the network's, mostly 1).")
    )
    var confirmations: UInt64?

    @Flag(help: "Sign although the latest block of every node is too old.")
    var allowStale = false

    func validate() throws {
        if gasPrice != nil, maxFee != nil || priority != nil || priorityFee != nil {
            throw ValidationError(
                "--gas-price is for chains without a base fee, where --max-fee, --priority and "
                    + "--priority-fee mean nothing: give either."
            )
        }
        if priority != nil, priorityFee != nil {
            throw ValidationError(
                "--priority-fee names the tip that --priority would choose: give either."
            )
        }
    }

    func apply(to settings: inout TradeSettings) throws(DexError) {
        if let maxGasCost { try settings.setFeeCap(maxGasCost) }
        settings.fees.priority = priority
        settings.fees.tip = try priorityFee.map(FeeOverrides.gwei)
        settings.fees.maxFee = try maxFee.map(FeeOverrides.gwei)
        settings.fees.gasPrice = try gasPrice.map(FeeOverrides.gwei)
        settings.fees.gasLimit = gasLimit
        if let confirmations { settings.confirmations = max(1, confirmations) }
        settings.allowsStaleChain = allowStale
    }
}

extension FeePriority: ExpressibleByArgument {}

extension TradeSettings {
    /// The maximum gas cost in ether, in decimal.
    mutating func setFeeCap(_ text: String) throws(DexError) {
        feeCap = try reported(
            DecimalTextError.self,
            Wei(try DecimalNumber(text).units(decimals: 18))
        )
    }
}
