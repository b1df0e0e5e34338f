package import Ethereum
import StrictJSON

/// A transaction that a dapp asks for: what it calls, not how it is paid for.
///
/// Gas, its price and the nonce are planned as for `dex transact`.
package struct DappTransaction: Hashable, Sendable {
    package let from: Address
    package let to: Address
    package let value: Wei
    package let data: [UInt8]
    /// nil: the chain in use.
    package let chainID: UInt256?

    /// Members that are read, or that the plan decides itself.
    private static let members: Set<String> = [
        "from", "to", "value", "data", "input", "chainId", "gas", "gasLimit", "gasPrice",
        "maxFeePerGas", "maxPriorityFeePerGas", "type", "accessList",
    ]

    /// - Throws: `DappError.invalidParameters`.
    init(_ json: JSONValue, _ list: DappParameters) throws(DappError) {
        for member in json.objectValue?.members ?? [] where !Self.members.contains(member.key) {
            throw list.invalid(
                member.key == "nonce"
                    ? "the wallet chooses the nonce" : "a member of the transaction is not known"
            )
        }
        guard let from = json["from"]?.stringValue.flatMap(Address.init(ifValid:)) else {
            throw list.invalid("from is no address")
        }
        // A contract creation runs code that nothing tells of.
        guard let to = json["to"]?.stringValue.flatMap(Address.init(ifValid:)) else {
            throw list.invalid("to is no address; contracts are not created here")
        }
        var value = UInt256.zero
        if let json = json["value"] {
            guard let number = list.quantity(json) else {
                throw list.invalid("value is a number in hexadecimal after 0x")
            }
            value = number
        }
        var chainID: UInt256?
        if let json = json["chainId"] {
            guard
                let number = list.quantity(json) ?? json.numberText.flatMap(UInt256.init(decimal:))
            else { throw list.invalid("chainId is a number in hexadecimal after 0x") }
            chainID = number
        }
        self.from = from
        self.to = to
        self.value = Wei(value)
        self.data = try Self.data(json, list)
        self.chainID = chainID
    }

    /// `input`, or `data` as older programs call it; both only if they are equal.
    private static func data(
        _ json: JSONValue,
        _ list: DappParameters
    ) throws(DappError) -> [UInt8] {
        var found: [[UInt8]] = []
        for name in ["data", "input"] {
            guard let value = json[name], !value.isNull else { continue }
            guard let bytes = value.stringValue.flatMap(Hex.bytes) else {
                throw list.invalid("\(name) is no hexadecimal")
            }
            found.append(bytes)
        }
        guard Set(found).count <= 1 else { throw list.invalid("data and input differ") }
        return found.first ?? []
    }
}
