/// This machine's clock, or the chain's, is too wrong for signing.
package enum ClockError: ErrorArea {
    package static func off(found: String) -> DexError {
        row(
            .refused("clock-off"),
            "\(found). What is signed now would expire at the wrong time, so nothing was signed.",
            hint:
                "Let the network set the clock (timedatectl set-ntp true), and see what else may "
                + "be wrong: dex doctor"
        )
    }

    /// The latest block that any node has is too old.
    package static func stale(_ stale: StaleChain) -> DexError {
        row(
            .refused("stale-chain"),
            stale.refusal,
            hint:
                "See which node stands still, or whether it is this machine's clock: dex doctor\n"
                + "Use another node: --rpc URL\n"
                + "Sign on this state all the same: --allow-stale"
        )
    }
}
