/// A plan on a screen: what matters for the decision stands last, right above the question.
struct PlanScreen {
    /// Lines of the numbers right above the question, at the most.
    static let mostNumbers = 12

    let title: String
    /// How it is done: contracts, gas, steps.
    var details = KeyValueList()
    /// Lists, as lines.
    var lists: [[String]] = []
    var warnings: [String] = []
    /// What leaves, what comes, and what it costs; the most important first.
    var numbers = KeyValueList()

    init(_ title: String) { self.title = title }

    func lines(_ screen: Screen) -> [String] {
        let (last, rest) = numbers.lines(screen, atMost: Self.mostNumbers)
        var details = details
        // On a narrow screen some numbers wrap; what does not fit is still said.
        details.add(rest)
        let warned = MoneyText.warnings(warnings, screen)
        let parts = [details.lines(screen)] + lists + [warned, last]
        return screen.title(title) + parts.filter { !$0.isEmpty }.flatMap { [""] + $0 }
    }
}
