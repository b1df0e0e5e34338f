/// What a user does at a full screen: one key, or a paste.
package enum Key: Hashable, Sendable {
    /// One grapheme that is typed; a space too.
    case character(Character)
    case enter
    case escape
    case tab
    case backTab
    case backspace
    case delete
    case up
    case down
    case left
    case right
    case home
    case end
    case pageUp
    case pageDown
    /// A letter from a to z with the control key.
    case control(Character)
    /// A text from the clipboard, by bracketed paste: never taken as keys.
    case paste(String)
}
