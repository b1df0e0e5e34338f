import FoundationEssentials
import Synchronization

/// The value of a Date header, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
///
/// Source: RFC 9110, section 5.6.7.
enum HTTPDate {
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    private static let latest = Mutex((second: UInt64.max, text: ""))

    /// The text of now, made once a second.
    static func current() -> String {
        let second = UInt64(max(0, Date.now.timeIntervalSince1970))
        return latest.withLock { latest in
            if latest.second != second { latest = (second, text(second)) }
            return latest.text
        }
    }

    /// - Parameter second: since 1970, at most in the year 9999.
    static func text(_ second: UInt64) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = calendar.dateComponents(
            [.year, .month, .day, .weekday, .hour, .minute, .second],
            from: Date(timeIntervalSince1970: Double(second))
        )
        guard let weekday = parts.weekday, let day = parts.day, let month = parts.month,
            let year = parts.year, let hour = parts.hour, let minute = parts.minute,
            let second = parts.second
        else { return "" }
        let time = [hour, minute, second].map(two).joined(separator: ":")
        let name = String(String(year + 10_000).dropFirst())
        return "\(days[weekday - 1]), \(two(day)) \(months[month - 1]) \(name) \(time) GMT"
    }

    private static func two(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
