import Testing

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("A sink's own text")
struct WatchTemplateTests {
    @Test("fields are replaced, doubled braces are braces, and the rest stays")
    func text() throws {
        let template = try WatchTemplate("{{\"e\":\"{event}\"}} {amount}{amount} für {order}\n")
        let text = template.text { "<\($0.rawValue)>" }
        #expect(text == "{\"e\":\"<event>\"} <amount><amount> für <order>\n")
        #expect(template.fields == [.event, .amount, .order])
        #expect(try WatchTemplate("plain").text { _ in "x" } == "plain")
        for field in WatchTemplate.Field.allCases {
            #expect(try WatchTemplate("{\(field.rawValue)}").fields == [field])
        }
    }

    @Test(
        "an unknown field, a single brace, and too much or nothing is no template",
        arguments: [
            "", "{", "}", "{}", "{event", "event}", "{ event}", "{Event}", "{{event}", "{event}}",
            "{a{event}}", "{\u{1B}[2J}", "{price}", String(repeating: "x", count: 2_001),
        ]
    )
    func refused(text: String) {
        #expect(throws: WatchTemplate.Fault.self) { try WatchTemplate(text) }
    }

    @Test("what a value has in braces is not read again")
    func values() throws {
        #expect(try WatchTemplate("{event} {id}").text { _ in "{amount}" } == "{amount} {amount}")
    }

    @Test("a payload of ids withholds amounts, prices and parties")
    func withheld() throws {
        func withheld(_ text: String, _ payload: WatchPayload) throws -> WatchTemplate.Field? {
            WatchForm(payload: payload, template: try WatchTemplate(text)).withheld
        }
        #expect(try withheld("{event} {order} {transaction} {wallet} {alert}", .ids) == nil)
        for field in ["text", "amount", "wants", "counterparty"] {
            #expect(try withheld("{event} {\(field)}", .ids)?.rawValue == field)
            #expect(try withheld("{\(field)}", .whole) == nil)
        }
        #expect(WatchForm(payload: .ids).withheld == nil)
    }
}
