/// The clock is too wrong for signing.
package enum ClockError: ErrorArea {
    case off(found: String)

    package var report: ErrorReport {
        switch self {
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
