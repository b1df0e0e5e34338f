import Ethereum

/// Compares this machine's clock with a node's.
struct MachineClockCheck {
    let probe: any NodeProbe
    let environment: Environment

    /// The offset in seconds at which a wrong clock is reported, and at which it is too far off.
    static let warning: UInt64 = 2
    static let failure: UInt64 = 10
    /// Further requests while a limit is inside the range.
    private static let maximumLooks = 6

    /// Asks again while a limit is inside the range.
    func row(after answers: [NodeProbeAnswer]) async -> DoctorState.Row {
        var reading = ClockReading()
        for answer in answers { reading.note(answer) }
        guard reading.range != nil else {
            return .warn(
                .clock,
                node: probe.name,
                "The node does not report its time, so this machine's clock was not checked.",
                "See whether the clock is set by the network: timedatectl"
            )
        }
        let limits = [Self.warning, Self.failure].map { $0 * 1_000 }
        for _ in 0..<Self.maximumLooks {
            guard let wait = reading.wait(limits: limits) else { break }
            environment.progress("comparing this machine's clock with the node's")
            // After Ctrl-C the command ends as interrupted.
            guard (try? await environment.sleep(wait)) != nil else { break }
            reading.note(await probe.ask([.chainID]))
        }
        return row(reading)
    }

    private func row(_ reading: ClockReading) -> DoctorState.Row {
        let difference = reading.difference / 1_000
        guard difference >= Self.warning else {
            return .ok(
                .clock,
                node: probe.name,
                "This machine's clock and the node's are within \(Self.warning) s."
            )
        }
        let much = reading.seconds.map { "about \($0) s" } ?? "at least \(difference) s"
        let found =
            "This machine's clock is \(much) "
            + (reading.isBehind ? "behind" : "ahead of") + " the node's"
        let remedy = "Let the network set it: timedatectl set-ntp true"
        guard difference >= Self.failure else {
            return .warn(.clock, node: probe.name, "\(found).", remedy)
        }
        return .fail(
            .clock,
            node: probe.name,
            "\(found): orders would expire at the wrong time.",
            remedy,
            .configuration
        )
    }
}
