# bash completion of dex; source it, or put it where bash-completion looks.
_dex_completion() {
    local value note word mark=
    local -a words
    COMPREPLY=()
    # As the program would get them: without the quotes of the line.
    words=("${COMP_WORDS[@]:1:COMP_CWORD}")
    case ${COMP_WORDS[COMP_CWORD]} in
    [\'\"]*) mark=${COMP_WORDS[COMP_CWORD]:0:1} ;;
    esac
    words=("${words[@]//[\\\'\"]/}")
    while IFS=$'\t' read -r value note; do
        case $value in
        :files)
            compopt -o default 2>/dev/null
            COMPREPLY=()
            return
            ;;
        *)
            # Quoted: what is offered becomes a part of the line, and the shell runs $(...) in it.
            printf -v word %q "$value"
            case $mark in
            \') [[ $value == *\'* ]] && continue || word=$value ;;
            \") [[ $value == *[\"\$\`\\!]* ]] && continue || word=$value ;;
            esac
            COMPREPLY+=("$word")
            ;;
        esac
    done < <("${COMP_WORDS[0]}" __complete "${words[@]}" 2>/dev/null)
}
complete -F _dex_completion dex
