package import DexCore
import Ethereum
import StrictJSON
import ZeroEx

/// `data` of `balance`.
extension ReadJSON {
    /// A line of the balance: the coin's, or a token's.
    package struct Holding: Sendable {
        let currency: Currency
        let balance: UInt256?
        let allowance: UInt256?
        /// What the whole balance is worth; nil if that was not requested.
        let marketValue: BalanceState.MarketValue?

        package init(_ row: BalanceState.Row, _ marketValue: BalanceState.MarketValue?) {
            currency = .token(row.token)
            balance = row.balance
            allowance = row.allowance
            self.marketValue = marketValue
        }

        init(coin state: BalanceState) {
            currency = .coin(state.coin)
            balance = state.ether.rawValue
            allowance = nil
            marketValue = state.marketValue
        }

        fileprivate var isCoin: Bool { if case .coin = currency { true } else { false } }

        fileprivate var token: Token {
            switch currency {
            case .token(let token): token
            case .coin(let coin): .nativeCoin(coin)
            }
        }

        /// In base units of the worth's unit.
        fileprivate var value: UInt256? {
            isCoin ? marketValue?.ether : marketValue?.tokens[token.address]
        }
        fileprivate var market: Money? { marketValue?.unit.money(value) }
    }

    package static let holding = Fields<Holding> {
        Field(json: "token", "The token, or the coin", .currency) { row in
            switch row.currency {
            case .token(let token): token.json
            case .coin(let coin): JSONFormat.coin(coin)
            }
        }
        .csv(0, "token", "symbol").csv(5, "address", "address")
        .sorted("token") { ListComparison.tokens($0.token, $1.token) }
        .shown(0, "TOKEN") { row, _ in
            let symbol = PlainText.name(row.token.symbol)
            return .init(row.token.decimals == nil ? "\(symbol) (base units)" : symbol, .bold)
        }
        Field("balance", "Null if it could not be read") { $0.currency.money($0.balance) }
            .csv(1, "balance", "value")
            .shown(1, "BALANCE", .point) { row, screen in
                row.balance.map { raw in
                    .init(
                        NumberText.listValue(raw, row.token.decimals, screen),
                        raw == .zero && !row.isCoin ? .dim : nil
                    )
                } ?? UnknownText.cell
            }
        Field("allowance", "To the transfer contract; null of the coin, or not read") {
            $0.currency.money($0.allowance)
        }
        .csv(2, "allowance", "value")
        .shown(2, "ALLOWANCE", .point, dropOrder: 1) { row, screen in
            row.allowance.map { .init(NumberText.listAllowance($0, row.token, screen), .dim) }
                ?? (row.isCoin ? "" : UnknownText.cell)
        }
        Field("marketValue", "Null if it is unknown or was not requested", \.market)
            .csv(3, "value", "value").csv(4, "value_unit", "symbol")
            .sorted("value", .highest) { $0.balance == .zero ? nil : $0.market?.raw }
            .shown(3) { rows, _ in
                guard let marketValue = rows.first?.marketValue else { return nil }
                let title = "≈ \(PlainText.name(marketValue.unit.symbol))"
                return .init(column: .init(title, .point, dropOrder: 2)) { row in
                    guard let balance = row.balance else { return UnknownText.cell }
                    return .init(balance == .zero && !row.isCoin ? "" : marketValue.text(row.value))
                }
            }
    }

    /// The lines of a balance, the coin's first.
    package static func holdings(_ state: BalanceState) -> [Holding] {
        [Holding(coin: state)] + state.rows.map { Holding($0, state.marketValue) }
    }

    package static let balance = Fields<BalanceState> {
        Field("account", "The account", \.owner)
        Field("block", "The latest block", \.block)
        Field("balances", "The coin first", list: holding) { holdings($0) }
        Field("marketValue", "The total; null if a balance or a price of it could not be read") {
            $0.marketValue?.unit.money($0.marketValue?.total)
        }
        Field("knownValue", "The sum of what is known; null if it was not requested") {
            $0.marketValue?.unit.money($0.marketValue?.known)
        }
        Field(
            "positions",
            "What was bought in pairs and is still held; empty if no value was requested",
            list: HistoryJSON.position
        ) { state in state.positions.map { .init(position: $0, coin: state.coin) } }
        Field("discovered", "Null without `--discover`", nullable: discovered, \.discovered)
    }

    private static let discovered = Fields<DiscoveredTokens> {
        Field("fromBlock", "The first block whose logs were read", \.blocks.lowerBound)
        Field("toBlock", "The last one", \.blocks.upperBound)
        Field("contractCount", "Those that had transfers to the account", \.contracts)
        Field("isCut", "There were more than are listed", \.isCut)
        Field("tokens", "What was found", list: discoveredToken, \.rows)
    }

    static let discoveredToken = Fields<DiscoveredTokens.Row> {
        Field("token", "The token", \.token)
            .shown(0, "NOT IN THE MAP", minimumWidth: 10) { row, _ in
                let symbol = PlainText.name(row.token.symbol)
                let text = row.token.decimals == nil ? "\(symbol) (base units)" : symbol
                return .init(text, row.isSpam ? .dim : .bold)
            }
        Field("balance", "Null if it could not be read", \.amount)
            .shown(2, "BALANCE", .right, minimumWidth: 12) { row, _ in
                row.amount.map { .init($0.value, row.isSpam ? .dim : nil) } ?? UnknownText.cell
            }
        Field("isSpam", "It looks like spam", \.isSpam)
            .shown(1, "") { row, _ in .init(row.isSpam ? "SPAM?" : "", .yellow) }
        Field("marks", "What is suspicious about it") { $0.marks.map(\.word) }
        Field("imitates", "The token that it looks like, or null", \.imitates)
    }
}
