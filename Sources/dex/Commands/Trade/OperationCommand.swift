import ArgumentParser
import DexCore
import DexTerminal

/// A command that moves money: its arguments and its operation.
///
/// All such commands share the steps between.
protocol OperationCommand: DexCommand {
    associatedtype Model: Operation where Model.Content: PlanView

    /// The required services.
    var needs: [CommandContext.Need] { get }
    /// The groups of options that change the settings of trades.
    var groups: [any SettingsOptions] { get }

    func request(_ context: CommandContext) async throws -> Model.Request

    /// Changes the settings of trades by the command's options.
    func apply(to settings: inout TradeSettings) throws
}

extension OperationCommand {
    var needs: [CommandContext.Need] { [.node] }

    func apply(to settings: inout TradeSettings) throws {
        try applyGroups(to: &settings)
    }

    func applyGroups(to settings: inout TradeSettings) throws {
        for group in groups { try group.apply(to: &settings) }
    }

    func execute(_ context: CommandContext) async throws -> CommandReport {
        // What is typed wrong is said before anything is asked.
        let settings = try settings(context)
        return try await run(Model.self, try await request(context), settings, context)
    }

    /// The settings of trades, with the command's options.
    func settings(_ context: CommandContext) throws -> TradeSettings {
        var settings = try context.tradeSettings()
        try apply(to: &settings)
        return settings
    }

    /// Plans a request, asks, and carries it out.
    func run<Work: DexCore.Operation>(
        _ operation: Work.Type,
        _ request: Work.Request,
        _ settings: TradeSettings,
        _ context: CommandContext
    ) async throws -> CommandReport where Work.Content: PlanView {
        try await context.run(operation, request, settings, needs: needs, holding: heldFile)
    }

    /// The file for what is signed and not sent; nil if it is sent.
    private var heldFile: NewFile? {
        groups.lazy.compactMap { $0 as? HoldingOptions }.first?.file
    }
}
