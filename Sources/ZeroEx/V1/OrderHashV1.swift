import Ethereum

/// The hash that identifies a v1 order.
///
/// It is Keccak-256 of 312 bytes, addresses unpadded, integers in 32 bytes. It has no chain id;
/// only the exchange's address separates networks.
enum OrderHashV1 {
    static let packedLength = 312

    static func hash(of terms: OrderDraft) -> OrderHash {
        OrderHash(Keccak256.hash(packed(terms)))
    }

    /// The hashes of several orders, hashed together.
    static func hashes(of orders: [OrderDraft]) -> [OrderHash] {
        withUnsafeTemporaryAllocation(
            byteCount: packedLength * orders.count,
            alignment: 8
        ) { buffer in
            var writer = WordWriter(buffer: buffer)
            for terms in orders { put(terms, &writer) }
            return Keccak256.hashes(UnsafeRawBufferPointer(buffer), length: packedLength)
                .map { OrderHash($0) }
        }
    }

    static func packed(_ terms: OrderDraft) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: packedLength) { buffer, count in
            var writer = WordWriter(buffer: UnsafeMutableRawBufferPointer(buffer))
            put(terms, &writer)
            count = writer.position
        }
    }

    private static func put(_ terms: OrderDraft, _ writer: inout WordWriter) {
        writer.put(terms.exchange)
        writer.put(terms.maker)
        writer.put(terms.taker)
        writer.put(terms.makerToken)
        writer.put(terms.takerToken)
        writer.put(terms.fees.recipient)
        writer.put(terms.makerAmount.word)
        writer.put(terms.takerAmount.word)
        writer.put(terms.fees.makerFee.word)
        writer.put(terms.fees.takerFee.word)
        writer.put(terms.expiry.word)
        writer.put(terms.salt.word)
    }
}
