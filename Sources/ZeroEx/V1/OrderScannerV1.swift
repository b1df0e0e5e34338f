import Ethereum
import StrictJSON

/// Scans v1 orders directly from a relay's text in the form that most relays use.
///
/// The documented members are in any order, each once, with addresses and amounts as plain text.
/// Other forms that `OrderWireV1` accepts fail here; accepted ones give the same result.
struct OrderScannerV1 {
    /// The members; addresses and numbers are stored in case order.
    private enum Field: Int, ScannedField {
        case exchange, maker, taker, makerToken, takerToken, feeRecipient
        case makerAmount, takerAmount, makerFee, takerFee, expiry, salt
        case signature

        static let numbers = Field.makerAmount.rawValue

        var name: StaticString {
            switch self {
            case .exchange: "exchangeContractAddress"
            case .maker: "maker"
            case .taker: "taker"
            case .makerToken: "makerTokenAddress"
            case .takerToken: "takerTokenAddress"
            case .feeRecipient: "feeRecipient"
            case .makerAmount: "makerTokenAmount"
            case .takerAmount: "takerTokenAmount"
            case .makerFee: "makerFee"
            case .takerFee: "takerFee"
            case .expiry: "expirationUnixTimestampSec"
            case .salt: "salt"
            case .signature: "ecSignature"
            }
        }
    }

    /// As most relays and `dex` order them.
    private static let usual = ScannedFields(layout: Field.allCases)

    private var fields = Self.usual

    /// A list of orders; nil if a part is not in the plain form.
    static func orders(_ cursor: inout JSONCursor) -> [any SignedOrder]? {
        var scanner = OrderScannerV1()
        return cursor.orders(Keccak256.messagesAtOnce) {
            scanner.order(&$0)
        } joined: {
            SignedOrderV1.list($0)
        }
    }

    /// One order; nil if a part is not in the plain form.
    static func order(_ cursor: inout JSONCursor) -> SignedOrderV1? {
        var scanner = OrderScannerV1()
        guard let (terms, signature) = scanner.order(&cursor) else { return nil }
        return SignedOrderV1(terms: terms, signature: signature)
    }

    private mutating func order(
        _ cursor: inout JSONCursor
    ) -> (terms: OrderDraft, signature: Signature)? {
        var addresses: InlineArray<6, Address> = .init(repeating: .zero)
        var numbers: InlineArray<6, UInt256> = .init(repeating: .zero)
        var signature: Signature?
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
            if field == .signature {
                guard let value = Self.signature(&cursor) else { return nil }
                signature = value
            } else if field.rawValue < Field.numbers {
                guard let text = cursor.text(length: 42), let value = Address(hex: text) else {
                    return nil
                }
                addresses[field.rawValue] = value
            } else {
                // The same digit limit as the other reader.
                guard let digits = cursor.digitText() ?? cursor.digits(), digits.count <= 200,
                    let value = UInt256(digits: digits)
                else { return nil }
                numbers[field.rawValue - Field.numbers] = value
            }
        } while cursor.take(",")
        guard cursor.take("}"), count == Field.allCases.count, let signature else { return nil }
        return (
            OrderDraft(
                exchange: addresses[0],
                maker: addresses[1],
                taker: addresses[2],
                makerToken: addresses[3],
                takerToken: addresses[4],
                makerAmount: numbers[0],
                takerAmount: numbers[1],
                expiry: numbers[4],
                salt: numbers[5],
                fees: OrderFees(
                    recipient: addresses[5],
                    makerFee: numbers[2],
                    takerFee: numbers[3]
                )
            ),
            signature
        )
    }

    private static func signature(_ cursor: inout JSONCursor) -> Signature? {
        var yParity: UInt8?
        var r: Bytes32?
        var s: Bytes32?
        guard cursor.take("{") else { return nil }
        repeat {
            if r == nil, cursor.take(name: "r") {
                r = cursor.text(length: 66).flatMap { Bytes32(hex: $0) }
                guard r != nil else { return nil }
            } else if s == nil, cursor.take(name: "s") {
                s = cursor.text(length: 66).flatMap { Bytes32(hex: $0) }
                guard s != nil else { return nil }
            } else if yParity == nil, cursor.take(name: "v") {
                guard let digits = cursor.digits(), digits.count == 2,
                    digits[0] == UInt8(ascii: "2")
                else { return nil }
                switch digits[1] {
                case UInt8(ascii: "7"): yParity = 0
                case UInt8(ascii: "8"): yParity = 1
                default: return nil
                }
            } else {
                return nil
            }
        } while cursor.take(",")
        guard cursor.take("}"), let r, let s, let yParity else { return nil }
        return Signature(r: r, s: s, yParity: yParity)
    }
}
