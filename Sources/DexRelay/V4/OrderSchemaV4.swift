import Ethereum
import StrictJSON

/// The order members that API v4 requires, checked strictly before anything reads them.
///
/// Source: docs/protocol/relay-api-v4.md, section 3; addresses are `^0x[0-9a-f]{40}$` (a correct
/// EIP-55 checksum is accepted too), amounts decimal digits in a string.
enum OrderSchemaV4 {
    private enum Member {
        case address, word, number(bits: Int)
    }

    private static let required: [(String, Member)] = [
        ("maker", .address), ("makerToken", .address), ("takerToken", .address),
        ("verifyingContract", .address), ("makerAmount", .number(bits: 128)),
        ("takerAmount", .number(bits: 128)), ("expiry", .number(bits: 64)),
        ("salt", .number(bits: 256)),
    ]
    private static let optional: [(String, Member)] = [
        ("taker", .address), ("feeRecipient", .address), ("sender", .address), ("pool", .word),
        ("takerTokenFeeAmount", .number(bits: 128)),
    ]

    /// All problems of a signed order, in member order.
    ///
    /// The server that 0x published overwrites a sender with zero, so the signed order is lost.
    static func faults(inOrder json: JSONValue) -> [FaultField] {
        var faults = required.compactMap { fault(json[$0.0], $0.0, $0.1, isRequired: true) }
        faults += optional.compactMap { fault(json[$0.0], $0.0, $0.1, isRequired: false) }
        if let text = json["sender"]?.stringValue, let sender = address(text), sender != .zero {
            faults.append(
                .init(
                    name: "sender",
                    code: .addressNotSupported,
                    reason: "Must be the zero address: an order that only one sender may fill is "
                        + "not carried, and without its sender it would be another order"
                )
            )
        }
        return faults + chainFaults(in: json) + signatureFaults(in: json)
    }

    /// All problems of the body of POST /order_config.
    static func faults(inConfigRequest json: JSONValue) -> [FaultField] {
        let members: [(String, Member)] =
            required.filter { $0.0 != "salt" } + [("taker", .address)]
        return members.compactMap { fault(json[$0.0], $0.0, $0.1, isRequired: true) }
    }

    /// An address in the schema's form.
    static func address(_ text: String) -> Address? {
        OrderSchemaV0.address(text)
    }

    /// A whole number in the schema's form, of at most this many bits.
    static func number(_ text: String, bits: Int = 256) -> UInt256? {
        guard (1...100).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = UInt256(decimal: text), number.leadingZeroBitCount >= 256 - bits
        else { return nil }
        return number
    }

    private static func fault(
        _ value: JSONValue?,
        _ name: String,
        _ member: Member,
        isRequired: Bool
    ) -> FaultField? {
        guard let value else { return isRequired ? FaultV4.required(name) : nil }
        let text = value.stringValue
        switch member {
        case .address:
            if text.flatMap(address) != nil { return nil }
            return .incorrect(name, "Must be a string: \(OrderSchemaV0.addressForm)")
        case .word:
            if text.flatMap(Bytes32.init(ifHex:)) != nil { return nil }
            return .incorrect(name, "Must be a string of 0x and 64 hexadecimal digits")
        case .number(let bits):
            guard let text, (1...100).contains(text.utf8.count),
                text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
            else { return .incorrect(name, "Must be a string of decimal digits") }
            if number(text, bits: bits) != nil { return nil }
            return .outOfRange(name, "Must be below 2^\(bits)")
        }
    }

    private static func chainFaults(in json: JSONValue) -> [FaultField] {
        guard let value = json["chainId"] else { return [FaultV4.required("chainId")] }
        guard value.numberText.flatMap({ UInt64($0) }) != nil else {
            return [.incorrect("chainId", "Must be a whole number below 2^64")]
        }
        return []
    }

    private static func signatureFaults(in json: JSONValue) -> [FaultField] {
        guard let signature = json["signature"] else { return [FaultV4.required("signature")] }
        guard signature.objectValue != nil else {
            return [.incorrect("signature", "Must be an object with signatureType, v, r and s")]
        }
        var faults: [FaultField] = []
        let numbers = [
            ("signatureType", ["2", "3"], "Must be 2 (EIP712) or 3 (ETHSIGN)"),
            ("v", ["27", "28"], "Must be 27 or 28"),
        ]
        for (part, allowed, reason) in numbers {
            let name = "signature.\(part)"
            guard let value = signature[part] else {
                faults.append(FaultV4.required(name))
                continue
            }
            guard let text = value.numberText else {
                faults.append(.incorrect(name, "Must be a number"))
                continue
            }
            if !allowed.contains(text) {
                faults.append(.outOfRange(name, reason))
            }
        }
        for part in ["r", "s"] {
            let name = "signature.\(part)"
            if let fault = fault(signature[part], name, .word, isRequired: true) {
                faults.append(fault)
            }
        }
        return faults
    }
}
