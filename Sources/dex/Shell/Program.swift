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
        let shortage = Descriptors.shortage() ?? MemoryLimit.shortage()
        if shortage == nil, arguments.first == CompletionRequest.word {
            let status = await Interruption.run { interruption in
                CompletionRequest(environment: .process, interruption: interruption)
                    .answer(Array(arguments.dropFirst()))
            }
            _exit(status.rawValue)
        }
        let line = TypedLine(arguments, SettingsReading(.process))
        let runner = CommandRunner(line: line, environment: .process)
        if let failure = shortage ?? line.failure { exit(runner.refused(failure).rawValue) }
        prepare(for: line)
        let status = await Interruption.run { interruption in
            // Not before: while a library is loaded no thread can start.
            if Dex.talksToServers(line.path) { CurlTransport.prepare() }
            return await runner.run(interruption)
        }
        Terminal.showTyping()
        // Threads of libcurl and signals may still run, so exit(3) must not tear down their
        // libraries. All output is written already.
        fflush(nil)
        _exit(status.rawValue)
    }

    /// Sets up this process for its command, before any thread starts.
    private static func prepare(for line: TypedLine) {
        switch line.path.process {
        case .fullScreen:
            if let status = LiveGuardian.run() { exit(status.rawValue) }
            MemoryLimit.set(isJSON: line.wantsJSON)
        case .server:
            dex_memory_serve()
            Descriptors.allowServing()
        case .publicServer:
            dex_memory_serve_many(CommandLine.unsafeArgv)
            Descriptors.allowServing()
        case .agent:
            MemoryLimit.set(isJSON: line.wantsJSON)
            AgentConfinement.confineFiles(.process, line.settings)
        case .command: MemoryLimit.set(isJSON: line.wantsJSON)
        }
    }
}
