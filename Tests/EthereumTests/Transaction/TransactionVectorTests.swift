import Ethereum
import EthereumWallet
import StrictJSON
import Testing

@Suite("Transactions: what another library signed, and what is wrong with a few")
struct TransactionVectorTests {
    @Test("each has its hash and sender, and is encoded again to the same bytes")
    func valid() throws {
        let vectors = try vectors("transactions").list("valid")
        #expect(vectors.count == 54)
        for vector in vectors {
            let name = try vector.text("name")
            let raw = try hex(vector.text("raw"))
            let signed = try SignedTransaction(raw: raw, recoverer: Secp256k1())
            #expect(signed.hash.hex == (try vector.text("hash")), "\(name)")
            #expect(signed.sender == (try Address(lenient: vector.text("sender"))), "\(name)")
            #expect(signed.raw == raw, "\(name)")
        }
    }

    @Test("a transaction with one thing wrong is refused, whatever it is")
    func invalid() throws {
        let vectors = try vectors("transactions").list("invalid")
        #expect(vectors.count == 98)
        for vector in vectors {
            let raw = try hex(vector.text("raw"))
            #expect(throws: TransactionError.self, "\(vector["name"] ?? "")") {
                try SignedTransaction(raw: raw, recoverer: Secp256k1())
            }
        }
    }
}
