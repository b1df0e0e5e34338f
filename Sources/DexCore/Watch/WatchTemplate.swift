/// What a sink learns of an event.
package enum WatchPayload: String, CaseIterable, Sendable {
    /// Everything.
    case whole
    /// What it is and which order, transaction and alert it is about: no amount, price or party.
    case ids
}

/// A text of a sink's own, with fields in braces: `{event} {amount} in {transaction}`.
///
/// `{{` and `}}` are braces.
package struct WatchTemplate: Hashable, Sendable {
    /// A part of an event that a template can name.
    package enum Field: String, CaseIterable, Sendable {
        /// The message's id.
        case id
        case event
        case phase
        case network
        case account
        /// The account's name, else its address.
        case wallet
        case order
        case transaction
        /// The number of an alert.
        case alert
        case block
        /// Seconds since 1970.
        case time
        /// The whole sentence of the terminal.
        case text
        /// Of an order or trade what it gives.
        case amount
        /// What an order wants, or a trade brought.
        case wants
        case counterparty

        /// It tells more than which event it is.
        package var isDetail: Bool {
            switch self {
            case .id, .event, .phase, .network, .account, .wallet, .order, .transaction, .alert,
                .block, .time:
                false
            case .text, .amount, .wants, .counterparty: true
            }
        }
    }

    /// The reason why a text is no template; a clause.
    package enum Fault: Error, Hashable, Sendable, CustomStringConvertible {
        case unknownField(String)
        case brace
        case size

        package var description: String {
            switch self {
            case .unknownField(let name): "{\(PlainText.clean(name, limit: 40))} is no field of it"
            case .brace: "a single brace stands in it, which is written twice"
            case .size: "it is empty, or above 2000 bytes"
            }
        }
    }

    private enum Part: Hashable, Sendable {
        case text(String)
        case field(Field)
    }

    private let parts: [Part]

    /// Reads a template.
    ///
    /// - Throws: `Fault` for an unknown field or a brace that stands alone.
    package init(_ text: String) throws(Fault) {
        guard !text.isEmpty, text.utf8.count <= 2_000 else { throw .size }
        var parts: [Part] = []
        var plain = ""
        var rest = text[...]
        while let character = rest.popFirst() {
            guard character == "{" || character == "}" else {
                plain.append(character)
                continue
            }
            if rest.first == character {
                rest.removeFirst()
                plain.append(character)
                continue
            }
            guard character == "{", let end = rest.firstIndex(of: "}") else { throw .brace }
            let name = String(rest[..<end])
            guard let field = Field(rawValue: name) else { throw .unknownField(name) }
            if !plain.isEmpty { parts.append(.text(plain)) }
            plain = ""
            parts.append(.field(field))
            rest = rest[rest.index(after: end)...]
        }
        if !plain.isEmpty { parts.append(.text(plain)) }
        self.parts = parts
    }

    /// The fields that it names.
    package var fields: Set<Field> {
        Set(
            parts.compactMap { part in
                if case .field(let field) = part { field } else { nil }
            }
        )
    }

    /// The text with a value for each field.
    package func text(_ value: (Field) -> String) -> String {
        parts.map { part in
            switch part {
            case .text(let text): text
            case .field(let field): value(field)
            }
        }.joined()
    }
}

/// The form in which a sink gets an event.
package struct WatchForm: Hashable, Sendable {
    package var payload: WatchPayload
    /// nil: as the sink does by itself.
    package var template: WatchTemplate?

    package init(payload: WatchPayload = .whole, template: WatchTemplate? = nil) {
        self.payload = payload
        self.template = template
    }

    /// A field of the template that the payload withholds; nil if there is none.
    package var withheld: WatchTemplate.Field? {
        guard payload == .ids, let template else { return nil }
        return WatchTemplate.Field.allCases.first { $0.isDetail && template.fields.contains($0) }
    }
}
