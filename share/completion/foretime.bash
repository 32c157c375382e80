# SPDX-License-Identifier: GPL-3.0-or-later
# Completion of foretime for bash: foretime itself says what may stand at the cursor.
_foretime() {
	local line words=()

	while IFS= read -r line; do
		case $line in
		:files) compopt -o default ;;
		:commands) mapfile -t COMPREPLY < <(compgen -c -- "${COMP_WORDS[COMP_CWORD]}") && return ;;
		:open) compopt -o nospace ;;
		*) words+=("${line%%$'\t'*}") ;;
		esac
	done < <("${COMP_WORDS[0]}" --complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
	mapfile -t COMPREPLY < <(compgen -W "${words[*]}" -- "${COMP_WORDS[COMP_CWORD]}")
}
complete -F _foretime foretime
