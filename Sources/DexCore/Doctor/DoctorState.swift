package import Ethereum

/// The result of `dex doctor`: a row for each check.
package struct DoctorState: Sendable {
    package enum Mark: String, Sendable, CaseIterable {
        case ok
        /// It works, with something to note.
        case warn
        /// A command would fail because of it.
        case fail
        /// Not checked, since an earlier check failed.
        case skipped
    }

    package enum Check: String, Sendable, CaseIterable {
        case settings
        case policy
        case network
        case wallet
        case journal
        case node
        case chainID = "chain-id"
        case sync
        case clock
        case batches
        case logs
        case quorum
        case proofs
        case relay
        case swap
        case pools
        case privateNode = "private-rpc"
        case exchange
        /// The account runs the code of another one.
        case delegation
        case ether
        case allowances
        case orders
        case guards
        case transactions
        // Of a hosted relay.
        case listen
        case store
        case program
        case blockHash = "block-hash"

        /// The checks of `dex relay check` alone.
        package static let ofHost: Set<Check> = [.listen, .store, .program, .blockHash]

        /// The remedy if an error does not name one.
        fileprivate var remedy: String {
            switch self {
            case .settings: "Mend or move away the file that is named: dex config path"
            case .policy: "Mend the file that is named: dex policy"
            case .network: "Choose one, or see what is set: dex network list"
            case .wallet: "See the wallets: dex wallet list"
            case .journal:
                "Run it again: dex doctor. If it stays so, restore or move the file away."
            case .exchange: "See which exchange the network's settings name: dex network list"
            case .relay: "Name another relay: --relay URL"
            case .swap: "Run it again: dex doctor. Or trade on the book alone: --via book"
            case .blockHash: "Name another node: rpc in relay.toml"
            case .pools: "See which node answers: dex network list. Or leave them out: --via swap"
            case .privateNode:
                "Correct private_rpc in config.toml. Without it, transactions go to the public nodes."
            case .listen, .store, .program: "Correct relay.toml, then: dex relay check"
            case .node, .chainID, .sync, .clock, .batches, .logs, .quorum, .proofs, .delegation,
                .ether, .allowances, .orders, .guards, .transactions:
                "Run it again: dex doctor. If it stays so, name another node: --rpc URL"
            }
        }

        /// The words for users.
        package var title: String {
            switch self {
            case .chainID: "chain id"
            case .blockHash: "block hash"
            case .privateNode: "private rpc"
            case .ether: "coin"
            default: rawValue
            }
        }
    }

    package struct Row: Hashable, Sendable {
        package let check: Check
        /// The node, as far as its address may be shown.
        package let node: String?
        package let mark: Mark
        /// A whole sentence.
        package let found: String
        /// The remedies with their commands, one per line; nil if nothing is wrong.
        package let remedy: String?
        /// What the error of a command that meets this means; nil but for `fail`.
        package let kind: ErrorKind?

        package static func ok(_ check: Check, node: String? = nil, _ found: String) -> Row {
            Row(check: check, node: node, mark: .ok, found: found, remedy: nil, kind: nil)
        }

        package static func warn(
            _ check: Check,
            node: String? = nil,
            _ found: String,
            _ remedy: String
        ) -> Row {
            Row(check: check, node: node, mark: .warn, found: found, remedy: remedy, kind: nil)
        }

        package static func fail(
            _ check: Check,
            node: String? = nil,
            _ found: String,
            _ remedy: String?,
            _ kind: ErrorKind
        ) -> Row {
            Row(
                check: check,
                node: node,
                mark: .fail,
                found: found,
                remedy: remedy ?? check.remedy,
                kind: kind
            )
        }

        /// A row with a command's error.
        package static func fail(_ check: Check, node: String? = nil, _ error: DexError) -> Row {
            fail(check, node: node, error.message, error.hint, error.kind)
        }

        /// The same with one more remedy.
        package func adding(_ remedy: String) -> Row {
            let all = [self.remedy, remedy].compactMap { $0 }.joined(separator: "\n")
            return Row(check: check, node: node, mark: mark, found: found, remedy: all, kind: kind)
        }

        package static func skipped(
            _ check: Check,
            node: String? = nil,
            _ found: String
        ) -> Row {
            Row(check: check, node: node, mark: .skipped, found: found, remedy: nil, kind: nil)
        }
    }

    /// The network; nil if the settings do not name one.
    package let network: String?
    package let account: Address?
    package let rows: [Row]

    package init(network: String?, account: Address?, rows: [Row]) {
        self.network = network
        self.account = account
        self.rows = rows
    }

    package func count(_ mark: Mark) -> Int {
        rows.count { $0.mark == mark }
    }

    /// The command's error: that of the first failed row.
    package var failure: DexError? {
        guard let first = rows.first(where: { $0.mark == .fail }), let kind = first.kind else {
            return nil
        }
        let count = count(.fail)
        return DoctorError.unhealthy(
            count: count,
            first: first.check.title,
            kind: kind,
            remedy: first.remedy
        )
    }
}
