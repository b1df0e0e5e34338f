import StrictJSON
package import ZeroEx

/// A line of an export: `{"version":"v4","order":{...}}`, the order in the relay's wire form.
package enum OrderLine {
    /// Longer lines are no orders.
    package static let maximumBytes = 32 * 1_024
    private static let depth = 8

    /// Why a line is no order that the relay carries.
    package enum Fault: Error, Hashable, Sendable, CustomStringConvertible {
        case tooLong
        case notJSON
        case noVersion
        case otherVersion(ProtocolVersion)
        case noOrder
        case badOrder(String)

        package var description: String {
            switch self {
            case .tooLong: "The line is longer than \(OrderLine.maximumBytes) bytes"
            case .notJSON: "The line is not one JSON object"
            case .noVersion: "version is missing, or not \"v1\" or \"v4\""
            case .otherVersion(let version): "The relay does not carry 0x \(version.rawValue)"
            case .noOrder: "order is missing, or not an object"
            case .badOrder(let reason): reason
            }
        }
    }

    /// The line of an order, without its end.
    ///
    /// - Parameter body: the order in the relay's wire form, a JSON object.
    package static func text(_ version: ProtocolVersion, body: [UInt8]) -> [UInt8] {
        Array("{\"version\":\"\(version.rawValue)\",\"order\":".utf8) + body + [UInt8(ascii: "}")]
    }

    /// The order of a line; its hash is computed again, and its signature is not checked.
    package static func read(
        _ line: some Collection<UInt8>,
        _ protocols: [ProtocolVersion: any ExchangeProtocol]
    ) throws(Fault) -> (version: ProtocolVersion, order: any SignedOrder) {
        guard line.count <= maximumBytes else { throw .tooLong }
        let json = try? JSONParser.parse(Array(line), maximumDepth: depth)  // nil: not JSON
        guard let json, json.objectValue != nil else { throw .notJSON }
        guard let version = json["version"]?.stringValue.flatMap(ProtocolVersion.init) else {
            throw .noVersion
        }
        guard let codec = protocols[version] else { throw .otherVersion(version) }
        guard let body = json["order"], body.objectValue != nil else { throw .noOrder }
        do throws(OrderError) {
            return (version, try codec.decodeOrder(body))
        } catch {
            throw .badOrder("\(error)")
        }
    }
}
