# bash completion of dex; source it, or put it where bash-completion looks.
_dex_completion() {
    local value note
    COMPREPLY=()
    while IFS=$'\t' read -r value note; do
        case $value in
        :files)
            compopt -o default 2>/dev/null
            COMPREPLY=()
            return
            ;;
        *) COMPREPLY+=("$value") ;;
        esac
    done < <("${COMP_WORDS[0]}" __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _dex_completion dex
