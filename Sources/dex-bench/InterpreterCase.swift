import EVM
import Ethereum
import StrictJSON

/// A call in a state, as a line of `bench_cases.py` has it, and pyrevm's time for it.
struct InterpreterCase {
    let name: String
    let state: State
    let message: Message
    let price: UInt256
    let block: BlockContext
    /// It goes on until its gas is used up.
    let isEndless: Bool
    /// nil where pyrevm is not installed.
    let peer: Peer?

    struct Peer {
        let time: Duration
        let gas: UInt64
    }

    /// Asks the script for all cases, which takes some seconds.
    static func all(python: String) throws -> [InterpreterCase] {
        let words = [python, "Tests/Python/interpreter/bench_cases.py"]
        let child = try ChildProcess.run(words, keepsOutput: true)
        guard child.exitCode == 0 else { throw ChildProcessError.exited(words, child.exitCode) }
        return try child.output.split(separator: "\n").map { line in
            try InterpreterCase(Fields(value: JSONParser.parse(line.utf8)))
        }
    }

    private init(_ fields: Fields) throws {
        name = try fields.text("name")
        state = try State(fields)
        let gas = try fields.integer("gas")
        message = Message(
            sender: try Address(fields.text("from")),
            to: try Address(fields.text("to")),
            value: Wei(try fields.number("value")),
            data: try Hex.decode("0x" + fields.text("data")),
            gasLimit: gas
        )
        price = try fields.number("price")
        block = BlockContext(
            chainID: 1,
            number: 23_000_000,
            timestamp: try fields.integer("time"),
            gasLimit: 30_000_000
        )
        isEndless = fields.value["endless"]?.boolValue == true
        peer = try fields.value["peer"].map { value in
            let fields = Fields(value: value)
            return Peer(
                time: .nanoseconds(try fields.integer("nanoseconds")),
                gas: try fields.integer("gas")
            )
        }
    }

    /// A call that costs another gas than pyrevm's is another call.
    func check(_ outcome: Execution.Outcome) throws {
        let expected: Execution.Outcome.Ending = isEndless ? .failed : .succeeded
        let gas = isEndless ? message.gasLimit : peer?.gas ?? outcome.gasUsed
        guard outcome.ending == expected, outcome.gasUsed == gas else {
            throw Unexpected(
                description: "\(name) \(outcome.ending) after \(outcome.gasUsed) gas, of \(gas)"
            )
        }
    }

    /// Millions of units of gas a second, of a case that uses up all.
    func speed(_ time: Duration) -> Double {
        Double(message.gasLimit) / (time / .microseconds(1))
    }

    /// A time as it is printed.
    func figure(_ time: Duration) -> String {
        isEndless ? "\(decimals(speed(time), 0)) Mgas/s" : microseconds(time)
    }

    struct Unexpected: Error, CustomStringConvertible {
        let description: String
    }

    /// The members of a line.
    fileprivate struct Fields {
        let value: JSONValue

        func text(_ key: String) throws -> String {
            guard let text = value[key]?.stringValue else { throw missing(key) }
            return text
        }

        func integer(_ key: String) throws -> UInt64 {
            guard let text = value[key]?.numberText, let number = UInt64(text) else {
                throw missing(key)
            }
            return number
        }

        /// 0x and hexadecimal digits.
        func number(_ key: String) throws -> UInt256 {
            guard let number = UInt256(quantity: try text(key)) else { throw missing(key) }
            return number
        }

        func missing(_ key: String) -> Unexpected {
            Unexpected(description: "bench_cases.py printed no \(key) that can be read")
        }
    }

    /// Accounts in memory.
    final class State: StateReader {
        private var records: [Address: AccountRecord] = [:]
        private var codes: [Bytes32: [UInt8]] = [:]
        private var words: [Address: [UInt256: UInt256]] = [:]

        fileprivate init(_ fields: Fields) throws {
            for member in fields.value["accounts"]?.objectValue?.members ?? [] {
                try add(Address(member.key), member.value.arrayValue ?? [], fields)
            }
        }

        /// - Parameter parts: nonce, ether, code and words.
        private func add(_ address: Address, _ parts: [JSONValue], _ fields: Fields) throws {
            guard
                parts.count == 4, let nonce = parts[0].stringValue.flatMap(UInt256.init(quantity:)),
                let ether = parts[1].stringValue.flatMap(UInt256.init(quantity:)),
                let code = parts[2].stringValue, let slots = parts[3].objectValue
            else { throw fields.missing("account") }
            let bytes = try Hex.decode("0x" + code)
            let hash = Keccak256.hash(bytes)
            codes[hash] = bytes
            records[address] = AccountRecord(
                nonce: nonce.w0,
                balance: Wei(ether),
                codeHash: hash
            )
            for slot in slots.members {
                guard let key = UInt256(quantity: slot.key),
                    let word = slot.value.stringValue.flatMap(UInt256.init(quantity:))
                else { throw fields.missing("word") }
                words[address, default: [:]][key] = word
            }
        }

        func account(_ address: Address) -> Known<AccountRecord?> { .known(records[address]) }

        func code(_ hash: Bytes32) -> Known<[UInt8]> { codes[hash].map { .known($0) } ?? .unknown }

        func word(_ slot: UInt256, of address: Address) -> Known<UInt256> {
            .known(words[address]?[slot] ?? .zero)
        }
    }
}
