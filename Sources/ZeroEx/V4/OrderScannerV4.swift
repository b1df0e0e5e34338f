import Ethereum
import StrictJSON

/// Scans records of v4 orders directly from a relay's text, in the standard server's form.
///
/// The members are in any order, each once, with addresses and amounts as plain text. Other forms
/// that `OrderRecordV4` accepts fail here, such as a bare order; accepted ones give the same
/// result. A record whose hash is not the order's also fails.
struct OrderScannerV4 {
    /// The members; addresses and numbers are stored in case order.
    private enum Field: Int, ScannedField {
        case makerToken, takerToken, maker, taker, sender, feeRecipient, exchange
        case makerAmount, takerAmount, takerFee, expiry, salt, chainID
        case pool, signature

        static let numbers = Field.makerAmount.rawValue

        /// Relays write zero for these or leave them out.
        static let optional = mask([.taker, .sender, .feeRecipient, .takerFee, .pool])
        static let required = mask(allCases) & ~optional

        private static func mask(_ fields: [Field]) -> Int {
            fields.reduce(0) { $0 | 1 << $1.rawValue }
        }

        var name: StaticString {
            switch self {
            case .makerToken: "makerToken"
            case .takerToken: "takerToken"
            case .maker: "maker"
            case .taker: "taker"
            case .sender: "sender"
            case .feeRecipient: "feeRecipient"
            case .exchange: "verifyingContract"
            case .makerAmount: "makerAmount"
            case .takerAmount: "takerAmount"
            case .takerFee: "takerTokenFeeAmount"
            case .expiry: "expiry"
            case .salt: "salt"
            case .chainID: "chainId"
            case .pool: "pool"
            case .signature: "signature"
            }
        }
    }

    private var fields = ScannedFields<Field>()
    /// The last order's domain, since hashing a domain costs as much as hashing an order.
    private var domain: ExchangeDomainV4?

    /// A list of records; nil if a part is not in the plain form.
    static func orders(_ cursor: inout JSONCursor) -> [any SignedOrder]? {
        var scanner = OrderScannerV4()
        return cursor.orders(Keccak256.messagesAtOnce) {
            scanner.record(&$0)
        } joined: { records in
            let orders = SignedOrderV4.list(records.map(\.order))
            let isTrue = zip(records, orders).allSatisfy { record, order in
                record.reported == nil || record.reported == order.hash.word
            }
            return isTrue ? orders : nil
        }
    }

    /// A record before its order is hashed.
    private struct Record {
        let order: SignedOrderV4.Parts
        /// The relay's word on the hash.
        let reported: Bytes32?
    }

    private mutating func record(_ cursor: inout JSONCursor) -> Record? {
        var order: SignedOrderV4.Parts?
        var metadata: Metadata?
        guard cursor.take("{") else { return nil }
        repeat {
            if order == nil, cursor.take(name: "order") {
                order = self.order(&cursor)
                guard order != nil else { return nil }
            } else if metadata == nil, cursor.take(name: "metaData") {
                metadata = Metadata(&cursor)
                guard metadata != nil else { return nil }
            } else {
                return nil
            }
        } while cursor.take(",")
        guard cursor.take("}"), let order else { return nil }
        return Record(order: order, reported: metadata?.orderHash)
    }

    private mutating func order(_ cursor: inout JSONCursor) -> SignedOrderV4.Parts? {
        var addresses: InlineArray<7, Address> = .init(repeating: .zero)
        var numbers: InlineArray<6, UInt256> = .init(repeating: .zero)
        var pool = Bytes32.zero
        var signature: SignatureV4?
        var seen = 0
        var count = 0
        guard cursor.take("{") else { return nil }
        repeat {
            guard let field = fields.next(number: count, &cursor), seen & 1 << field.rawValue == 0
            else {
                return nil
            }
            seen |= 1 << field.rawValue
            count += 1
            switch field {
            case .signature:
                guard let value = Self.signature(&cursor) else { return nil }
                signature = value
            case .pool:
                guard let value = Self.word(&cursor) else { return nil }
                pool = value
            case .makerToken, .takerToken, .maker, .taker, .sender, .feeRecipient, .exchange:
                guard let text = cursor.text(length: 42), let value = Address(hex: text) else {
                    return nil
                }
                addresses[field.rawValue] = value
            case .makerAmount, .takerAmount, .takerFee, .expiry, .salt, .chainID:
                guard let value = Self.number(&cursor) else { return nil }
                numbers[field.rawValue - Field.numbers] = value
            }
        } while cursor.take(",")
        guard cursor.take("}"), seen & Field.required == Field.required, let signature,
            let makerAmount = numbers[0].uint128, let takerAmount = numbers[1].uint128,
            let takerFee = numbers[2].uint128, let expiry = numbers[3].uint64,
            let chainID = numbers[5].uint64
        else { return nil }
        return SignedOrderV4.Parts(
            terms: LimitOrderV4(
                makerToken: addresses[0],
                takerToken: addresses[1],
                makerAmount: makerAmount,
                takerAmount: takerAmount,
                takerTokenFeeAmount: takerFee,
                maker: addresses[2],
                taker: addresses[3],
                sender: addresses[4],
                feeRecipient: addresses[5],
                pool: pool,
                expiry: expiry,
                salt: numbers[4]
            ),
            domain: domain(chainID: chainID, exchange: addresses[6]),
            signature: signature
        )
    }

    private mutating func domain(chainID: UInt64, exchange: Address) -> ExchangeDomainV4 {
        if let domain, domain.chainID == chainID, domain.exchange == exchange { return domain }
        let domain = ExchangeDomainV4(chainID: chainID, exchange: exchange)
        self.domain = domain
        return domain
    }

    /// The same digit limit as the other reader.
    private static func number(_ cursor: inout JSONCursor) -> UInt256? {
        guard let digits = cursor.digitText() ?? cursor.digits(), digits.count <= 200 else {
            return nil
        }
        return UInt256(digits: digits)
    }

    private static func word(_ cursor: inout JSONCursor) -> Bytes32? {
        cursor.text(length: 66).flatMap { Bytes32(hex: $0) }
    }

    private static func byte(_ cursor: inout JSONCursor) -> UInt8? {
        guard let value = cursor.digits().flatMap({ $0.count <= 3 ? UInt256(digits: $0) : nil })
        else { return nil }
        return value.uint64.flatMap { UInt8(exactly: $0) }
    }

    private static func signature(_ cursor: inout JSONCursor) -> SignatureV4? {
        var type: UInt8?
        var v: UInt8?
        var r: Bytes32?
        var s: Bytes32?
        guard cursor.take("{") else { return nil }
        repeat {
            if type == nil, cursor.take(name: "signatureType") {
                type = byte(&cursor)
                guard type != nil else { return nil }
            } else if v == nil, cursor.take(name: "v") {
                v = byte(&cursor).map(OrderMembers.recoveryByte)
                guard v != nil else { return nil }
            } else if r == nil, cursor.take(name: "r") {
                r = word(&cursor)
                guard r != nil else { return nil }
            } else if s == nil, cursor.take(name: "s") {
                s = word(&cursor)
                guard s != nil else { return nil }
            } else {
                return nil
            }
        } while cursor.take(",")
        guard cursor.take("}"), let type, let v, let r, let s else { return nil }
        return SignatureV4(type: type, v: v, r: r, s: s)
    }

    /// A relay's claims about an order; only the hash is used.
    private struct Metadata {
        var orderHash: Bytes32?

        /// nil if it is not in the plain form.
        init?(_ cursor: inout JSONCursor) {
            guard cursor.take("{") else { return nil }
            if cursor.take("}") { return }
            var seen = 0
            repeat {
                let bit: Int
                if cursor.take(name: "orderHash") {
                    guard let hash = OrderScannerV4.word(&cursor) else { return nil }
                    orderHash = hash
                    bit = 1
                } else if cursor.take(name: "remainingFillableTakerAmount") {
                    guard cursor.digitText() != nil else { return nil }
                    bit = 2
                } else if cursor.take(name: "createdAt") {
                    guard Self.takesText(&cursor) else { return nil }
                    bit = 4
                } else if cursor.take(name: "state") {
                    guard Self.takesText(&cursor) else { return nil }
                    bit = 8
                } else {
                    return nil
                }
                guard seen & bit == 0 else { return nil }
                seen |= bit
            } while cursor.take(",")
            guard cursor.take("}") else { return nil }
        }

        /// A text of printable ASCII without escapes.
        private static func takesText(_ cursor: inout JSONCursor) -> Bool {
            guard let text = cursor.text() else { return false }
            return text.allSatisfy { (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "\\") }
        }
    }
}
