import Ethereum
import StrictJSON

extension FeeRules {
    /// The `fees` of a network in Resources/networks.json; nil if a value is not readable or not
    /// known.
    ///
    /// Prices are texts of wei per gas. What is left out is as on Ethereum.
    init?(_ json: JSONValue?) {
        self.init()
        guard let json else { return }
        guard let members = json.objectValue?.members else { return nil }
        for member in members {
            guard read(member.value, of: member.key) else { return nil }
        }
    }

    private mutating func read(_ json: JSONValue, of key: String) -> Bool {
        switch key {
        case "market": Self.set(&market, json.stringValue.flatMap(Market.init))
        case "charged": Self.set(&charged, json.stringValue.flatMap(Charge.init))
        case "rollupFee": Self.set(&rollupFee, json.stringValue.flatMap(RollupFee.init))
        case "paidIn": Self.set(&paidIn, json.stringValue.flatMap(Payment.init))
        case "leastBaseFee": Self.set(&minimumBaseFee, Self.wei(json))
        case "leastTip": Self.set(&minimumTip, Self.wei(json))
        case "leastCapPercent": Self.set(&minimumCapPercent, Self.number(json))
        case "gasCap": Self.set(&gasCap, Self.number(json))
        case "reserve": Self.set(&reserve, Self.wei(json))
        case "blockBytes": Self.set(&blockBytes, Self.number(json).flatMap { $0 > 0 ? $0 : nil })
        case "mostWaiting":
            Self.set(&maximumWaiting, Self.number(json).flatMap { $0 > 0 ? $0 : nil })
        case "bridge": Self.set(&bridge, json.stringValue.flatMap(Address.init(ifValid:)))
        default: false
        }
    }

    private static func set<Value>(_ place: inout Value, _ value: Value?) -> Bool {
        guard let value else { return false }
        place = value
        return true
    }

    private static func set<Value>(_ place: inout Value?, _ value: Value?) -> Bool {
        guard let value else { return false }
        place = value
        return true
    }

    private static func wei(_ json: JSONValue) -> Wei? {
        json.stringValue.flatMap { UInt64($0) }.map { Wei(UInt256($0)) }
    }

    private static func number(_ json: JSONValue) -> UInt64? {
        json.numberText.flatMap { UInt64($0) }
    }
}
