import Ethereum
import EthereumWallet

extension FuzzTarget {
    /// Raw transactions: what is read is written again byte for byte; what is signed is read with
    /// the same fields and its sender.
    static let transaction = FuzzTarget(
        "transaction",
        maximumLength: 2_048,
        seeds: TransactionTarget.seeds
    ) { input in
        if let signed = try? SignedTransaction(raw: input, recoverer: Secp256k1()) {
            try requireEqual(signed.raw, input, "a transaction is not written as it was read")
            try require(signed.signature.hasLowS, "a high s was accepted")
            try require(signed.transaction.nonce < .max, "a nonce beyond EIP-2681 was accepted")
            for authorization in signed.transaction.authorizations {
                let again = Transaction.Authorization(authorization.json)
                try requireEqual(again, authorization, "an authorization is not read from its JSON")
                _ = authorization.signer(Secp256k1())
            }
        }
        var reader = InputReader(input)
        let transaction = TransactionTarget.transaction(&reader)
        let signed = try TransactionTarget.sign(transaction)
        let again = try SignedTransaction(raw: signed.raw, recoverer: Secp256k1())
        try requireEqual(again, signed, "a signed transaction is not read as it was written")
        try requireEqual(again.hash, signed.hash, "a transaction's hash")
    }
}

enum TransactionTarget {
    static func sign(_ transaction: Transaction) throws -> SignedTransaction {
        let signer = try PrivateKeySigner(key: UInt256(0x5EED).word)
        return SignedTransaction(
            transaction: transaction,
            signature: try signer.signature(over: transaction.signingHash),
            sender: signer.address
        )
    }

    /// Any transaction that can be sent.
    static func transaction(_ reader: inout InputReader) -> Transaction {
        let kind = reader.byte()
        let price = Wei(reader.uint256())
        let fee: Transaction.Fee =
            switch kind % 3 {
            case 0: .legacy(gasPrice: price)
            case 1: .accessList(gasPrice: price)
            default:
                .dynamic(maxFeePerGas: price, maxPriorityFeePerGas: Wei(reader.uint256()))
            }
        let isLegacy = kind % 3 == 0
        // v of a legacy transaction needs 256 bits for the largest chain id, which has 64.
        let chainID: UInt64? = isLegacy && kind & 8 != 0 ? nil : max(1, reader.uint64())
        var list: [AccessListEntry] = []
        if !isLegacy {
            for _ in 0..<reader.number(below: 4) {
                let keys = (0..<reader.number(below: 4)).map { _ in reader.word() }
                list.append(AccessListEntry(address: reader.address(), storageKeys: keys))
            }
        }
        var authorizations: [Transaction.Authorization] = []
        if kind % 3 == 2, kind & 48 == 32 {
            for _ in 0...reader.number(below: 3) {
                authorizations.append(
                    Transaction.Authorization(
                        chainID: reader.uint256(),
                        delegate: reader.address(),
                        nonce: reader.uint64(),
                        yParity: reader.byte(),
                        r: reader.uint256(),
                        s: reader.uint256()
                    )
                )
            }
        }
        return Transaction(
            chainID: chainID,
            nonce: min(reader.uint64(), .max - 1),
            fee: fee,
            gasLimit: reader.uint64(),
            to: kind & 16 != 0 ? nil : reader.address(),
            value: Wei(reader.uint256()),
            data: reader.rest(),
            accessList: list,
            authorizations: authorizations
        )
    }

    @Sendable
    static func seeds() throws -> [[UInt8]] {
        let to = Address(truncating: UInt256(0xABCD).word)
        let entry = AccessListEntry(address: to, storageKeys: [UInt256(1).word, UInt256(2).word])
        let fees: [(Transaction.Fee, UInt64?, [AccessListEntry])] = [
            (.legacy(gasPrice: Wei(1)), nil, []),
            (.legacy(gasPrice: Wei(1)), 1, []),
            (.legacy(gasPrice: Wei(1)), .max, []),
            (.accessList(gasPrice: Wei(9)), 1, [entry]),
            (.dynamic(maxFeePerGas: Wei(9), maxPriorityFeePerGas: Wei(1)), 1337, []),
            (.dynamic(maxFeePerGas: Wei(9), maxPriorityFeePerGas: Wei(1)), 1, [entry, entry]),
        ]
        let plain = fees.map { fee, chain, list in
            Transaction(
                chainID: chain,
                nonce: 7,
                fee: fee,
                gasLimit: 21_000,
                to: list.count == 2 ? nil : to,
                value: Wei(1 << 64),
                data: Array(repeating: 0xAB, count: 60),
                accessList: list
            )
        }
        var setCode = plain[4]
        setCode.authorizations = [
            Transaction.Authorization(
                chainID: 1337,
                delegate: to,
                nonce: 1,
                yParity: 1,
                r: UInt256(to.word),
                s: 5
            )
        ]
        return try (plain + [setCode]).map { try sign($0).raw }
    }
}
