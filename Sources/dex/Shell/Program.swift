import CProcess
import DexCore
import DexNetwork
import Glibc

/// The program `dex`, from its arguments to its exit code.
package enum Program {
    /// Runs the command of this process's arguments, and ends the process.
    package static func run() async -> Never {
        Descriptors.reserveStandard()
        let arguments = Array(CommandLine.arguments.dropFirst())
        // Scripts often request the version, so nothing is set up for it.
        if arguments == ["--version"] {
            exit(Console.print(version: Dex.version).rawValue)
        }
        if let shortage = Descriptors.shortage() ?? MemoryLimit.shortage() {
            exit(
                CommandRunner(arguments: arguments, environment: .process).refused(shortage)
                    .rawValue
            )
        }
        if arguments.first == CompletionRequest.word {
            let status = await Interruption.run { interruption in
                CompletionRequest(environment: .process, interruption: interruption)
                    .answer(Array(arguments.dropFirst()))
            }
            _exit(status.rawValue)
        }
        let typed = LeadingOptions.moved(arguments)
        let moved: [String]
        do throws(DexError) {
            moved = try EarlySettings(environment: .process).expanded(typed)
        } catch {
            exit(
                CommandRunner(arguments: typed, environment: .process).refused(error).rawValue
            )
        }
        if moved.first == LiveCommand.name, let status = LiveGuardian.run() {
            exit(status.rawValue)
        }
        // A server with a whole chain or a whole book: no limit applies.
        if moved.first == SandboxCommand.name || moved.first == RelayCommand.name {
            if moved.starts(with: [RelayCommand.name, RelayServeCommand.name]) {
                dex_memory_serve_many(CommandLine.unsafeArgv)
            } else {
                dex_memory_serve()
            }
            Descriptors.allowServing()
        } else {
            MemoryLimit.set(isJSON: CommandRunner.wantsJSON(arguments))
        }
        if moved.first == AgentCommand.name {
            AgentConfinement.confineFiles(.process)
        }
        let runner = CommandRunner(arguments: moved, environment: .process)
        let status = await Interruption.run { interruption in
            // Not before: while a library is loaded no thread can start.
            if Dex.talksToServers(moved) { CurlTransport.prepare() }
            return await runner.run(interruption)
        }
        Terminal.showTyping()
        // Threads of libcurl and signals may still run, so exit(3) must not tear down their
        // libraries. All output is written already.
        fflush(nil)
        _exit(status.rawValue)
    }
}
