package import DexStore
package import Ethereum

/// What the journal of a network holds unfinished, and what became of it.
package struct ResumeState: Sendable {
    /// One thing that did not come to its end, or whose end nobody was told.
    package struct Item: Sendable {
        package enum Kind: String, Sendable {
            /// Signed bytes.
            case transaction
            /// A nonce that was taken, and nothing signed with it.
            case reservation
            /// A command of which nothing was signed.
            case intent
            /// A signed order of which nobody knows whether the relay took it.
            case order
        }

        /// What can be done about it.
        package enum Action: String, Sendable {
            /// Broadcast the same bytes again.
            case send
            /// Post the same order again.
            case post
        }

        /// How a thing is now.
        package enum Status: Hashable, Sendable {
            /// A transaction; `planned` where nothing is signed.
            case transaction(TransactionStage)
            case order(OrderPlace)

            /// For people and scripts (docs/output.md).
            package var word: String {
                switch self {
                case .transaction(let stage): stage.word
                case .order(let place): place.rawValue
                }
            }
        }

        /// Where an order is.
        package enum OrderPlace: String, Sendable {
            /// On the relay.
            case posted
            /// Only in the journal.
            case signed
            /// Nowhere any more: it can no longer be filled.
            case expired
            /// The relay cannot be asked, or the journal's text cannot be read.
            case unknown
        }

        package let kind: Kind
        package let account: Address
        /// Of a transaction or an order.
        package let hash: Bytes32?
        package let nonce: UInt64?
        /// What it is for: `fill`, `market-buy`, `order`.
        package let purpose: String
        /// Seconds since 1970.
        package let created: UInt64
        /// How the journal had it.
        package let was: String
        /// How it is now.
        package var status: Status
        package var action: Action?
        /// What was done about it: `sent`, `posted`, `refused`; nil where nothing was.
        package var done: String?
        /// What happened and what mends it; sentences.
        package var notes: [String]
        /// What a mined transaction did.
        package var outcome: TransactionStatus?
        /// It may still change.
        package var isInFlight: Bool
    }

    package var items: [Item]
    /// 0, or 12 where something is in flight still.
    package var exit: ExitCode {
        items.contains(where: \.isInFlight) ? .notMinedYet : .done
    }
}
