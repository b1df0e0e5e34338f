import Ethereum

/// The functions that change the exchange's state: single orders and loops over orders.
extension ExchangeContract {
    /// An order whose eleven words are the first arguments.
    func singleOrder(_ data: CalldataReader) -> ExchangeOrder {
        ExchangeOrder(data, addresses: 4, values: 4 + 5 * 32, exchange: address)
    }

    func fillOrder(_ data: CalldataReader) throws(CallFailure) -> [UInt8] {
        try execution.charge(.fillEntry)
        return Words.number(
            try fill(
                singleOrder(data),
                amount: data.number(11),
                throwing: data.flag(12),
                signature: CalldataSignature(
                    data.argument(13),
                    data.argument(14),
                    data.argument(15)
                )
            )
        )
    }

    func fillOrKillOrder(_ data: CalldataReader) throws(CallFailure) -> [UInt8] {
        try execution.charge(.fillOrKillEntry)
        let amount = data.number(11)
        let filled = try fill(
            singleOrder(data),
            amount: amount,
            throwing: false,
            signature: CalldataSignature(data.argument(12), data.argument(13), data.argument(14))
        )
        guard filled == amount else { throw .revert([]) }
        return []
    }

    func cancelOrder(_ data: CalldataReader) throws(CallFailure) -> [UInt8] {
        try execution.charge(.cancelEntry)
        return Words.number(try cancel(singleOrder(data), amount: data.number(11)))
    }

    private func cancel(
        _ order: ExchangeOrder,
        amount: UInt256
    ) throws(CallFailure) -> UInt256 {
        guard order.maker == caller else { throw .revert([]) }
        guard order.makerTokenAmount > .zero, order.takerTokenAmount > .zero, amount > .zero
        else { throw .revert([]) }
        guard UInt256(execution.block.timestamp) < order.expiration else {
            return try skip(order, .expired)
        }
        let cancelledTaker = min(amount, try remaining(order))
        guard cancelledTaker > .zero else { return try skip(order, .fullyFilledOrCancelled) }
        let key = StorageKey(address, .cancelled(order.hash))
        let cancelled = try ExchangeArithmetic.add(try execution.load(key), cancelledTaker)
        try execution.store(key, cancelled)
        let cancelledMaker = try part(cancelledTaker, of: order, target: order.makerTokenAmount)
        try execution.charge(.cancelLog)
        try execution.emit(
            address,
            topics: [
                ExchangeTopics.cancel, order.maker.word, order.feeRecipient.word, order.pairTopic,
            ],
            data: Words.bytes(
                order.makerToken.word,
                order.takerToken.word,
                cancelledMaker.word,
                cancelledTaker.word,
                order.hash
            )
        )
        return cancelledTaker
    }

    // MARK: Loops

    func fillOrdersUpTo(_ data: CalldataReader) throws(CallFailure) -> [UInt8] {
        try execution.charge(.fillUpToEntry)
        let orders = try OrderArrays(data, exchange: address, execution: execution)
        let wanted = data.number(2)
        let signatures = try SignatureArrays(data, from: 4, gas: execution.gasLeft)
        var filled = UInt256.zero
        for index in 0..<orders.count {
            guard try orders.takerToken(index) == orders.takerToken(0) else { throw .revert([]) }
            try execution.charge(.batchElement)
            let order = try orders.order(index)
            let part = try fill(
                order,
                amount: try ExchangeArithmetic.subtract(wanted, filled),
                throwing: data.flag(3),
                signature: try signatures.signature(data, index)
            )
            filled = try ExchangeArithmetic.add(filled, part)
            if filled == wanted { break }
        }
        return Words.number(filled)
    }

    /// batchFillOrders; batchFillOrKillOrders has no flag, and each order must be filled whole.
    func batchFillOrders(
        _ data: CalldataReader,
        orKill: Bool = false
    ) throws(CallFailure) -> [UInt8] {
        try execution.charge(orKill ? .batchFillOrKillEntry : .batchFillEntry)
        let orders = try OrderArrays(data, exchange: address, execution: execution)
        let amounts = try data.array(2, width: 1, gas: execution.gasLeft)
        let signatures = try SignatureArrays(data, from: orKill ? 3 : 4, gas: execution.gasLeft)
        for index in 0..<orders.count {
            try execution.charge(.batchElement)
            let amount = UInt256(data.word(at: try amounts.offset(of: index)))
            let filled = try fill(
                try orders.order(index),
                amount: amount,
                throwing: !orKill && data.flag(3),
                signature: try signatures.signature(data, index)
            )
            guard !orKill || filled == amount else { throw .revert([]) }
        }
        return []
    }

    func batchCancelOrders(_ data: CalldataReader) throws(CallFailure) -> [UInt8] {
        try execution.charge(.batchCancelEntry)
        let orders = try OrderArrays(data, exchange: address, execution: execution)
        let amounts = try data.array(2, width: 1, gas: execution.gasLeft)
        for index in 0..<orders.count {
            try execution.charge(.batchCancelElement)
            _ = try cancel(
                try orders.order(index),
                amount: UInt256(data.word(at: try amounts.offset(of: index)))
            )
        }
        return []
    }
}

/// The first two arguments of a batch: addresses and values of its orders.
private struct OrderArrays {
    private let data: CalldataReader
    private let exchange: Address
    private let addresses: CalldataArray
    private let values: CalldataArray
    let count: Int

    /// - Throws: `CallFailure.outOfGas` if no gas could pay to copy the claimed length to memory.
    init(_ data: CalldataReader, exchange: Address, execution: Execution) throws(CallFailure) {
        self.data = data
        self.exchange = exchange
        addresses = try data.array(0, width: 5, gas: execution.gasLeft)
        values = try data.array(1, width: 6, gas: execution.gasLeft)
        guard let count = addresses.count.uint64 else { throw .outOfGas }
        self.count = Int(count)
    }

    func takerToken(_ index: Int) throws(CallFailure) -> Address {
        Address(truncating: data.word(at: try addresses.offset(of: index, word: 3)))
    }

    func order(_ index: Int) throws(CallFailure) -> ExchangeOrder {
        ExchangeOrder(
            data,
            addresses: try addresses.offset(of: index),
            values: try values.offset(of: index),
            exchange: exchange
        )
    }
}

/// The last three arguments of a batch: v, r and s of its orders.
private struct SignatureArrays {
    private let v: CalldataArray
    private let r: CalldataArray
    private let s: CalldataArray

    init(_ data: CalldataReader, from argument: Int, gas: UInt64) throws(CallFailure) {
        v = try data.array(argument, width: 1, gas: gas)
        r = try data.array(argument + 1, width: 1, gas: gas)
        s = try data.array(argument + 2, width: 1, gas: gas)
    }

    func signature(
        _ data: CalldataReader,
        _ index: Int
    ) throws(CallFailure) -> CalldataSignature {
        CalldataSignature(
            data.word(at: try v.offset(of: index)),
            data.word(at: try r.offset(of: index)),
            data.word(at: try s.offset(of: index))
        )
    }
}
