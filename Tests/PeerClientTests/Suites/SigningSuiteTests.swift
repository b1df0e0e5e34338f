import Ethereum
import EthereumWallet
import StrictJSON
import Testing

/// Transactions and messages by suites that others published.
@Suite("Published suites: signing")
struct SigningSuiteTests {
    @Test("transactions of ethereum/tests and eth-account are read, and signed to the same bytes")
    func signed() async throws {
        var high = 0
        for item in try await OfficialSuites.cases("transactions", "signed", count: 11) {
            let raw = try item.peerBytes("raw")
            let signer = try PrivateKeySigner(key: Bytes32(hex: "0x" + item.peerText("key")))
            let signed: SignedTransaction
            do throws(TransactionError) {
                signed = try SignedTransaction(raw: raw, recoverer: Secp256k1())
            } catch {
                // One is older than EIP-2, which rules out its signature.
                #expect(error == .highS)
                high += 1
                continue
            }
            #expect(signed.sender == signer.address)
            #expect(signed.raw == raw)
            #expect(try signer.signature(over: signed.transaction.signingHash) == signed.signature)
        }
        #expect(high == 1)
    }

    @Test("what is signed of typed transactions has eth-account's hash; blobs are refused")
    func hashed() async throws {
        var refused = 0
        for item in try await OfficialSuites.cases("transactions", "hashed", count: 15) {
            let raw = try item.peerBytes("raw")
            let type = try UInt8(item.peerNumber("type"))
            guard type != 3 else {
                refused += 1
                #expect(throws: TransactionError.unsupportedType(type)) {
                    try SignedTransaction(raw: raw, recoverer: Secp256k1())
                }
                continue
            }
            let signed = try SignedTransaction(raw: raw, recoverer: Secp256k1())
            #expect(signed.transaction.signingHash.bytes == (try item.peerBytes("hash")))
            #expect(signed.raw == raw)
        }
        #expect(refused == 3)
    }

    @Test("messages are hashed and signed by EIP-191 as in eth-account's suite")
    func messages() async throws {
        for item in try await OfficialSuites.cases("messages", "hashed", count: 5) {
            let hash = EthereumMessage.hash(try item.peerBytes("message"))
            #expect(hash.bytes == (try item.peerBytes("hash")))
        }
        for item in try await OfficialSuites.cases("messages", "signed", count: 3) {
            let message = try item.peerBytes("message")
            let signer = try PrivateKeySigner(key: Bytes32(hex: "0x" + item.peerText("key")))
            let signature = try await signer.sign(message: message)
            #expect(SignatureSamples.text(signature) == (try item.peerText("signature")))
            #expect(EthereumMessage.hash(message).bytes == (try item.peerBytes("hash")))
        }
    }
}
