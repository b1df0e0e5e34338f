/// What a command answers with `--json`: the forms that its `data` has.
package struct Answer: Sendable {
    package struct Form: Sendable {
        /// When it has this form; empty for the only one.
        package let when: String
        package let shape: Shape
    }

    package let forms: [Form]
    /// The titles of the columns with `--csv`; empty without such.
    package let columns: [String]

    package init(_ shape: Shape) {
        self.init(forms: [Form(when: "", shape: shape)])
    }

    /// - Parameter columns: of an answer with several lists; nil for those of its one list.
    package init<Row>(_ fields: Fields<Row>, columns: [String]? = nil) {
        self.init(
            forms: [Form(when: "", shape: fields.shape)],
            columns: columns ?? fields.listHeader
        )
    }

    /// - Parameters:
    ///   - forms: when `data` has each, such as `with --relays`.
    ///   - columns: the titles of those with `--csv`.
    package init(_ forms: KeyValuePairs<String, Shape>, columns: [String] = []) {
        self.init(
            forms: forms.map { Form(when: $0.key, shape: $0.value) },
            columns: columns
        )
    }

    /// Keys, each with its shape and what it is.
    package init(_ members: Shape.Member...) {
        self.init(.object(members))
    }

    package var data: Shape {
        forms.count == 1 ? forms[0].shape : .either(forms.map(\.shape))
    }

    /// The same for a command that can sign without sending.
    var orHeld: Answer {
        var answer = self
        answer.add("with `--no-send`", .object(data.members + [Self.signed]))
        return answer
    }

    private static let signed = Shape.Member(
        "signed",
        MoneyAnswer.held,
        "The transaction, and its file"
    )

    private init(forms: [Form], columns: [String] = []) {
        self.forms = forms
        self.columns = columns
    }

    private mutating func add(_ when: String, _ shape: Shape) {
        self = Answer(forms: forms + [Form(when: when, shape: shape)])
    }
}

/// Answers of commands that several have, or whose JSON is made here.
extension Answer {
    package static let trade = Answer(TradeAnswer.trade).orHeld
    package static let market = Answer([
        "": TradeAnswer.trade, "with `--split`": TradeAnswer.split,
        "with `--no-send`": .object(TradeAnswer.trade.members + [Answer.signed]),
    ])
    package static let transfer = Answer(MoneyAnswer.transfer).orHeld
    package static let transact = Answer(MoneyAnswer.transact).orHeld
    package static let replacement = Answer(MoneyAnswer.replacement).orHeld
    package static let cancel = Answer(TradeAnswer.cancel).orHeld
    package static let replace = Answer(TradeAnswer.replace)
    package static let allowanceSet = Answer(MoneyAnswer.allowance).orHeld
    package static let held = Answer(MoneyAnswer.held)
    package static let order = Answer(
        .object(
            ReadJSON.order.shape.members + [.init("block", .integer, "The block that was read")]
        )
    )
    package static let watch = Answer([
        "of an event": WatchJSON.notice.shape,
        "about watching itself": WatchJSON.reported,
    ])
    package static let guardRun = Answer(GuardJSON.reported)
    package static let guardAdd = Answer([
        "in a plan": GuardJSON.plan.shape, "once it is added": GuardJSON.guardOrder.shape,
    ])
    package static let signTyped = Answer(TypedDataJSON.shape)

    package static let orderbook = Answer(
        [
            "": ReadJSON.book, "with `--relays`": RelayJSON.comparison.shape,
        ],
        columns: ReadJSON.sidedRow.header
    )
    package static let wallets = Answer(WalletJSON.list, columns: WalletJSON.listed.header)
    package static let allowances = Answer(
        MoneyJSON.allowances,
        columns: MoneyJSON.allowed.header
    )
    package static let chart = Answer(MarketJSON.chart)
    package static let status = Answer([
        "of a transaction": ReadJSON.transaction.shape,
        "of an order": ReadJSON.orderStatus.shape,
    ])
    package static let orders = Answer(
        [
            "": ReadJSON.orders.shape, "with `--mine`": HistoryJSON.ownOrders.shape,
        ],
        columns: ReadJSON.orders.listHeader
    )
    package static let broadcast = Answer([
        "of a transaction": MoneyAnswer.broadcast, "of an order": MoneyAnswer.orderBroadcast,
    ])
    package static let revoke = Answer([
        "of one token": MoneyAnswer.allowance,
        "with `--all` or `--spender`": MoneyAnswer.revocations,
        "of one token, with `--no-send`": .object(
            MoneyAnswer.allowance.members + [Answer.signed]
        ),
    ])
    package static let placeLimit = Answer([
        "": TradeAnswer.placed, "of a ladder (`--ladder`)": TradeAnswer.ladder,
        "with `--no-send`": .object(
            TradeAnswer.placed.members + [.init("file", .text, "The file that has the order")]
        ),
    ])
}
