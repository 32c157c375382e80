# SPDX-License-Identifier: GPL-3.0-or-later
# Completion of foretime for bash: commands, their options, names in the store, files.
_foretime() {
	local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]} i

	COMPREPLY=()
	if ((COMP_CWORD == 1)); then
		mapfile -t COMPREPLY < <(compgen -W "$(foretime help --names 2>/dev/null) --help --version" -- "$current")
		return
	fi
	for ((i = 2; i < COMP_CWORD; i++)); do
		if [[ ${COMP_WORDS[i]} == -- ]]; then # the program and its arguments
			compopt -o default
			((i == COMP_CWORD - 1)) && mapfile -t COMPREPLY < <(compgen -c -- "$current")
			return
		fi
	done
	case $previous in
	--store | --output | -o | --sizes | --replay | --cases | --file)
		compopt -o default
		return
		;;
	--method)
		mapfile -t COMPREPLY < <(compgen -W 'adaptive gbbp naive' -- "$current")
		return
		;;
	--resource | -r)
		mapfile -t COMPREPLY < <(compgen -W 'wall_s cpu_s user_s system_s peak_rss_bytes peak_tree_bytes all' -- "$current")
		return
		;;
	--load)
		mapfile -t COMPREPLY < <(compgen -W 'idle usual now' -- "$current")
		return
		;;
	--end)
		mapfile -t COMPREPLY < <(compgen -W 'measured zero' -- "$current")
		return
		;;
	--climb)
		mapfile -t COMPREPLY < <(compgen -W 'overlap strict' -- "$current")
		return
		;;
	esac
	if [[ $current == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$(foretime "$command" --help 2>/dev/null |
			grep -oE '^ +(-., )?--[a-z]+' | grep -oE -- '--[a-z]+') --" -- "$current")
	elif [[ $command == help ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$(foretime help --names 2>/dev/null)" -- "$current")
	elif [[ $command == import && COMP_CWORD -eq 2 ]]; then
		compopt -o default
	elif [[ $command == largest && COMP_CWORD -gt 2 ]]; then
		compopt -o nospace
		mapfile -t COMPREPLY < <(compgen -W 'time= memory= cpu_s= peak_rss_bytes=' -- "$current")
	elif [[ $command == load ]]; then
		((COMP_CWORD == 2)) && mapfile -t COMPREPLY < <(compgen -W 'record show plot judge' -- "$current")
	elif ((COMP_CWORD == 2)); then
		mapfile -t COMPREPLY < <(compgen -W "$(foretime list --names 2>/dev/null)" -- "$current")
	fi
}
complete -F _foretime foretime
