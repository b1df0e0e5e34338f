/// The way the sides of a book share a screen.
enum LadderRows {
    /// Half of the room each, and what one side leaves.
    static func split(asks: Int, bids: Int, room: Int) -> (asks: Int, bids: Int) {
        let shown = min(asks, max(room / 2, room - bids))
        return (shown, min(bids, room - shown))
    }
}
