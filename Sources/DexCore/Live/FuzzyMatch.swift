/// Finds names by some of their letters, in their order.
enum FuzzyMatch {
    /// How far a name is from what was typed, from 0 on; nil if it does not have the letters.
    ///
    /// Letter case and spaces do not count. Letters that stand together, and at the start of the
    /// name or behind a `/`, are nearer. Example: `zw` finds `ZRX/WETH` with 12, before `ZRX/USDW`.
    static func distance(_ typed: String, _ name: String) -> Int? {
        let wanted = letters(typed)
        guard !wanted.isEmpty else { return 0 }
        let letters = letters(name)
        return letters.indices.compactMap { start -> Int? in
            guard letters[start] == wanted[0] else { return nil }
            var place = start
            var gaps = 0
            for letter in wanted.dropFirst() {
                guard let next = letters[(place + 1)...].firstIndex(of: letter) else { return nil }
                // The start of QUOTE is as good as the next letter.
                gaps += next == place + 1 ? 0 : letters[next - 1] == "/" ? 1 : next - place
                place = next
            }
            let isStart = start == 0 || letters[start - 1] == "/"
            return gaps * 4 + (isStart ? min(start, 1) : start + 1) * 2
        }.min()
    }

    private static func letters(_ text: String) -> [Character] {
        Array(text.lowercased().filter { $0 != " " })
    }
}
