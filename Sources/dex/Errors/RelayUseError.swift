import DexCore
import Ethereum

/// A relay that is asked for its figures and does not give them.
enum RelayUseError: ErrorArea {
    static func silent(url: String, reason: String) -> DexError {
        row(
            .unreachable("relay-unreachable"),
            "No relay answers at \(PlainText.origin(of: url)): \(PlainText.sentence(reason))",
            hint: "Start it: dex relay serve. Or name another one: --url URL",
            retryable: true
        )
    }

    static func refused(url: String, status: Int) -> DexError {
        row(
            .unreachable("no-figures"),
            "The relay at \(PlainText.origin(of: url)) does not give its figures to this "
                + "machine (HTTP \(status)).",
            hint: "Ask on its own machine, or add this one's address there: metrics_readers"
        )
    }

    static func otherProgram(url: String) -> DexError {
        row(
            .unreachable("no-figures"),
            "What answers at \(PlainText.origin(of: url)) is not a relay of dex."
        )
    }

    static let exportNeedsFile = row(
        .usage("export-needs-file"),
        "With --json the orders need a file, since stdout has one object.",
        hint: "Name it: dex relay export FILE --json"
    )

    static func noToken(_ address: Address, chainID: UInt64) -> DexError {
        row(
            .usage("no-token"),
            "There is no token with decimals at \(address.checksummed) on chain \(chainID).",
            hint: "Look its address up again, and the relay's chain: dex relay check"
        )
    }

    static func badSubject(_ text: String) -> DexError {
        row(
            .usage("bad-subject"),
            "\"\(PlainText.clean(text, limit: 80))\" is no order's hash, no maker's address and "
                + "no pair.",
            hint: "Write 0x and 64 digits, 0x and 40 digits, or a pair such as ZRX/WETH."
        )
    }

    static func badReason(maximum: Int) -> DexError {
        row(
            .usage("bad-reason"),
            "A reason is one line of at most \(maximum) printable characters."
        )
    }

    static func badClient(_ name: String) -> DexError {
        row(
            .usage("bad-client"),
            "\(PlainText.clean(name, limit: 90)) is no name of a client: 1 to 40 of a-z, 0-9 and - are expected, and no - first."
        )
    }

    static func badClientLimit(_ option: String, maximum: Int) -> DexError {
        row(
            .usage("bad-client-limit"),
            "\(option) takes a whole number from 0 to \(maximum); 0 is no limit."
        )
    }
}
