import Ethereum
import StrictJSON

/// The order members that API v0 requires, checked strictly before anything reads them.
///
/// Source: standard relayer API v0 schemas: addresses `^0x[0-9a-f]{40}$` (a correct EIP-55 checksum
/// is accepted too), amounts `^\d+(\.\d+)?$` (the fraction must be zero), ecSignature.
enum OrderSchemaV0 {
    /// All problems of a signed order, in member order.
    static func faults(inOrder json: JSONValue) -> [FaultField] {
        faults(addresses: allAddresses, numbers: allNumbers, in: json) + signatureFaults(in: json)
    }

    /// The non-zero fees of an order without a recipient.
    ///
    /// The exchange pays none of them, but a reader of the order would count on them.
    ///
    /// - Parameter json: an order without faults.
    static func unpaidFees(inOrder json: JSONValue) -> [FaultField] {
        guard json["feeRecipient"]?.stringValue.flatMap(address) == .zero else { return [] }
        return ["makerFee", "takerFee"].compactMap { name in
            let digits = json[name]?.stringValue?.prefix { $0 != "." } ?? ""
            guard UInt256(decimal: String(digits)) != .zero else { return nil }
            return .outOfRange(name, "Must be 0 where the fee recipient is the zero address")
        }
    }

    /// All problems of the body of POST /fees; amounts may be absent.
    static func faults(inFeesRequest json: JSONValue) -> [FaultField] {
        let amounts = ["makerTokenAmount", "takerTokenAmount"]
        let present = amounts.filter { json[$0] != nil }
        return faults(
            addresses: allAddresses.filter { $0 != "feeRecipient" },
            numbers: present + ["expirationUnixTimestampSec", "salt"],
            in: json
        )
    }

    /// What `address` takes.
    static let addressForm =
        "0x and 40 hexadecimal digits, letters of one case or with the checksum of EIP-55"

    /// An address in the schema's form.
    static func address(_ text: String) -> Address? {
        text.hasPrefix("0x") ? Address(ifValid: text) : nil
    }

    private static let allAddresses = [
        "exchangeContractAddress", "maker", "taker", "makerTokenAddress", "takerTokenAddress",
        "feeRecipient",
    ]
    private static let allNumbers = [
        "makerTokenAmount", "takerTokenAmount", "makerFee", "takerFee",
        "expirationUnixTimestampSec", "salt",
    ]

    private static func faults(
        addresses: [String],
        numbers: [String],
        in json: JSONValue
    ) -> [FaultField] {
        addresses.compactMap { addressFault(json[$0], $0) }
            + numbers.compactMap { numberFault(json[$0], $0) }
    }

    private static func addressFault(_ value: JSONValue?, _ name: String) -> FaultField? {
        guard let value else { return FaultV0.required(name) }
        guard let text = value.stringValue, address(text) != nil else {
            return .init(
                name: name,
                code: .invalidAddress,
                reason: "Must be a string: \(addressForm)"
            )
        }
        return nil
    }

    private static func numberFault(_ value: JSONValue?, _ name: String) -> FaultField? {
        guard let value else { return FaultV0.required(name) }
        guard let text = value.stringValue, text.utf8.count <= 128, isDecimal(text) else {
            return .incorrect(name, "Must be a string of decimal digits, in base units")
        }
        let digits = text.prefix { $0 != "." }
        guard UInt256(decimal: String(digits)) != nil else {
            return .outOfRange(name, "Must be below 2^256")
        }
        return nil
    }

    private static func isDecimal(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), !parts.contains(where: \.isEmpty) else { return false }
        return parts[0].allSatisfy { (0x30...0x39).contains($0) }
            && parts.dropFirst().allSatisfy { $0.allSatisfy { $0 == UInt8(ascii: "0") } }
    }

    private static func signatureFaults(in json: JSONValue) -> [FaultField] {
        guard let signature = json["ecSignature"] else { return [FaultV0.required("ecSignature")] }
        guard signature.objectValue != nil else {
            return [.incorrect("ecSignature", "Must be an object with v, r and s")]
        }
        var faults: [FaultField] = []
        switch signature["v"]?.numberText {
        case "27", "28": break
        case nil where signature["v"] == nil: faults.append(FaultV0.required("ecSignature.v"))
        case nil:
            faults.append(.incorrect("ecSignature.v", "Must be the number 27 or 28"))
        default:
            faults.append(
                .init(
                    name: "ecSignature.v",
                    code: .invalidSignatureOrHash,
                    reason: "Must be 27 or 28"
                )
            )
        }
        for part in ["r", "s"] {
            guard let value = signature[part] else {
                faults.append(FaultV0.required("ecSignature.\(part)"))
                continue
            }
            guard let text = value.stringValue, Bytes32(ifHex: text) != nil else {
                faults.append(
                    .incorrect(
                        "ecSignature.\(part)",
                        "Must be a string of 0x and 64 hexadecimal digits"
                    )
                )
                continue
            }
        }
        return faults
    }
}
