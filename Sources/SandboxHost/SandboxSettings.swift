import Ethereum
import StrictJSON

/// The settings that define a sandbox's genesis and market, kept so that a restart finds the same
/// chain.
struct SandboxSettings: Hashable, Sendable {
    let seed: UInt64
    /// Seconds since 1970, rounded down to the minute.
    let start: UInt64
    /// The orders of the first pair's book; nil is the usual size.
    let orders: Int?
    /// The v4 contract's fee for each filled order, as an amount of gas.
    let protocolFee: UInt32

    static let standardSeed: UInt64 = 1

    /// The settings in a folder, or new ones if there are none.
    ///
    /// - Throws: `SandboxHostError`: unreadable, or different from the request.
    static func load(
        _ folder: SandboxFolder,
        seed: UInt64?,
        orders: Int?,
        protocolFee: UInt32? = nil,
        now: UInt64
    ) throws(SandboxHostError) -> SandboxSettings {
        guard let bytes = try SandboxFolder.read(folder.settingsFile) else {
            let settings = SandboxSettings(
                seed: seed,
                orders: orders,
                protocolFee: protocolFee,
                now: now
            )
            try SandboxFolder.replace(
                folder.settingsFile,
                with: settings.json.utf8 + [UInt8(ascii: "\n")]
            )
            return settings
        }
        let json: JSONValue
        do throws(JSONError) {
            json = try JSONParser.parse(bytes)
        } catch {
            throw .unreadable(path: folder.settingsFile, reason: error.description)
        }
        guard let found = SandboxSettings(json) else {
            throw .unreadable(path: folder.settingsFile, reason: "a member is missing or wrong")
        }
        let settings = [
            ("seed", seed.map { "\($0)" }, "\(found.seed)"),
            ("orders", orders.map { "\($0)" }, found.orders.map { "\($0)" } ?? "as usual"),
            ("protocol-fee", protocolFee.map { "\($0)" }, "\(found.protocolFee)"),
        ]
        for case (let name, let asked?, let found) in settings where asked != found {
            throw .otherSettings(name: name, found: found, asked: asked)
        }
        return found
    }

    init(seed: UInt64?, orders: Int?, protocolFee: UInt32? = nil, now: UInt64) {
        self.protocolFee = protocolFee ?? 0
        self.seed = seed ?? Self.standardSeed
        self.orders = orders
        start = now - now % 60
    }

    private init?(_ json: JSONValue) {
        guard let seed = json["seed"]?.stringValue.flatMap(UInt64.init),
            let start = json["start"]?.numberText.flatMap(UInt64.init),
            start < 1 << 40
        else { return nil }
        if let orders = json["orders"], !orders.isNull {
            guard let count = orders.numberText.flatMap({ Int($0) }),
                (0...SandboxMarket.maximumOrders).contains(count)
            else { return nil }
            self.orders = count
        } else {
            orders = nil
        }
        guard let protocolFee = json["protocolFee"]?.numberText.flatMap(UInt32.init) else {
            return nil
        }
        self.protocolFee = protocolFee
        self.seed = seed
        self.start = start
    }

    private var json: JSONValue {
        [
            "seed": .string(String(seed)),
            "start": .integer(start),
            "orders": orders.map { .integer($0) } ?? .null,
            "protocolFee": .integer(protocolFee),
        ]
    }
}
