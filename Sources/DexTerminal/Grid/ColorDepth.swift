/// How many colours a terminal shows.
package enum ColorDepth: Sendable, CaseIterable {
    /// Bold, dim and reversed text alone.
    case none
    /// The 16 colours of the terminal's own palette.
    case sixteen
    /// The palette of xterm-256color.
    case palette256
    /// 24 bits a colour.
    case trueColor

    /// What the environment says of the terminal; nil for a terminal without a full screen.
    ///
    /// NO_COLOR and TERM go before COLORTERM.
    ///
    /// - Parameters:
    ///   - isColourless: the user wants none, as with --no-color.
    ///   - variable: a variable of the environment; nil where it is unset or empty.
    package static func of(isColourless: Bool, variable: (String) -> String?) -> ColorDepth? {
        guard let terminal = variable("TERM"), terminal != "dumb" else { return nil }
        if isColourless || variable("NO_COLOR") != nil { return ColorDepth.none }
        let isMonochrome =
            terminal.hasSuffix("-m") || terminal.hasSuffix("-mono")
            || ["vt52", "vt100", "vt102", "vt220", "vt320"].contains(terminal)
        if isMonochrome { return ColorDepth.none }
        let known = ["xterm-kitty", "xterm-ghostty", "alacritty", "foot", "wezterm"]
        if terminal.hasSuffix("-direct") || known.contains(where: terminal.hasPrefix) {
            return .trueColor
        }
        switch variable("COLORTERM")?.lowercased() {
        case "truecolor", "24bit": return .trueColor
        default: return terminal.contains("256color") ? .palette256 : .sixteen
        }
    }
}
