/// Figures of a machine that others use too.
///
/// Whatever else runs there only adds to a time: where a figure is over its limit, all of its group
/// are measured again, and the best of each counts.
enum Steady {
    /// A slow minute of the machine passes; a slow program does not.
    static let maximumRuns = 3

    /// The figures of a group, each the best of its runs, which are as few as are needed.
    static func measured(
        _ measure: () async throws -> [Measurement]
    ) async rethrows -> [Measurement] {
        var best = try await measure()
        var runs = 1
        while runs < maximumRuns, !best.allSatisfy(\.isWithinLimit) {
            runs += 1
            best = zip(best, try await measure()).map { $0.ratio <= $1.ratio ? $0 : $1 }
        }
        for index in best.indices { best[index].runs = runs }
        return best
    }
}
