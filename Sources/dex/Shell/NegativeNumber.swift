import ArgumentParser

/// A negative number argument, which ArgumentParser takes for an option.
///
/// It would then report another argument as missing.
enum NegativeNumber {
    /// The problem with the first one before a `--`; nil without one.
    static func problem(_ arguments: [String]) -> ValidationError? {
        let number = arguments.prefix { $0 != "--" }.first { argument in
            argument.wholeMatch(of: /-\.?[0-9].*/) != nil
        }
        guard let number else { return nil }
        let command = arguments.first { !$0.hasPrefix("-") } ?? ""
        let takesArguments = [CallCommand.configuration, TransactCommand.configuration]
            .contains { $0.commandName == command }
        return ValidationError(
            takesArguments
                ? "Put -- before arguments that begin with a minus, such as \(number)."
                : "\"\(number)\" is below zero: amounts, prices and times never are."
        )
    }
}
