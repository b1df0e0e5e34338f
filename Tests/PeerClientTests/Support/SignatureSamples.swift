import DexTestSupport
import Ethereum
import EthereumWallet
import StrictJSON

/// Random keys, transactions and messages of our own, in the form that `signatures.py judge` reads.
struct SignatureSamples {
    private var generator: SeededGenerator

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    /// An account with a random key.
    mutating func signer() throws -> PrivateKeySigner {
        // The curve's order begins with 32 ones.
        var bytes = bytes(32)
        bytes[0] &= 0x7F
        keys.append(bytes)
        return try PrivateKeySigner(key: UInt256(bigEndian: bytes)?.word ?? .zero)
    }

    private var keys: [[UInt8]] = []

    /// A signed transaction of type 0, 1 or 2 by the newest signer.
    ///
    /// - Parameter index: every seventh legacy one names no chain, every fifth makes a contract.
    mutating func transaction(
        _ kind: Int,
        by signer: PrivateKeySigner,
        _ index: Int
    ) async throws -> JSONValue {
        let (price, tip) = (Wei(number(256)), Wei(number(256)))
        let fee: Transaction.Fee =
            switch kind {
            case 0: .legacy(gasPrice: price)
            case 1: .accessList(gasPrice: price)
            default: .dynamic(maxFeePerGas: price, maxPriorityFeePerGas: tip)
            }
        let isUnprotected = kind == 0 && index.isMultiple(of: 7)
        let transaction = Transaction(
            chainID: isUnprotected ? nil : 1 + number64(61),
            nonce: min(number64(64), .max - 1),
            fee: fee,
            gasLimit: number64(64),
            to: index.isMultiple(of: 5) ? nil : address(),
            value: Wei(number(256)),
            data: bytes([0, 1, 4, 55, 56, 68, 300].randomElement(using: &generator) ?? 0),
            accessList: kind == 0 ? [] : accessList()
        )
        let signed: SignedTransaction
        if let chainID = transaction.chainID {
            signed = try await signer.sign(transaction, chainID: chainID)
        } else {
            // Only old transactions name no chain; they can be read, but are not made.
            let signature = try await signer.sign(digest: transaction.signingHash)
            signed = SignedTransaction(
                transaction: transaction,
                signature: signature,
                sender: signer.address
            )
        }
        return json(signed, kind: kind)
    }

    /// A signed message of the newest signer.
    mutating func message(by signer: PrivateKeySigner) async throws -> JSONValue {
        let message = bytes(
            [0, 1, 9, 10, 31, 32, 33, 99, 100, 1_000].randomElement(using: &generator) ?? 0
        )
        return [
            "message": .string(Hex.encode(message)),
            "signature": .string(Self.text(try await signer.sign(message: message))),
            "sender": .string(signer.address.checksummed),
            "key": .string(Hex.encode(keys.last ?? [])),
        ]
    }

    /// r, s and v as 65 bytes, as wallets write a signature.
    static func text(_ signature: Signature) -> String {
        Hex.encode(signature.r.bytes + signature.s.bytes + [signature.yParity + 27])
    }

    private func json(_ signed: SignedTransaction, kind: Int) -> JSONValue {
        let transaction = signed.transaction
        var object = JSONObject()
        object["type"] = .string(String(kind))
        object["chainId"] = transaction.chainID.map { .string(String($0)) }
        object["nonce"] = .string(String(transaction.nonce))
        object["gas"] = .string(String(transaction.gasLimit))
        object["to"] = .string(transaction.to?.checksummed ?? "")
        object["value"] = .string(transaction.value.rawValue.description)
        object["data"] = .string(Hex.encode(transaction.data))
        switch transaction.fee {
        case .legacy(let price), .accessList(let price):
            object["gasPrice"] = .string(price.rawValue.description)
        case .dynamic(let price, let tip):
            object["maxFeePerGas"] = .string(price.rawValue.description)
            object["maxPriorityFeePerGas"] = .string(tip.rawValue.description)
        }
        object["accessList"] = .array(
            transaction.accessList.map { entry in
                [
                    "address": .string(entry.address.checksummed),
                    "storageKeys": .array(entry.storageKeys.map { .string($0.hex) }),
                ]
            }
        )
        object["raw"] = .string(Hex.encode(signed.raw))
        object["hash"] = .string(signed.hash.hex)
        object["sender"] = .string(signed.sender.checksummed)
        object["key"] = .string(Hex.encode(keys.last ?? []))
        return .object(object)
    }

    private mutating func accessList() -> [AccessListEntry] {
        (0..<Int.random(in: 0...3, using: &generator)).map { _ in
            let count = Int.random(in: 0...2, using: &generator)
            let keys = (0..<count).map { _ in number(256).word }
            return AccessListEntry(address: address(), storageKeys: keys)
        }
    }

    private mutating func address() -> Address {
        Address(truncating: number(256).word)
    }

    private mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// A number whose size is as random as its value.
    private mutating func number(_ bits: Int) -> UInt256 {
        let whole = UInt256(bigEndian: bytes(32)) ?? .zero
        return whole >> (256 - Int.random(in: 0...bits, using: &generator))
    }

    private mutating func number64(_ bits: Int) -> UInt64 {
        number(bits).uint64 ?? 0
    }
}
