import Ethereum
import EthereumWallet
import StrictJSON
import Testing

@Suite("Transactions: the official vectors")
struct OfficialTransactionTests {
    /// Rules of a block or of one chain that decoding alone does not know.
    private static let chainRules: Set<String> = [
        "INTRINSIC_GAS_TOO_LOW", "GASLIMIT_PRICE_PRODUCT_OVERFLOW",
        "PRIORITY_GREATER_THAN_MAX_FEE_PER_GAS_2",
    ]

    @Test("valid ones have their hash and sender, invalid ones are refused")
    func official() throws {
        let vectors = try vectors("transactions").list("vectors")
        #expect(vectors.count == 208)
        var valid = 0
        var refused = 0
        for vector in vectors {
            let name = try vector.text("name")
            let raw = try hex(vector.text("raw"))
            let decoded = Result { try SignedTransaction(raw: raw, recoverer: Secp256k1()) }
            guard let exception = vector["exception"]?.stringValue else {
                let transaction = try decoded.get()
                #expect(transaction.hash.hex == (try vector.text("hash")), "\(name)")
                let sender = try Address(lenient: vector.text("sender"))
                #expect(transaction.sender == sender, "\(name)")
                #expect(transaction.raw == raw, "\(name)")
                valid += 1
                continue
            }
            let kind = exception.split(separator: ".").last.map(String.init) ?? ""
            if case .success(let transaction) = decoded {
                // The vectors are of chain 1; another chain's transaction is well-formed.
                let isOtherChain =
                    kind == "INVALID_CHAINID" && transaction.transaction.chainID != 1
                #expect(isOtherChain || Self.chainRules.contains(kind), "\(name): \(exception)")
                #expect(transaction.raw == raw, "\(name)")
            } else {
                refused += 1
                #expect(!Self.chainRules.contains(kind), "\(name)")
            }
        }
        #expect(valid == 49)
        #expect(refused > 115)
    }
}
