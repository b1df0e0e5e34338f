# fish completion of dex; save it as dex.fish in a folder of $fish_complete_path.
function __dex_complete
    set -l typed (commandline -opc)
    set -l current (commandline -ct)
    set -l program $typed[1]
    set -e typed[1]
    for line in ($program __complete $typed "$current" 2>/dev/null)
        switch "$line"
            case ':files*'
                __fish_complete_path "$current"
            case '*'
                # As it is: fish quotes what it puts on the line.
                printf '%s\n' "$line"
        end
    end
end
complete -c dex -f -a '(__dex_complete)'
