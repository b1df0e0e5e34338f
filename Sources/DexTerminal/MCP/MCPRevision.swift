import DexCore
package import StrictJSON

/// The way in which a request is answered: decided for each one, since a client may speak both.
///
/// Sources: https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle, and the same
/// of 2026-07-28, where no handshake is left.
package enum MCPRevision: Equatable, Sendable {
    /// Begun by `initialize`.
    case legacy
    /// Each request says what it speaks.
    case modern

    package static let modernVersions = ["2026-07-28"]
    /// The newest first.
    package static let legacyVersions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]

    private static let prefix = "io.modelcontextprotocol/"
    private static let version = prefix + "protocolVersion"
    private static let capabilities = prefix + "clientCapabilities"

    /// - Throws: `MCPFault` of a modern request without what it must have.
    package init(_ params: JSONObject) throws(MCPFault) {
        guard let meta = params["_meta"] else {
            self = .legacy
            return
        }
        guard let meta = meta.objectValue else { throw .parameters("params._meta is no object.") }
        guard let version = meta[Self.version] else {
            self = .legacy
            return
        }
        guard let version = version.stringValue else {
            throw .parameters("params._meta[\"\(Self.version)\"] is no string.")
        }
        guard Self.modernVersions.contains(version) else { throw .version(version) }
        guard meta[Self.capabilities]?.objectValue != nil else {
            throw .parameters(
                "params._meta is missing the required envelope key(s): \(Self.capabilities)"
            )
        }
        self = .modern
    }

    /// What the client of a modern request calls itself; nil if it does not say so there.
    package static func client(_ params: JSONObject) -> String? {
        params["_meta"]?[prefix + "clientInfo"].map { clientName($0) }
    }

    /// The name in what a client says of itself, for a person to read; empty without one.
    package static func clientName(_ about: JSONValue?) -> String {
        PlainText.clean(about?["name"]?.stringValue ?? "", limit: 40)
    }

    /// The answer to a version that a client's handshake names: its own, or our newest.
    package static func agreed(_ asked: String) -> String {
        legacyVersions.contains(asked) ? asked : legacyVersions[0]
    }

    /// A result with what each modern one has.
    package func result(_ body: KeyValuePairs<String, JSONValue>, server: JSONValue) -> JSONValue {
        var object = JSONObject()
        if self == .modern { object["resultType"] = "complete" }
        for (key, value) in body { object[key] = value }
        if self == .modern { object["_meta"] = [Self.prefix + "serverInfo": server] }
        return .object(object)
    }

    /// The same of a result that may be kept for an hour by the same user.
    package func kept(_ body: KeyValuePairs<String, JSONValue>, server: JSONValue) -> JSONValue {
        guard self == .modern else { return result(body, server: server) }
        var object = JSONObject()
        object["resultType"] = "complete"
        for (key, value) in body { object[key] = value }
        object["ttlMs"] = 3_600_000
        object["cacheScope"] = "private"
        object["_meta"] = [Self.prefix + "serverInfo": server]
        return .object(object)
    }
}
