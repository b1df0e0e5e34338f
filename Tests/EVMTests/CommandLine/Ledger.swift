import DexTestSupport
import Ethereum
import StrictJSON
import Testing
import ZeroEx

/// What everybody owns and has approved, asked of the EVM itself.
struct Ledger: Sendable {
    /// The block at which it was read.
    let block: Int
    /// Base units by "alice ZRX", "alice ZRX allowance" and "alice ETH".
    let holdings: [String: Int128]

    /// What changed from one to the other; what did not is left out.
    func changes(since before: Ledger) -> [String: Int128] {
        var changes: [String: Int128] = [:]
        for (name, amount) in holdings {
            let change = amount - (before.holdings[name] ?? 0)
            if change != 0 { changes[name] = change }
        }
        return changes
    }
}

/// A transaction as the EVM mined it.
struct MinedTransaction: Sendable {
    let hash: String
    let sender: Address
    let block: Int
    let succeeded: Bool
    let gasUsed: Int128
    /// Wei a gas, the tip among it.
    let price: Int128
    /// Of the block, in wei a gas.
    let baseFee: Int128

    var cost: Int128 { gasUsed * price }
}

extension EVMStage {
    /// Everything that everybody has now: traders, the relay, the block's producer, and the
    /// contracts.
    func ledger() throws -> Ledger {
        var names: [String] = []
        var calls: [(String, [JSONValue])] = []
        func ask(_ name: String, _ method: String, _ parameters: JSONValue...) {
            names.append(name)
            calls.append((method, parameters + ["latest"]))
        }
        func call(_ token: EVMToken, _ data: [UInt8]) -> JSONValue {
            ["to": .string(token.address.checksummed), "data": .string(Hex.encode(data))]
        }
        let contracts = scene.venue.contracts
        var owners = try Party.allCases.map { ($0.rawValue, try $0.address) }
        owners += scene.venue.accounts.map { ($0.name, $0.address) }
        owners += scene.swap?.accounts.map { ($0.name, $0.address) } ?? []
        owners += try scene.uniswap?.accounts ?? []
        owners += scene.tokens.map { ("\($0.symbol) contract", $0.address) }
        var spenders: [(name: String, address: Address)] = []
        if scene.swap != nil {
            spenders += SwapScene.Spender.allCases.map { ($0.rawValue, $0.address) }
        }
        if scene.uniswap != nil {
            spenders += [("router", PoolScene.router), ("v2 router", PoolScene.v2Router)]
        }
        for (name, owner) in owners {
            ask("\(name) ETH", "eth_getBalance", .string(owner.checksummed))
            for token in scene.tokens {
                ask("\(name) \(token.symbol)", "eth_call", call(token, ERC20.balanceOf(owner)))
                let allowance = ERC20.allowance(
                    owner: owner,
                    spender: contracts.transferContract
                )
                ask("\(name) \(token.symbol) allowance", "eth_call", call(token, allowance))
                for spender in spenders {
                    let data = ERC20.allowance(owner: owner, spender: spender.address)
                    let title = "\(name) \(token.symbol) \(spender.name) allowance"
                    ask(title, "eth_call", call(token, data))
                }
            }
        }
        let answers = try node.calls([("eth_blockNumber", [])] + calls)
        var holdings: [String: Int128] = [:]
        for (name, answer) in zip(names, answers.dropFirst()) {
            holdings[name] = try answer.word()
        }
        return Ledger(block: Int(try answers[0].quantity()), holdings: holdings)
    }

    /// The transactions in all blocks behind a ledger's.
    func mined(since before: Ledger) throws -> [MinedTransaction] {
        let head = Int(try node.call("eth_blockNumber").quantity())
        guard head > before.block else { return [] }
        var mined: [MinedTransaction] = []
        for number in (before.block + 1)...head {
            let block = try node.call(
                "eth_getBlockByNumber",
                .string("0x" + String(number, radix: 16)),
                false
            )
            for hash in try block.list("transactions") {
                let receipt = try node.call("eth_getTransactionReceipt", hash)
                mined.append(
                    MinedTransaction(
                        hash: try hash.text(""),
                        sender: try Address(lenient: receipt.text("from")),
                        block: number,
                        succeeded: receipt.at("status") == "0x1",
                        gasUsed: try receipt.at("gasUsed").quantity(),
                        price: try receipt.at("effectiveGasPrice").quantity(),
                        // Without one all of the price is the tip.
                        baseFee: block.at("baseFeePerGas").isNull
                            ? 0 : try block.at("baseFeePerGas").quantity()
                    )
                )
            }
        }
        return mined
    }

    /// Checks to the last base unit what changed on chain since a ledger: the tokens as told, and
    /// ether by what each transaction's gas cost.
    ///
    /// What `dex` said that it sent must be all that its accounts did send, with the same gas and
    /// cost.
    ///
    /// - Parameters:
    ///   - changes: base units by "alice ZRX"; of ether without what gas cost.
    ///   - runs: of `dex`, in order.
    func expect(
        _ changes: [String: Int128],
        since before: Ledger,
        by runs: CommandRun...,
        location: SourceLocation = #_sourceLocation
    ) throws {
        let after = try ledger()
        let mined = try mined(since: before)
        var expected = changes.filter { $0.value != 0 }
        for transaction in mined {
            let sender = try #require(
                try Party.allCases.first { try $0.address == transaction.sender },
                sourceLocation: location
            )
            expected["\(sender.rawValue) ETH", default: 0] -= transaction.cost
            let tip = transaction.price - transaction.baseFee
            if tip > 0 { expected["coinbase ETH", default: 0] += transaction.gasUsed * tip }
        }
        #expect(after.changes(since: before) == expected, sourceLocation: location)
        let reported = try runs.flatMap { try $0.minedTransactions() }
        let senders = Set(runs.compactMap(\.account))
        let sent = mined.filter { transaction in
            reported.contains { $0.hash == transaction.hash }
                || (senders.contains(transaction.sender) && !isOthers(transaction.hash))
        }
        #expect(reported == sent.map(CommandRun.Sent.init), sourceLocation: location)
    }
}

extension EVMStage {
    /// The gas limit of a transaction, by the node.
    func gasLimit(of hash: String) throws -> Int128 {
        try node.call("eth_getTransactionByHash", .string(hash)).at("gas").quantity()
    }

    /// The type of a transaction and how many slots its access list has.
    func kind(of hash: String) throws -> (type: JSONValue, slots: Int) {
        let transaction = try node.call("eth_getTransactionByHash", .string(hash))
        let list = transaction.at("accessList").arrayValue ?? []
        let slots = list.reduce(0) { $0 + ($1.at("storageKeys").arrayValue?.count ?? 0) }
        return (transaction.at("type"), slots)
    }

    /// What the exchange itself has of an order, in taker token base units.
    ///
    /// - Parameter name: `filled` or `cancelled`.
    func amount(_ name: String, of hash: String) throws -> Int128 {
        let selector = Keccak256.hash("\(name)(bytes32)".utf8).hex.prefix(10)
        let answer = try node.call(
            "eth_call",
            [
                "to": .string(contracts.exchange.checksummed),
                "data": .string("\(selector)\(hash.dropFirst(2))"),
            ],
            "latest"
        )
        return try answer.word()
    }
}

extension JSONValue {
    /// The number in a word of call data.
    func word(_ location: SourceLocation = #_sourceLocation) throws -> Int128 {
        let digits = stringValue?.dropFirst(2).drop { $0 == "0" } ?? ""
        return try JSONValue.string("0x\(digits.isEmpty ? "0" : digits)").quantity(location)
    }
}
