import Ethereum
import Glibc
import StrictJSON

/// A running sandbox as it tells about itself in state.json.
package struct SandboxState: Hashable, Sendable {
    package let pid: Int32
    /// The node's URL.
    package let rpc: String
    /// The relay's base URL, with its `/v0`.
    package let relay: String
    package let chainID: UInt64
    package let seed: UInt64
    /// Seconds since 1970.
    package let startedAt: UInt64
    package let accounts: [SandboxAccounts.Account]

    package init(
        pid: Int32,
        rpc: String,
        relay: String,
        chainID: UInt64,
        seed: UInt64,
        startedAt: UInt64,
        accounts: [SandboxAccounts.Account]
    ) {
        self.pid = pid
        self.rpc = rpc
        self.relay = relay
        self.chainID = chainID
        self.seed = seed
        self.startedAt = startedAt
        self.accounts = accounts
    }

    /// The sandbox that runs in a folder (`Home.sandbox`); nil where none does, also where one
    /// died and left its file behind.
    ///
    /// - Throws: `SandboxHostError` where the file cannot be read.
    package static func read(_ folder: SandboxFolder) throws(SandboxHostError) -> SandboxState? {
        guard let bytes = try SandboxFolder.read(folder.stateFile), folder.isInUse else {
            return nil
        }
        let json: JSONValue
        do throws(JSONError) {
            json = try JSONParser.parse(bytes)
        } catch {
            throw .unreadable(path: folder.stateFile, reason: error.description)
        }
        guard let state = SandboxState(json) else {
            throw .unreadable(path: folder.stateFile, reason: "a member is missing or wrong")
        }
        return state
    }

    /// Writes the file, whole, for its owner only.
    func write(to folder: SandboxFolder) throws(SandboxHostError) {
        try SandboxFolder.replace(folder.stateFile, with: json.utf8 + [UInt8(ascii: "\n")])
    }

    private var json: JSONValue {
        [
            "pid": .integer(pid),
            "rpc": .string(rpc),
            "relay": .string(relay),
            "chainId": .integer(chainID),
            "seed": .string(String(seed)),
            "startedAt": .integer(startedAt),
            "accounts": .array(
                accounts.map {
                    ["name": .string($0.name), "address": .string($0.address.checksummed)]
                }
            ),
        ]
    }

    private init?(_ json: JSONValue) {
        guard let pid = json["pid"]?.numberText.flatMap(Int32.init), pid > 0,
            let rpc = json["rpc"]?.stringValue, let relay = json["relay"]?.stringValue,
            let chainID = json["chainId"]?.numberText.flatMap(UInt64.init),
            let seed = json["seed"]?.stringValue.flatMap(UInt64.init),
            let startedAt = json["startedAt"]?.numberText.flatMap(UInt64.init),
            let list = json["accounts"]?.arrayValue
        else { return nil }
        self.pid = pid
        self.rpc = rpc
        self.relay = relay
        self.chainID = chainID
        self.seed = seed
        self.startedAt = startedAt
        accounts = list.compactMap { item in
            guard let name = item["name"]?.stringValue,
                let text = item["address"]?.stringValue, let address = try? Address(text)
            else { return nil }
            return SandboxAccounts.Account(name: name, address: address)
        }
        guard accounts.count == list.count else { return nil }
    }
}
