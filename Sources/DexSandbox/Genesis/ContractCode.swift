import DexResources
import Ethereum
import StrictJSON

/// A contract of the chain's own, as byte code: compiled from `Tests/Python/evm/contracts` by Vyper.
///
/// `scripts/sandbox-contracts` writes the resource, and compares it with the sources.
struct ContractCode: Sendable {
    enum Name: String, CaseIterable, Sendable {
        case allowanceHolder = "AllowanceHolder"
        case constantPool = "ConstantPool"
        case erc20 = "ERC20"
        case exchange = "Exchange"
        case exchangeProxy = "ExchangeProxy"
        case feeToken = "FeeToken"
        case heavyToken = "HeavyToken"
        case permit2 = "Permit2"
        case settlerRegistry = "SettlerRegistry"
        case settlerStandIn = "SettlerStandIn"
        case silentToken = "SilentToken"
        case tetherToken = "TetherToken"
        case tickLens = "TickLens"
        case tokenTransferProxy = "TokenTransferProxy"
        case upgradeableToken = "UpgradeableToken"
        case v2Factory = "V2Factory"
        case v2Pair = "V2Pair"
        case v3Factory = "V3Factory"
        case v3Pool = "V3Pool"
        case v3Quoter = "V3Quoter"
        case v3Router = "V3Router"
        case weth9 = "WETH9"
        case zrxToken = "ZRXToken"
    }

    /// Without immutables.
    private let code: [UInt8]
    /// Where each variable is; of a mapping the position that keys are hashed with.
    private let slots: [String: UInt256]
    /// Where each immutable is behind the code, in bytes.
    private let immutables: [String: Int]

    /// The contract of a name.
    static func named(_ name: Name) -> ContractCode { all[name] ?? ContractCode() }

    /// Of one that the resource does not have: a test says that it has all.
    private init() {
        (code, slots, immutables) = ([], [:], [:])
    }

    static let all: [Name: ContractCode] = {
        // nil: a test reads the resource.
        let json = try? JSONParser.parse(Array(DexResources.sandboxContracts))
        var all: [Name: ContractCode] = [:]
        for item in json?.arrayValue ?? [] {
            guard let name = item["name"]?.stringValue.flatMap(Name.init(rawValue:)) else {
                continue
            }
            all[name] = ContractCode(item)
        }
        return all
    }()

    /// nil for anything that the script does not write.
    private init?(_ json: JSONValue) {
        guard let text = json["code"]?.stringValue, let code = Hex.bytes(text),
            case .object(let slots)? = json["slots"],
            case .object(let immutables)? = json["immutables"]
        else { return nil }
        func numbers(_ object: JSONObject) -> [String: Int] {
            Dictionary(
                object.members.compactMap { member in
                    member.value.numberText.flatMap { Int($0) }.map { (member.key, $0) }
                }
            ) { first, _ in first }
        }
        self.code = code
        self.slots = numbers(slots).mapValues { UInt256(UInt64($0)) }
        self.immutables = numbers(immutables)
    }

    /// The code as a chain holds it.
    ///
    /// - Parameter values: of the immutables; zero where none is given.
    func runtime(_ values: [String: UInt256] = [:]) -> [UInt8] {
        let size = (immutables.values.max() ?? -32) + 32
        var tail = Array(repeating: UInt8(0), count: size)
        for (name, offset) in immutables {
            tail.replaceSubrange(
                offset..<offset + 32,
                with: (values[name] ?? .zero).bigEndianBytes
            )
        }
        return code + tail
    }

    /// The slot of a variable.
    func slot(_ variable: String) -> Slot { .word(place(variable)) }

    /// The slot of a mapping's value: `keccak(position ++ key)`, key by key, as Vyper has it.
    func slot(_ variable: String, _ keys: Bytes32...) -> Slot {
        .word(
            keys.reduce(place(variable)) { place, key in
                UInt256(Keccak256.hash(place.bigEndianBytes + key.bytes))
            }
        )
    }

    /// A word of a variable that has several.
    func slot(_ variable: String, offset: UInt64) -> Slot {
        .word(place(variable) &+ UInt256(offset))
    }

    /// A word of a mapping's value that has several.
    func slot(_ variable: String, _ key: Bytes32, offset: UInt64) -> Slot {
        guard case .word(let first) = slot(variable, key) else { return slot(variable, key) }
        return .word(first &+ UInt256(offset))
    }

    /// The last word of all, which nothing else has, for a variable that is not there: a test says that
    /// all are.
    private func place(_ variable: String) -> UInt256 { slots[variable] ?? .max }
}
