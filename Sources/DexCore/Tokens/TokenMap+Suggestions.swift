import Ethereum

extension TokenMap {
    /// The question whether another symbol was meant; nil if none is near.
    func question(about symbol: String) -> String? {
        let current = table.all.filter { !$0.flags.contains(.superseded) }.map(\.token)
        let tokens = current + users.values.map(\.token)
        return Suggestion.question(symbol, among: tokens.map(\.symbol)) { name in
            ShellWord.isUsable(symbol: name)
                ? name : tokens.first { $0.symbol == name }?.word ?? ""
        }
    }

    /// The pair that a text without its `/` means, such as `ZRX-WETH` or `zrxweth`.
    ///
    /// - Returns: `ZRX/WETH`, or nil if the text is not two symbols of the map.
    func pair(meantBy text: String) -> String? {
        let separators = "-_:,+.|>\\ "
        let sides = text.split { separators.contains($0) }.map(String.init)
        if sides.count == 2 { return pair(sides[0], sides[1]) }
        guard sides.count == 1, (2...40).contains(text.utf8.count) else { return nil }
        let splits = text.indices.dropFirst().compactMap { index in
            pair(String(text[..<index]), String(text[index...]))
        }
        return splits.count == 1 ? splits[0] : nil
    }

    private func pair(_ base: String, _ quote: String) -> String? {
        func symbol(_ text: String) -> String? {
            (try? resolve(text))?.word  // nil: not one token
        }
        guard let base = symbol(base), let quote = symbol(quote), base != quote else { return nil }
        return "\(base)/\(quote)"
    }
}
