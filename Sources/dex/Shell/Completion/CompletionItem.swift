/// What a shell offers for a word.
struct CompletionItem: Hashable {
    let value: String
    /// A short text beside it, in shells that show one.
    var note = ""
    /// What a typed beginning may be of instead, such as the symbol of a token named by address.
    var other: String?

    /// The value, or what stands for it, begins with a typed text.
    func begins(with typed: String) -> Bool {
        let typed = typed.lowercased()
        return value.lowercased().hasPrefix(typed)
            || other.map { $0.lowercased().hasPrefix(typed) } ?? false
    }

    /// A line of `dex __complete`: the value, a tab, the note; without control characters.
    func line(after lead: String) -> String {
        func clean(_ text: String) -> String {
            let scalars = text.unicodeScalars.filter { $0.value >= 32 && $0.value != 127 }
            return String(String.UnicodeScalarView(scalars))
        }
        return clean(lead + value) + "\t" + clean(note)
    }
}
