import Ethereum
import GRDB

/// An exchange on its chain.
struct ExchangePlace: Hashable, Sendable, EncodableRecord {
    let chainID: UInt64
    let exchange: Address

    func encode(to row: inout PersistenceContainer) throws {
        row["chain_id"] = try integer(chainID, "the chain id")
        row["exchange"] = exchange
    }
}
