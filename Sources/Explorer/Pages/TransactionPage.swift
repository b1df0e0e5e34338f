import DexCore
import DexTerminal
import Ethereum
import ZeroEx

/// A transaction, its call, and its events in their order.
struct TransactionPage {
    /// Bytes of call data that are shown.
    private static let maximumData = 1_024
    /// Bytes of an unknown event's data that are shown.
    private static let maximumEventData = 256

    let details: TransactionOverview
    /// What an address is called.
    let name: (Address) -> NamedAddress
    let now: UInt64

    var page: Page {
        Page(
            title: "Transaction \(details.hash.hex.prefix(10))…",
            body: """
                <h1>Transaction \(outcome)</h1>
                \(reason)\(facts)
                \(call)\(delegations)\(events)\(data)
                """
        )
    }

    private var outcome: HTML {
        switch details.outcome {
        case .pending: "<span class=\"badge\">waits in the pool</span>"
        case .succeeded: "<span class=\"badge good\">succeeded</span>"
        case .reverted: "<span class=\"badge bad\">reverted</span>"
        }
    }

    private var reason: HTML? {
        guard case .reverted(let reason?) = details.outcome else { return nil }
        return "<p class=\"problem\">\(reason)</p>"
    }

    private var facts: HTML {
        let block = details.block
        return Parts.facts([
            ("Hash", Parts.mono(details.hash.hex)),
            (
                "Block",
                block.map { block in
                    let count = NumberText.count(
                        Int(clamping: details.latest - min(details.latest, block.number) + 1),
                        "confirmation"
                    )
                    return "\(Parts.block(block.number)) (\(count))"
                }
            ),
            ("Time", block.map { Parts.time($0.timestamp, now: now) }),
            ("From", Parts.wholeAddress(details.from)),
            ("To", details.to.map(Parts.wholeAddress) ?? "a new contract"),
            ("Value", Parts.text(NumberText.ether(details.value, details.coin))),
            ("Nonce", "\(details.nonce)"),
            (
                "Gas",
                details.gasUsed.map { "\($0) of \(details.gasLimit)" }
                    ?? "at most \(details.gasLimit)"
            ),
            ("Gas price", details.gasPrice.map { Parts.text(NumberText.gwei($0)) }),
            ("Network fee", details.cost.map { Parts.text(NumberText.ether($0, details.coin)) }),
        ])
    }

    // MARK: What it calls

    private var call: HTML? {
        details.call.map { call -> HTML in
            let parts = CallParts(call, name: name)
            let lines = parts.details.map { line -> HTML in "<p>\(line)</p>" }
            return Parts.section("Call", "<p>\(parts.sentence)</p>\(lines)")
        }
    }

    private var delegations: HTML? {
        guard !details.delegations.isEmpty else { return nil }
        let lines = details.delegations.map { delegation -> HTML in
            let account = Parts.wholeAddress(name(delegation.account))
            guard let delegate = delegation.delegate else {
                return "<p>\(account) runs no other code any more.</p>"
            }
            return "<p>\(account) runs the code of \(Parts.wholeAddress(name(delegate))).</p>"
        }
        return Parts.section("Delegations", "\(lines)")
    }

    // MARK: What happened

    private var events: HTML? {
        guard details.block != nil else { return nil }
        let items = details.events.map { event -> HTML in
            "<li>\(EventParts.item(event, maximumData: Self.maximumEventData))</li>"
        }
        let list: HTML =
            items.isEmpty
            ? "<p class=\"empty\">It has no events.</p>" : "<ol class=\"events\">\(items)</ol>"
        let rest: HTML? =
            details.omitted == 0
            ? nil : "<p class=\"empty\">\(details.omitted) more events are not shown.</p>"
        return Parts.section("Events", "\(list)\(rest)")
    }

    private var data: HTML? {
        guard !details.data.isEmpty else { return nil }
        let cut = details.data.count > Self.maximumData
        let text = Hex.encode(details.data.prefix(Self.maximumData)) + (cut ? "…" : "")
        let size = NumberText.count(details.data.count, "byte")
        return """
            <details><summary>Call data, \(size)</summary><pre>\(LongText.lines(text))</pre></details>
            """
    }
}

/// Long hexadecimal texts in pieces that fit under the limit of an interpolated text.
enum LongText {
    static func lines(_ text: String) -> [HTML] {
        var rest = text[...]
        var parts: [HTML] = []
        while !rest.isEmpty {
            parts.append("\(String(rest.prefix(1_000)))")
            rest = rest.dropFirst(1_000)
        }
        return parts
    }
}
