import Ethereum

/// Compares this machine's clock with the chain's before it dates a signature.
///
/// An order expires by the chain's time, which `dex` takes from this machine's clock: with a clock
/// that is 30 days ahead, an order of 24 hours lives for 31 days.
struct ClockCheck {
    let session: Session

    /// Seconds that a correct clock may be behind the latest block: proposers' clocks differ too.
    static let maximumBehind: UInt64 = 60
    /// Maximum age of a latest block in seconds, and in missing blocks; the larger counts.
    fileprivate static let maximumAhead: (seconds: UInt64, blocks: UInt64) = (300, 10)

    /// The clock against the latest block.
    private enum Standing {
        case agrees
        /// In seconds.
        case ahead(UInt64)
        case behind(UInt64)
    }

    private func standing(_ block: Block) -> Standing {
        let now = session.environment.now()
        let time = block.timestamp
        if time > now { return time - now > Self.maximumBehind ? .behind(time - now) : .agrees }
        let maximum = session.network.maximumClockLead
        return now - time > maximum ? .ahead(now - time) : .agrees
    }

    /// The time for checks of expiry, in seconds since 1970.
    ///
    /// It is the later of both clocks, or the chain's alone if this machine's is wrong.
    func time(_ block: Block) async -> UInt64 {
        let later = max(block.timestamp, session.environment.now())
        if case .agrees = standing(block) { return later }
        guard let reading = await nodeClock() else {
            return session.network.isSandbox ? later : block.timestamp
        }
        return reading.difference / 1_000 < Self.maximumBehind ? later : block.timestamp
    }

    /// The warnings before signing anything that uses the time of this machine's clock.
    ///
    /// The node's own clock decides if it is known: a halted chain, or one moved ahead by hand,
    /// proves nothing about ours.
    ///
    /// - Parameter block: the chain's latest.
    /// - Throws: `DexError`, exit 6, `clock-off`, if the clock is wrong, or if a far-off block is
    ///   the only evidence. On the sandbox, which mines on demand, the latter is a warning.
    func warnings(_ block: Block) async throws(DexError) -> [String] {
        let (seconds, isAhead): (UInt64, Bool)
        switch standing(block) {
        case .agrees: return []
        case .ahead(let difference): (seconds, isAhead) = (difference, true)
        case .behind(let difference): (seconds, isAhead) = (difference, false)
        }
        let found =
            "This machine's clock is \(TimeSpan.text(seconds)) "
            + (isAhead ? "ahead of" : "behind") + " the chain's latest block"
        guard let reading = await nodeClock() else {
            guard session.network.isSandbox else { throw ClockError.off(found: found) }
            return ["\(found), so what is signed now may expire at the wrong time."]
        }
        let difference = reading.difference / 1_000
        guard difference < Self.maximumBehind else {
            throw ClockError.off(
                found:
                    "This machine's clock is \(TimeSpan.text(reading.seconds ?? difference)) "
                    + (reading.isBehind ? "behind" : "ahead of") + " the node's"
            )
        }
        guard isAhead else {
            return [
                "The chain's latest block is \(TimeSpan.text(seconds)) ahead of the time, and the "
                    + "chain's time decides: what is signed now expires so much earlier."
            ]
        }
        guard !session.network.isSandbox else { return [] }
        return [
            "The chain's latest block is \(TimeSpan.text(seconds)) old: the chain stands still, or "
                + "the node is far behind."
        ]
    }

    /// The offset of the first node clock from ours.
    private func nodeClock() async -> ClockReading? {
        for probe in session.probes {
            var reading = ClockReading()
            reading.note(await probe.ask([.chainID]))
            if reading.range != nil { return reading }
        }
        return nil
    }

}

extension Network {
    /// Seconds that a latest block may be old before the clock is in doubt.
    var maximumClockLead: UInt64 {
        let seconds = blockMilliseconds / (1_000 / ClockCheck.maximumAhead.blocks)
        return max(ClockCheck.maximumAhead.seconds, seconds)
    }
}
