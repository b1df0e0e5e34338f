package import NIOCore
import Synchronization

/// Collects what comes up for one event loop, or on one, and hands it on together.
///
/// The event loop is woken once for all that is added before it comes to it; what it adds itself
/// while it reads its connections waits until all that is ready is read.
package final class LoopTurn<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])
    private let hand: @Sendable ([Element]) -> Void

    /// - Parameter hand: called on the event loop.
    package init(_ hand: @escaping @Sendable ([Element]) -> Void) {
        self.hand = hand
    }

    /// Adds an element, from any thread.
    package func add(_ element: Element, on eventLoop: any EventLoop) {
        let isFirst = elements.withLock { elements in
            elements.append(element)
            return elements.count == 1
        }
        guard isFirst else { return }
        eventLoop.execute { [self] in
            hand(
                elements.withLock { elements in
                    defer { elements = [] }
                    return elements
                }
            )
        }
    }
}

/// One `LoopTurn` for each event loop.
final class LoopTurns<Element: Sendable>: Sendable {
    private let turns = Mutex<[ObjectIdentifier: LoopTurn<Element>]>([:])
    private let hand: @Sendable ([Element]) -> Void

    init(_ hand: @escaping @Sendable ([Element]) -> Void) {
        self.hand = hand
    }

    func turn(of eventLoop: any EventLoop) -> LoopTurn<Element> {
        turns.withLock { turns in
            let id = ObjectIdentifier(eventLoop)
            if let turn = turns[id] { return turn }
            let turn = LoopTurn(hand)
            turns[id] = turn
            return turn
        }
    }
}
