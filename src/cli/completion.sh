# bash completion for orch; in ~/.bashrc: source <(orch complete bash)
_orch() {
  local line cut directive=0
  local -a words=("${COMP_WORDS[@]:1:COMP_CWORD-1}" "${COMP_WORDS[COMP_CWORD]}")
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :*) directive=${line#:} ;;
      *) COMPREPLY+=("${line%%$'\t'*}") ;;
    esac
  done < <(orch complete -- "${words[@]}" 2> /dev/null)
  if (( directive & 4 )); then compopt +o default 2> /dev/null; fi
}
complete -o default -F _orch orch
