/// This machine's clock, or the chain's, is too wrong for signing.
package enum ClockError: ErrorArea {
    case off(found: String)
    /// The latest block that any node has is too old.
    case stale(StaleChain)

    package var report: ErrorReport {
        switch self {
        case .stale(let stale):
            ErrorReport(
                .refused,
                "stale-chain",
                stale.refusal,
                hint:
                    "See which node stands still, or whether it is this machine's clock: dex doctor\n"
                    + "Use another node: --rpc URL\n"
                    + "Sign on this state all the same: --allow-stale"
            )
        case .off(let found):
            ErrorReport(
                .refused,
                "clock-off",
                "\(found). What is signed now would expire at the wrong time, so nothing was "
                    + "signed.",
                hint:
                    "Let the network set the clock (timedatectl set-ntp true), and see what else may "
                    + "be wrong: dex doctor"
            )
        }
    }
}
