package import DexCore
package import DexRelay
import Ethereum
import PrivateFiles
import StrictJSON

/// The keys of clients in a file, one JSON object a line: for a relay on SQLite.
///
/// `{"name":"maker","sha256":"0x...","at":1700000000,"postsPerSecond":50}`. It stands beside
/// relay.toml and has no key in it.
package struct KeyFile: Sendable {
    private let file: OperatorFile

    /// - Parameter settings: the path of relay.toml; `a.toml` has `a-keys.jsonl`.
    package init(settings: String) {
        file = OperatorFile(beside: settings, suffix: "-keys.jsonl", maximumBytes: 1 << 20)
    }

    package var path: String { file.path }

    /// What changes with the file; nil if there is none.
    var identity: PrivateFiles.Identity? { file.identity }

    /// The keys, in the order of the file; none if there is no file.
    ///
    /// - Throws: `DexError`, exit 3: with the line that is none, or if another user could have
    ///   written the file.
    package func keys() throws(DexError) -> [RelayKey] {
        var keys: [RelayKey] = []
        try file.readLines(
            of: file.content(),
            what: "this is not a client as dex relay key writes it, or there twice",
            hint: "Remove the line; add the client again with dex relay key add"
        ) { line in
            guard let key = RelayKey(line: line), !keys.contains(where: { $0.name == key.name })
            else { return false }
            keys.append(key)
            return true
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
        try file.replace { () throws(DexError) in
            var keys = try keys()
            let result = try change(&keys)
            return (keys.flatMap { $0.line.utf8 + [UInt8(ascii: "\n")] }, result)
        }
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
}
