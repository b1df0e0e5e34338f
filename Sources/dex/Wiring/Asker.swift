import DexCore
import DexTerminal

/// The application that asks for a signature.
struct Asker: Sendable {
    /// An origin such as `https://app.example`, or `a program on this machine`.
    let name: String
    /// It still waits for the answer.
    let isWaiting: @Sendable () -> Bool

    /// The line of a plan that names it.
    func lines(_ screen: Screen) -> [String] {
        var facts = KeyValueList()
        facts.add("asked by", PlainText.site(name))
        return [""] + facts.lines(screen)
    }
}
