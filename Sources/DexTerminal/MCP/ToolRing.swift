/// What a model may do: each ring has the tools of those before it.
package enum ToolRing: String, CaseIterable, Comparable, Sendable {
    case look
    case plan
    case `do`

    package static func < (one: ToolRing, other: ToolRing) -> Bool {
        one.place < other.place
    }

    private var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
