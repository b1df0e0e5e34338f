/// The times of a list in local time; the zone stands in the title where all rows share it.
struct TimeColumn {
    enum Precision {
        /// `2026-11-20 23:14:05`
        case seconds
        /// `2026-11-20 23:14`
        case minutes
        /// `23:14:05`
        case clock
    }

    /// `TIME (CET)`, or `TIME` where rows differ, as around a change of the clocks.
    let title: String
    private let zone: LocalTime
    private let precision: Precision
    private let namesEach: Bool

    init(_ times: [UInt64], _ screen: Screen, _ precision: Precision) {
        zone = screen.zone
        self.precision = precision
        let names = Set(times.map { screen.zone.offset($0).name })
        namesEach = names.count > 1
        let name = names.first ?? screen.zone.offset(screen.now).name
        title = namesEach ? "TIME" : precision == .clock ? name : "TIME (\(name))"
    }

    func text(_ seconds: UInt64) -> String {
        let offset = zone.offset(seconds)
        let time = TimeText.local(seconds, offset)
        let shown =
            switch precision {
            case .seconds: time
            case .minutes: String(time.prefix(16))
            case .clock: String(time.dropFirst(11).prefix(8))
            }
        return namesEach ? "\(shown) \(offset.name)" : shown
    }
}
