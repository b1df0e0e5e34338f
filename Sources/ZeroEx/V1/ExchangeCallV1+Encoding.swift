import Ethereum

extension ExchangeCallV1 {
    /// The call data.
    public var data: [UInt8] {
        var writer = CallDataWriter(selector: function.rawValue)
        switch self {
        case .fillOrder(let addresses, let values, let fill, let shouldThrow, let signature):
            writer.put(addresses.words + values.words + [fill.word, Self.word(shouldThrow)])
            writer.put(Self.words(signature))
        case .fillOrKillOrder(let addresses, let values, let fill, let signature):
            writer.put(addresses.words + values.words + [fill.word])
            writer.put(Self.words(signature))
        case .fillOrdersUpTo(let orders, let fill, let shouldThrow, let signatures):
            writer.put(orders)
            writer.put([fill.word, Self.word(shouldThrow)])
            writer.put(signatures)
        case .batchFillOrders(let orders, let fills, let shouldThrow, let signatures):
            writer.put(orders)
            writer.put(array: fills.map(\.word))
            writer.put([Self.word(shouldThrow)])
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
        case .filled(let hash), .cancelled(let hash), .getUnavailableTakerTokenAmount(let hash):
            writer.put([hash.word])
        case .getPartialAmount(let numerator, let denominator, let target),
            .isRoundingError(let numerator, let denominator, let target):
            writer.put([numerator.word, denominator.word, target.word])
        case .authorized(let address):
            writer.put([address.word])
        case .zrxTokenContract, .tokenTransferProxyContract, .version, .externalQueryGasLimit,
            .getAuthorizedAddresses:
            break
        }
        return writer.finished
    }

    private static func word(_ flag: Bool) -> Bytes32 {
        UInt256(flag ? 1 : 0).word
    }

    private static func words(_ signature: SignatureFieldsV1) -> [Bytes32] {
        [UInt256(UInt64(signature.v)).word, signature.r, signature.s]
    }
}

/// Lays out arguments by the contract ABI: words in place, arrays behind them in their order.
private struct CallDataWriter {
    private enum Part {
        case words([Bytes32])
        /// An array of elements, all of their words one behind the other.
        case array(count: Int, [Bytes32])
    }

    private let selector: UInt32
    private var parts: [Part] = []

    init(selector: UInt32) {
        self.selector = selector
    }

    mutating func put(_ words: [Bytes32]) {
        parts.append(.words(words))
    }

    mutating func put(array words: [Bytes32]) {
        parts.append(.array(count: words.count, words))
    }

    mutating func put(_ orders: ExchangeCallV1.Orders) {
        parts.append(.array(count: orders.addresses.count, orders.addresses.flatMap(\.words)))
        parts.append(.array(count: orders.values.count, orders.values.flatMap(\.words)))
    }

    mutating func put(_ signatures: ExchangeCallV1.Signatures) {
        put(array: signatures.v.map { UInt256(UInt64($0)).word })
        put(array: signatures.r)
        put(array: signatures.s)
    }

    var finished: [UInt8] {
        var headWords = 0
        var tailWords = 0
        for part in parts {
            switch part {
            case .words(let words): headWords += words.count
            case .array(_, let words):
                headWords += 1
                tailWords += 1 + words.count
            }
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(4 + 32 * (headWords + tailWords))
        withUnsafeBytes(of: selector.bigEndian) { bytes.append(contentsOf: $0) }
        var offset = headWords
        for part in parts {
            switch part {
            case .words(let words): for word in words { word.append(to: &bytes) }
            case .array(_, let words):
                UInt256(UInt64(32 * offset)).word.append(to: &bytes)
                offset += 1 + words.count
            }
        }
        for case .array(let count, let words) in parts {
            UInt256(UInt64(count)).word.append(to: &bytes)
            for word in words { word.append(to: &bytes) }
        }
        return bytes
    }
}
