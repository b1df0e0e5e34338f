import DexCore
import DexTerminal
import Ethereum
import ZeroEx

/// What the pages are put together of.
enum Parts {
    /// A column of a table; `wide` ones are left out on a narrow screen.
    struct Column {
        enum Kind: String {
            case text
            case number
            case wide
            case wideNumber = "wide number"
        }

        let title: String
        let kind: Kind

        init(_ title: String, _ kind: Kind = .text) {
            self.title = title
            self.kind = kind
        }
    }

    /// A table, or a sentence in its place if it has no rows.
    static func table(_ columns: [Column], _ rows: [[HTML]], empty: String) -> HTML {
        guard !rows.isEmpty else { return "<p class=\"empty\">\(empty)</p>" }
        let head = columns.map { column -> HTML in
            "<th scope=\"col\" class=\"\(column.kind.rawValue)\">\(column.title)</th>"
        }
        let body = rows.map { row -> HTML in
            let cells = zip(columns, row).map { column, cell -> HTML in
                "<td class=\"\(column.kind.rawValue)\">\(cell)</td>"
            }
            return "<tr>\(cells)</tr>"
        }
        return """
            <div class="scroll"><table><thead><tr>\(head)</tr></thead><tbody>\(body)</tbody></table></div>
            """
    }

    /// Labels with their values; those without a value are left out.
    static func facts(_ facts: [(label: String, value: HTML?)]) -> HTML {
        let rows = facts.compactMap { fact -> HTML? in
            fact.value.map { "<div><dt>\(fact.label)</dt><dd>\($0)</dd></div>" }
        }
        return "<dl class=\"facts\">\(rows)</dl>"
    }

    /// A part of a page under a heading.
    static func section(_ title: String, _ content: HTML, aside: HTML? = nil) -> HTML {
        """
        <section><div class="bar"><h2>\(title)</h2>\(aside)</div>\(content)</section>
        """
    }

    static func text(_ text: String) -> HTML { "\(text)" }

    /// A name from outside, whose direction of writing does not reach what stands beside it.
    static func name(_ name: String) -> HTML {
        "<bdi>\(TerminalText.truncate(PlainText.clean(name, limit: 60), to: 40))</bdi>"
    }

    // MARK: Links

    static func address(_ named: NamedAddress) -> HTML {
        let whole = named.address.checksummed
        let shown: HTML = named.name.map(name) ?? "\(named.address.shortened)"
        return "<a href=\"/address/\(whole)\" title=\"\(whole)\">\(shown)</a>"
    }

    /// The whole address, after its name.
    static func wholeAddress(_ named: NamedAddress) -> HTML {
        let whole = named.address.checksummed
        let link: HTML = "<a class=\"mono\" href=\"/address/\(whole)\">\(whole)</a>"
        return named.name.map { "\(name($0)) \(link)" } ?? link
    }

    static func transaction(_ hash: TransactionHash) -> HTML {
        "<a class=\"mono\" href=\"/tx/\(hash.hex)\" title=\"\(hash.hex)\">\(short(hash.word))</a>"
    }

    static func order(_ hash: OrderHash) -> HTML {
        "<a class=\"mono\" href=\"/order/\(hash.hex)\" title=\"\(hash.hex)\">\(short(hash.word))</a>"
    }

    static func block(_ number: UInt64) -> HTML {
        "<a href=\"/block/\(number)\">\(number)</a>"
    }

    static func mono(_ text: String) -> HTML { "<span class=\"mono\">\(text)</span>" }

    private static func short(_ word: Bytes32) -> String { "\(word.hex.prefix(10))…" }

    /// The market of a pair on a network.
    static func market(_ pair: Pair, _ network: String, interval: String? = nil) -> HTML {
        "<a href=\"\(MarketPath.text(pair, network: network))\">\(pairName(pair))</a>"
    }

    static func pairName(_ pair: Pair) -> HTML {
        "\(name(pair.base.symbol))/\(name(pair.quote.symbol))"
    }

    // MARK: Values

    /// An amount to eight digits with its token, and the exact one behind it.
    static func amount(_ amount: TokenAmount) -> HTML {
        guard amount.token.decimals != nil else {
            return "\(amount.raw.description) base units of \(token(amount.token))"
        }
        let brief = NumberText.briefValue(amount.raw, amount.token.decimals, .down)
        return "<span title=\"\(amount.value)\">\(brief)</span> \(token(amount.token))"
    }

    static func token(_ token: Token) -> HTML {
        let whole = token.address.checksummed
        return "<a class=\"token\" href=\"/address/\(whole)\" title=\"\(token.name) \(whole)\">"
            + name(token.symbol) + "</a>"
    }

    /// The time, and how long ago it was.
    static func time(_ seconds: UInt64, now: UInt64) -> HTML {
        "\(TimeText.utc(UInt256(seconds))) (\(age(seconds, now: now)))"
    }

    /// How long ago it was; the script keeps it up to date.
    static func age(_ seconds: UInt64, now: UInt64) -> HTML {
        let text =
            seconds > now
            ? "in \(TimeSpan.text(seconds - now))" : "\(TimeSpan.text(now - seconds)) ago"
        let utc = TimeText.utc(UInt256(seconds))
        return """
            <time datetime="\(TimeText.iso(seconds))" title="\(utc)" data-seconds="\(seconds)">\(text)</time>
            """
    }

    static func outcome(_ succeeded: Bool?) -> HTML {
        switch succeeded {
        case true: "<span class=\"good\">ok</span>"
        case false: "<span class=\"bad\">reverted</span>"
        case nil: "<span class=\"soft\">unknown</span>"
        }
    }

    static func method(_ method: CallMethod?) -> HTML {
        guard let text = BlockText.method(method) else { return "<span class=\"soft\">?</span>" }
        return "<span class=\"method\">\(text)</span>"
    }

    // MARK: Lists

    static let transactionColumns = [
        Column("Transaction"), Column("Status"), Column("Block", .wideNumber),
        Column("Age", .wide), Column("From"), Column("To"), Column("Call"),
        Column("Value", .wideNumber),
    ]

    static func transactionRow(_ row: TransactionRow, now: UInt64) -> [HTML] {
        [
            transaction(row.hash), outcome(row.succeeded), block(row.block.number),
            age(row.block.timestamp, now: now), address(row.from),
            row.to.map(address) ?? "new contract", method(row.method),
            row.value == .zero ? "" : text(NumberText.ether(row.value, row.coin)),
        ]
    }

    /// Links to the parts of a list before and after this one.
    static func pager(_ links: [(label: String, path: String?)]) -> HTML? {
        let shown = links.compactMap { link -> HTML? in
            link.path.map { "<a href=\"\($0)\">\(link.label)</a>" }
        }
        return shown.isEmpty ? nil : "<p class=\"pager\">\(shown.joined(by: " · "))</p>"
    }
}

extension HTML {
    static func + (left: HTML, right: HTML) -> HTML { "\(left)\(right)" }
}
