package import DexCore
package import DexStore
import ZeroEx

/// Guards in words.
package enum GuardText {
    /// The sentence that every screen of guards says.
    package static let runs =
        "A guard works only while `dex live` or `dex guard run` runs: nothing else watches its price."

    /// `sell 100 ZRX/WETH when the bid is 0.0007 or less, at 0.00069306931 or better`.
    package static func terms(_ guardOrder: JournalGuard) -> String {
        let price = guardOrder.side == .sell ? "bid" : "ask"
        let way = guardOrder.trigger == .below ? "less" : "more"
        return
            "\(guardOrder.side.rawValue) \(guardOrder.amount) \(PlainText.pairName(guardOrder.pairName)) when the "
            + "\(price) is \(guardOrder.price) or \(way), at \(guardOrder.limit) or better"
            + (guardOrder.isAtPools ? ", at Uniswap's pools" : "")
    }

    /// `<= 0.0007`, of the bid where it sells and of the ask where it buys.
    static func trigger(_ guardOrder: JournalGuard) -> String {
        "\(guardOrder.trigger == .below ? "<=" : ">=") \(guardOrder.price)"
    }

    /// Its state in a column.
    static func word(_ guardOrder: JournalGuard) -> String {
        switch guardOrder.state {
        case .waiting where guardOrder.neverFires != nil: "never fires"
        case .waiting: guardOrder.isWatched ? "waiting" : "not watched"
        case .firing: "firing"
        case .interrupted: "interrupted"
        case .ended(exit: 0): "fired"
        case .ended(let exit): "exit \(exit)"
        }
    }

    /// The word in the column does not say what to do.
    static func needsWords(_ guardOrder: JournalGuard) -> Bool {
        guardOrder.state == .interrupted || guardOrder.state == .waiting && !guardOrder.isWatched
    }

    /// `guards: 8 sell 100 ZRX/WETH at 0.0007 or less, 9 buy 20 ZRX/WETH at 0.0006 or less`; those
    /// that do not fit are counted: `guards: 8 sell 100 ZRX/WETH at 0.0007 or less, and 3 more`.
    static func waiting(_ guards: [JournalGuard], columns: Int) -> String {
        let items = guards.map { guardOrder in
            "\(guardOrder.id) \(guardOrder.side.rawValue) \(guardOrder.amount) \(PlainText.pairName(guardOrder.pairName)) at "
                + "\(guardOrder.price) or \(guardOrder.trigger == .below ? "less" : "more")"
        }
        for shown in stride(from: items.count, to: 0, by: -1) {
            let rest = items.count - shown
            let text =
                "guards: " + items.prefix(shown).joined(separator: ", ")
                + (rest == 0 ? "" : ", and \(rest) more")
            if TerminalText.width(of: text) <= columns { return text }
        }
        return TerminalText.truncate("\(NumberText.count(items.count, "guard")) wait", to: columns)
    }

    package static func state(_ guardOrder: JournalGuard) -> String {
        switch guardOrder.state {
        case .waiting where guardOrder.neverFires != nil: "never fires"
        case .waiting: guardOrder.isWatched ? "waiting" : "waiting, and nothing watches its price"
        case .firing: "firing now"
        case .interrupted: "interrupted while it fired: dex resume"
        case .ended(exit: 0): "fired"
        case .ended(let exit): "fired, exit \(exit)"
        }
    }

    /// The sentence of a report; empty where its screen says all.
    package static func sentence(_ report: GuardReport) -> String {
        switch report {
        case .begun(let count):
            "Running \(NumberText.count(count, "guard")) until Ctrl-C, or until none waits."
        case .reached(let guardOrder, let block, 0):
            "Guard \(guardOrder.id): the price is reached in block \(block). It fires in the next block "
                + "if it still is."
        case .reached(let guardOrder, let block, let patience):
            "Guard \(guardOrder.id): the price is reached in block \(block). It fires if it still is "
                + "in every block for \(patience) s."
        case .held(let guardOrder, let reason):
            guardOrder.neverFires == nil
                ? "Guard \(guardOrder.id) does not fire: \(reason)"
                : "Guard \(guardOrder.id) never fires. \(reason)"
        case .firing(let guardOrder, _): "Guard \(guardOrder.id) fires: \(terms(guardOrder))."
        case .fired(let guardOrder, _): "Guard \(guardOrder.id) has fired."
        case .failed(let guardOrder, let error, let waitsAgain):
            "Guard \(guardOrder.id) failed: \(error.message) "
                + (waitsAgain
                    ? "Nothing was signed, so it waits again."
                    : "It does not fire again. See what it did: dex resume")
        case .failing(let error): "\(error.message) It is tried again."
        case .recovered: "What failed answers again."
        }
    }

    package static func isWarning(_ report: GuardReport) -> Bool {
        switch report {
        case .held, .failed, .failing: true
        case .begun, .reached, .firing, .fired, .recovered: false
        }
    }

    static func color(_ guardOrder: JournalGuard) -> Style.Color? {
        switch guardOrder.state {
        case .waiting where guardOrder.neverFires != nil: .yellow
        case .waiting, .ended(exit: 0): nil
        case .firing: .green
        case .interrupted, .ended: .yellow
        }
    }
}
