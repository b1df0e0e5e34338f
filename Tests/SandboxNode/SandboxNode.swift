import DexSandbox
import Ethereum
import EthereumWallet
import Foundation
import StrictJSON

/// A node of the sandbox's chain for tests, in a process of its own, so that a test may wait for it with
/// all threads of its own process.
///
/// It reads one line of JSON, the first state that `nodes.py` of Tests/Python/evm makes, prints
/// `{"url"}` once it listens on this machine, and ends when its standard input does.
@main
struct SandboxNode {
    static func main() async throws {
        guard let line = readLine() else { return }
        let genesis = try Genesis(state: try JSONParser.parse(text: line))
        let chain = try SandboxChain(
            genesis: genesis,
            configuration: ChainConfiguration(
                now: { UInt64(Date().timeIntervalSince1970) },
                recoverer: Secp256k1()
            )
        )
        // Ends the process, whatever it is at.
        Thread.detachNewThread {
            while readLine() != nil {}
            exit(0)
        }
        try await ChainServer(chain: chain).run { port in
            let line = (["url": .string("http://127.0.0.1:\(port)")] as JSONValue).text + "\n"
            FileHandle.standardOutput.write(Data(line.utf8))
        }
    }
}

/// The state that was sent is none.
struct BadState: Error, CustomStringConvertible {
    let member: String

    var description: String { "the state's \(member) cannot be read" }
}

extension Genesis {
    /// A chain whose block 0 has these accounts and no others.
    init(state: JSONValue) throws {
        func number(_ json: JSONValue, _ name: String) throws -> UInt256 {
            guard let text = json[name]?.stringValue, let number = UInt256(decimal: text) else {
                throw BadState(member: name)
            }
            return number
        }
        func small(_ json: JSONValue, _ name: String) throws -> UInt64 {
            guard let number = try number(json, name).uint64 else { throw BadState(member: name) }
            return number
        }
        func address(_ json: JSONValue, _ name: String) throws -> Address {
            guard let text = json[name]?.stringValue else { throw BadState(member: name) }
            return try Address(lenient: text)
        }
        guard let accounts = state["accounts"]?.arrayValue else {
            throw BadState(member: "accounts")
        }
        let contracts = try accounts.map { account in
            guard let code = account["code"]?.stringValue.flatMap(Hex.bytes) else {
                throw BadState(member: "code")
            }
            var storage: [UInt256: UInt256] = [:]
            for member in account["storage"]?.objectValue?.members ?? [] {
                guard let slot = Hex.bytes(member.key).flatMap({ UInt256(bigEndian: $0) }),
                    let word = member.value.stringValue.flatMap(Hex.bytes)
                        .flatMap({ UInt256(bigEndian: $0) })
                else { throw BadState(member: "storage") }
                storage[slot] = word
            }
            return GenesisContract(
                address: try address(account, "address"),
                code: code,
                storage: storage,
                ether: Wei(try number(account, "balance")),
                nonce: try small(account, "nonce")
            )
        }
        self.init(
            chainID: try small(state, "chainId"),
            timestamp: try small(state, "timestamp"),
            coinbase: try address(state, "coinbase"),
            exchange: .zero,
            transferProxy: .zero,
            feeToken: .zero,
            accounts: contracts.filter(\.code.isEmpty).map {
                GenesisAccount(address: $0.address, ether: $0.ether, nonce: $0.nonce)
            },
            contracts: contracts.filter { !$0.code.isEmpty }
        )
        blockGasLimit = try small(state, "gasLimit")
        baseFeePerGas = try small(state, "baseFeePerGas")
        hasExchanges = false
    }
}
