import Ethereum

extension ExchangeCallV1 {
    /// The call data.
    public var data: [UInt8] {
        if let hash = questionedHash { return Self.data(function.rawValue, hash) }
        var writer = ContractDataWriter(selector: function.rawValue)
        switch self {
        case .fillOrder(let addresses, let values, let fill, let shouldThrow, let signature):
            writer.put(
                addresses.words + values.words + [fill.word, ContractDataWriter.word(shouldThrow)]
            )
            writer.put(Self.words(signature))
        case .fillOrKillOrder(let addresses, let values, let fill, let signature):
            writer.put(addresses.words + values.words + [fill.word])
            writer.put(Self.words(signature))
        case .fillOrdersUpTo(let orders, let fill, let shouldThrow, let signatures):
            writer.put(orders)
            writer.put([fill.word, ContractDataWriter.word(shouldThrow)])
            writer.put(signatures)
        case .batchFillOrders(let orders, let fills, let shouldThrow, let signatures):
            writer.put(orders)
            writer.put(array: fills.map(\.word))
            writer.put(shouldThrow)
            writer.put(signatures)
        case .batchFillOrKillOrders(let orders, let fills, let signatures):
            writer.put(orders)
            writer.put(array: fills.map(\.word))
            writer.put(signatures)
        case .cancelOrder(let addresses, let values, let cancel):
            writer.put(addresses.words + values.words + [cancel.word])
        case .batchCancelOrders(let orders, let cancels):
            writer.put(orders)
            writer.put(array: cancels.map(\.word))
        case .getOrderHash(let addresses, let values):
            writer.put(addresses.words + values.words)
        case .isValidSignature(let signer, let hash, let signature):
            writer.put([signer.word, hash] + Self.words(signature))
        case .getPartialAmount(let numerator, let denominator, let target),
            .isRoundingError(let numerator, let denominator, let target):
            writer.put([numerator.word, denominator.word, target.word])
        case .authorized(let address):
            writer.put([address.word])
        case .zrxTokenContract, .tokenTransferProxyContract, .version, .externalQueryGasLimit,
            .getAuthorizedAddresses, .filled, .cancelled, .getUnavailableTakerTokenAmount:
            break
        }
        return writer.finished
    }

    /// The order of a call that asks for its state: a book has one for each of its orders.
    private var questionedHash: Bytes32? {
        switch self {
        case .filled(let hash), .cancelled(let hash), .getUnavailableTakerTokenAmount(let hash):
            hash.word
        default: nil
        }
    }

    private static func data(_ selector: UInt32, _ word: Bytes32) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 36) { buffer, count in
            let bytes = UnsafeMutableRawBufferPointer(buffer)
            bytes.storeBytes(of: selector.bigEndian, as: UInt32.self)
            word.withUnsafeBytes {
                UnsafeMutableRawBufferPointer(rebasing: bytes[4...]).copyBytes(from: $0)
            }
            count = 36
        }
    }

    private static func words(_ signature: SignatureFieldsV1) -> [Bytes32] {
        [UInt256(UInt64(signature.v)).word, signature.r, signature.s]
    }
}

extension ContractDataWriter {
    fileprivate mutating func put(_ orders: ExchangeCallV1.Orders) {
        put(array: orders.addresses.flatMap(\.words), count: orders.addresses.count)
        put(array: orders.values.flatMap(\.words), count: orders.values.count)
    }

    fileprivate mutating func put(_ signatures: ExchangeCallV1.Signatures) {
        put(array: signatures.v.map { UInt256(UInt64($0)).word })
        put(array: signatures.r)
        put(array: signatures.s)
    }
}
