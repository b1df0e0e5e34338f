import CProcess
import DexCore
import DexNetwork
import Glibc

@main
enum Main {
    static func main() async {
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
        // A server with a whole chain or a whole book: no limit applies.
        let moved = LeadingOptions.moved(arguments)
        if moved.first == SandboxCommand.name || moved.first == RelayCommand.name {
            Descriptors.allowServing()
            dex_memory_serve()
        } else {
            MemoryLimit.set(isJSON: CommandRunner.wantsJSON(arguments))
        }
        if arguments.first == AgentCommand.name {
            AgentConfinement.confineFiles(.process)
        }
        if Dex.talksToServers(arguments) { CurlTransport.prepare() }
        let runner = CommandRunner(arguments: moved, environment: .process)
        let status = await Interruption.run { interruption in
            await runner.run(interruption)
        }
        Terminal.showTyping()
        // Threads of libcurl and signals may still run, so exit(3) must not tear down their
        // libraries. All output is written already.
        fflush(nil)
        _exit(status.rawValue)
    }
}
