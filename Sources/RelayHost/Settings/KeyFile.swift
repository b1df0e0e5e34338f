package import DexCore
package import DexRelay
import Ethereum
import PrivateFiles
package import StrictJSON

/// The keys of clients in a file, one JSON object a line: for a relay on SQLite.
///
/// `{"name":"maker","sha256":"0x...","at":1700000000,"postsPerSecond":50}`. It stands beside
/// relay.toml and has no key in it.
package struct KeyFile: Sendable {
    package let path: String

    private static let mostBytes = 1 << 20

    /// - Parameter settings: the path of relay.toml; `a.toml` has `a-keys.jsonl`.
    package init(settings: String) {
        let base = settings.hasSuffix(".toml") ? String(settings.dropLast(5)) : settings
        path = base + "-keys.jsonl"
    }

    /// What changes with the file; nil if there is none.
    var identity: PrivateFiles.Identity? { PrivateFiles.identity(path) }

    /// The keys, in the order of the file; none if there is no file.
    ///
    /// - Throws: `DexError`, exit 3: with the line that is none, or if another user could have
    ///   written the file.
    package func keys() throws(DexError) -> [RelayKey] {
        let content = try reported(
            PrivateFiles.Failure.self,
            try PrivateFiles.read(path, limit: Self.mostBytes)
        )
        guard let content else { return [] }
        guard !PrivateFiles.isAlterable(path) else {
            throw DexError(RelaySettingsError.alterable(path: path))
        }
        var keys: [RelayKey] = []
        for (index, line) in content.split(
            separator: UInt8(ascii: "\n"),
            omittingEmptySubsequences: false
        ).enumerated() where !line.isEmpty {
            let key = RelayKey(line: line)
            guard let key, !keys.contains(where: { $0.name == key.name }) else {
                throw DexError(
                    RelaySettingsError.malformed(
                        path: path,
                        line: index + 1,
                        what: "this is not a client as dex relay key writes it, or there twice",
                        hint: "Remove the line; add the client again with dex relay key add"
                    )
                )
            }
            keys.append(key)
        }
        return keys
    }

    /// Replaces the keys by what a change makes of them.
    ///
    /// - Returns: what the change returns.
    /// - Throws: `DexError`, exit 3, also if the file cannot be read as a whole.
    func change<Result>(
        _ change: (inout [RelayKey]) throws(DexError) -> Result
    ) throws(DexError) -> Result {
        let lock: ExclusiveLock?
        do throws(PrivateFiles.Failure) {
            lock = try ExclusiveLock("\(path)-lock")
        } catch {
            throw DexError(error)
        }
        guard let lock else { throw DexError(RelaySettingsError.moderationBusy(path: path)) }
        var keys = try keys()
        let result = try change(&keys)
        let content = keys.flatMap { $0.line.utf8 + [UInt8(ascii: "\n")] }
        do throws(PrivateFiles.Failure) {
            // A service of another user reads it, as it reads relay.toml.
            try PrivateFiles.replace(path, with: content, for: .everyone)
        } catch {
            throw DexError(error)
        }
        // Held until the file is written.
        withExtendedLifetime(lock) {}
        return result
    }
}

extension RelayKey {
    private static let depth = 2
    private static let limitNames: [(String, any WritableKeyPath<Limits, Int?> & Sendable)] = [
        ("requestsPerHour", \.requestsPerHour), ("postsPerSecond", \.postsPerSecond),
        ("postBurst", \.postBurst), ("subscriptionsPerSecond", \.subscriptionsPerSecond),
    ]

    fileprivate init?(line: some Collection<UInt8>) {
        let parsed = try? JSONParser.parse(Array(line), maximumDepth: Self.depth)  // nil: not JSON
        guard let json = parsed, let name = json["name"]?.stringValue, Self.isName(name),
            let digest = json["sha256"]?.stringValue.flatMap({ Bytes32(ifHex: $0) }),
            let time = json["at"]?.numberText.flatMap({ UInt64($0) })
        else { return nil }
        var limits = Limits()
        for (key, path) in Self.limitNames {
            guard let value = json[key], value != .null else { continue }
            guard let limit = value.numberText.flatMap({ Int($0) }),
                (0...Self.largestLimit).contains(limit)
            else { return nil }
            limits[keyPath: path] = limit
        }
        self.init(name: name, digest: digest.bytes, addedAt: time, limits: limits)
    }

    /// As it stands in the file.
    fileprivate var line: JSONValue {
        var object = JSONObject()
        object["name"] = .string(name)
        object["sha256"] = Bytes32(bytes: digest).map { .string($0.hex) }
        object["at"] = .number(String(addedAt))
        for (key, path) in Self.limitNames {
            object[key] = limits[keyPath: path].map { .integer($0) }
        }
        return .object(object)
    }

    /// What may be shown of it; null is the limit that an address has, 0 is no limit.
    package var json: JSONValue {
        var object = JSONObject()
        object["name"] = .string(name)
        object["at"] = .number(String(addedAt))
        for (key, path) in Self.limitNames {
            object[key] = limits[keyPath: path].map { .integer($0) } ?? .null
        }
        return .object(object)
    }
}
