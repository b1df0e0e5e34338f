import Ethereum
import StrictJSON
import ZeroEx

extension SequenceRunner {
    private static let callGas: UInt64 = 3_000_000

    /// Compares what eth_call and eth_estimateGas say of a block's first call before it is made.
    mutating func compareCalls(of block: PlannedBlock) async throws {
        guard let call = block.calls.first else { return }
        let answer = try await both([
            Question("eth_call", request(call, gas: Self.callGas), "latest")
        ])[0]
        report.count("eth_call")
        report.compare(
            "eth_call of \(call.kind) with \(Hex.encode(call.data)) from "
                + world.traders[call.sender].name,
            sandbox: outcome(answer.sandbox),
            evm: outcome(answer.evm)
        )
        count(answer.evm.error)
        // An estimate is a dozen calls for the EVM.
        guard sequence.seed % 4 == 0, block.timestamp == sequence.blocks[0].timestamp else {
            return
        }
        let estimates = try await both([
            Question("eth_estimateGas", request(call, gas: Self.callGas))
        ])[0]
        report.count("eth_estimateGas")
        let place = "eth_estimateGas of \(call.kind) with \(Hex.encode(call.data))"
        guard let mine = try? estimates.sandbox.quantity().uint64,
            let theirs = try? estimates.evm.quantity().uint64
        else {
            report.compare(
                place,
                sandbox: estimates.sandbox.error != nil,
                evm: estimates.evm.error != nil
            )
            return
        }
        // The EVM's node ends its search within 1.5 %, as geth does.
        if theirs < mine || theirs - mine > mine * 15 / 1_000 {
            report.differences.append("\(place): the sandbox says \(mine), the EVM \(theirs)")
        }
    }

    /// Counts a typed revert of v4 by its name.
    private mutating func count(_ error: JSONValue?) {
        guard let data = (try? error?["data"]?.stringValue.map(Hex.decode)) ?? nil,
            data.count >= 4
        else { return }
        let selector = data.prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        guard let kind = ExchangeRevertV4.Kind(selector: selector) else { return }
        report.count("revert \(kind)")
    }

    /// What a call did: its answer, the data of its revert, or that it burnt all gas.
    private func outcome(_ answer: Answer) -> String {
        if let result = answer.result { return "answer \(result.text)" }
        guard let error = answer.error, error["code"]?.text == "3" else { return "all gas burnt" }
        return "revert \(error["message"]?.text ?? "") \(error["data"]?.text ?? "")"
    }

    // MARK: State

    /// Compares what the sequence has left behind.
    mutating func compareState() async throws {
        var names: [String] = []
        var questions: [Question] = []
        func ask(_ name: String, _ question: Question) {
            names.append(name)
            questions.append(question)
        }
        func call(_ name: String, _ to: Address, _ data: [UInt8]) {
            let request: JSONValue = [
                "to": .string(to.lowercaseHex), "data": .string(Hex.encode(data)),
            ]
            ask(name, Question("eth_call", request, "latest"))
        }
        let owners = world.traders.map(\.address) + [World.feeRecipient, World.nobody]
        let contracts = [World.exchange, World.proxy, World.exchangeProxy]
        var allowances = sequence.allowances
        for token in sequence.tokens {
            for trader in world.traders {
                allowances.insert(
                    PlannedAllowance(token: token, owner: trader.address, spender: World.proxy)
                )
            }
            for owner in owners + contracts {
                call("balance of \(owner) in \(token)", token, ERC20.balanceOf(owner))
            }
            call("supply of \(token)", token, ERC20.call("totalSupply()"))
        }
        for item in allowances.sorted(by: { "\($0)" < "\($1)" }) {
            call(
                "allowance of \(item.owner) for \(item.spender) in \(item.token)",
                item.token,
                ERC20.allowance(owner: item.owner, spender: item.spender)
            )
        }
        for order in sequence.orders {
            let hash = OrderHash(order)
            call("filled of \(order)", World.exchange, ExchangeCallV1.filled(hash).data)
            call("cancelled of \(order)", World.exchange, ExchangeCallV1.cancelled(hash).data)
        }
        for question in sequence.questions { call(question.name, question.to, question.data) }
        let others = [World.weth, World.dai, World.coinbase] + sequence.wallets
        for account in owners + contracts + others {
            let parameter = JSONValue.string(account.lowercaseHex)
            ask("nonce of \(account)", Question("eth_getTransactionCount", parameter, "latest"))
            ask("ether of \(account)", Question("eth_getBalance", parameter, "latest"))
        }
        for (name, answer) in zip(names, try await both(questions)) {
            report.compare(name, sandbox: answer.sandbox.json.text, evm: answer.evm.json.text)
        }
        report.count("state")
        try await compareLogs()
    }

    /// Compares what two filters of eth_getLogs find.
    private mutating func compareLogs() async throws {
        let maker = world.traders[Int(sequence.seed % 5)].address.word.hex
        let filters: [JSONValue] = [
            [
                "fromBlock": "0x0", "toBlock": "latest",
                "address": .string(sequence.exchange.lowercaseHex),
            ],
            ["fromBlock": "0x1", "toBlock": "latest", "topics": [.null, [.string(maker)]]],
        ]
        for answer in try await both(filters.map { Question("eth_getLogs", $0) }) {
            let mine = answer.sandbox.result?.arrayValue?.map(place)
            let theirs = answer.evm.result?.arrayValue?.map(place)
            report.compare("eth_getLogs", sandbox: mine, evm: theirs)
            if mine?.isEmpty == false { report.count("eth_getLogs with logs") }
        }
    }

    private func place(_ log: JSONValue) -> String {
        "\(log["transactionHash"]?.text ?? "") \(log["logIndex"]?.text ?? "")"
    }
}
