import DexCore
import Ethereum
import PrivateFiles
import StrictJSON
import ZeroEx

/// A sandbox with a book of a given size in a temporary folder, run by the binary.
struct BenchmarkSandbox {
    let binary: String
    private let folder: TemporaryHome
    /// nil is the sandbox's usual book.
    private let orders: Int?
    private(set) var rpc = ""
    /// The address of the first account.
    private(set) var account = ""
    /// The base address of the relay's API for each network.
    private var relays: [String: String] = [:]

    var home: String { folder.path }

    /// Starts the sandbox and waits until it answers.
    init(binary: String, orders: Int?) throws {
        self.binary = binary
        self.orders = orders
        folder = try TemporaryHome()
        try start()
    }

    private mutating func start() throws {
        let arguments =
            [
                binary, "sandbox", "up", "--detach", "--rpc-port", "0", "--relay-port", "0",
                "--json",
            ] + (orders.map { ["--orders", String($0)] } ?? [])
        let child = try ChildProcess.run(
            arguments,
            environment: ["DEX_HOME": folder.path, "DEX_NETWORK": "sandbox"],
            keepsOutput: true
        )
        guard child.exitCode == 0 else {
            throw ChildProcessError.exited(arguments, child.exitCode)
        }
        rpc = try JSONValue.data("rpcUrl", of: child.output).stringValue ?? ""
        account =
            try JSONValue.data("accounts", of: child.output).arrayValue?.first?["address"]?
            .stringValue ?? ""
        let networks = try JSONValue.data("networks", of: child.output).arrayValue ?? []
        relays = networks.reduce(into: [:]) { relays, network in
            guard let name = network["name"]?.stringValue else { return }
            relays[name] = network["relay"]?.stringValue
        }
    }

    /// The sandbox's network of a protocol version.
    func network(_ version: ProtocolVersion) throws -> Network {
        let bundled = try NetworkCatalog.bundled().first {
            $0.isSandbox && $0.protocolVersion == version
        }
        guard var network = bundled, let relay = relays[network.name] else {
            throw NoNetwork(version: version)
        }
        network.rpc = [rpc]
        network.relay = relay
        return network
    }

    /// Adds a network with this chain and relay, and mainnet's time of a block.
    func addSlowNetwork(_ name: String) throws {
        let network = try network(.v1)
        let lines = [
            ("chain_id", "1337"), ("block_time", "12"), ("rpc", "[\"\(rpc)\"]"),
            ("relay", "\"\(network.relay ?? "")\""),
            ("exchange", "\"\(network.exchange.checksummed)\""),
        ]
        let text = lines.map { "\($0) = \($1)\n" }.joined()
        try PrivateFiles.replace(
            "\(home)/config.toml",
            with: Array("[networks.\(name)]\n\(text)".utf8)
        )
    }

    /// Runs a command of the binary against this sandbox.
    func run(_ arguments: [String], keepsOutput: Bool = false) throws -> ChildProcess {
        try ChildProcess.run(
            [binary] + arguments,
            environment: ["DEX_HOME": home, "DEX_NETWORK": "sandbox"],
            keepsOutput: keepsOutput
        )
    }

    /// Removes the signature cache, so that the next command verifies again.
    func forgetSignatures() throws {
        _ = try ChildProcess.run(["/bin/rm", "-rf", "\(home)/cache"])
    }

    /// Copies the relay's orders to these files, for which the sandbox is started again.
    mutating func copyOrders(to paths: [String]) throws {
        _ = try run(["sandbox", "down"])
        for path in paths {
            let copy = ["/bin/cp", "\(home)/sandbox/relay.sqlite", path]
            let child = try ChildProcess.run(copy)
            guard child.exitCode == 0 else { throw ChildProcessError.exited(copy, child.exitCode) }
        }
        try start()
    }

    /// The number of the chain's latest block, as its node names it.
    func height() throws -> String {
        let port = rpc.split(separator: ":").last.flatMap { UInt16($0) } ?? 0
        let question = #"{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}"#
        let answer = try Loopback.exchange("POST /", body: question, port: port)
        return try JSONParser.parse(answer.body)["result"]?.stringValue ?? ""
    }

    /// The address of a named account.
    func address(of account: String) throws -> Address {
        let status = try run(["balance", "--wallet", account, "--json"], keepsOutput: true)
        return try Address(try JSONValue.data("account", of: status.output).stringValue ?? "")
    }

    /// Stops the sandbox and removes its folder.
    func stop() throws {
        _ = try run(["sandbox", "down"])
        try folder.remove()
    }
}

/// The sandbox has no network of a protocol.
struct NoNetwork: Error, CustomStringConvertible {
    let version: ProtocolVersion

    var description: String { "The sandbox has no network for 0x \(version)." }
}
