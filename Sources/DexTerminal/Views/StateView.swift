/// A view of the state that a model loaded: an extension of each state's view draws it.
package struct StateView<State: Sendable>: Sendable {
    let state: State

    package init(_ state: State) {
        self.state = state
    }
}
