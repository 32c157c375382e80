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
	--store | --output | -o | --trace | --sizes | --replay | --cases | --runs | --file | --predictions | --fit | --keep-from)
		compopt -o default
		return
		;;
	--method)
		mapfile -t COMPREPLY < <(compgen -W 'adaptive gbbp naive' -- "$current")
		return
		;;
	--resource | -r)
		mapfile -t COMPREPLY < <(compgen -W 'wall_s cpu_s user_s system_s peak_rss_bytes peak_tree_bytes read_bytes written_bytes instructions cycles energy_j all' -- "$current")
		return
		;;
	--energy)
		mapfile -t COMPREPLY < <(compgen -W 'rapl nvidia rapl,nvidia' -- "$current")
		return
		;;
	--meter-unit)
		mapfile -t COMPREPLY < <(compgen -W 'W kW J kJ Wh kWh' -- "$current")
		return
		;;
	--class)
		mapfile -t COMPREPLY < <(compgen -W 'laws power polylog' -- "$current")
		return
		;;
	--format)
		if [[ $command == export ]]; then
			mapfile -t COMPREPLY < <(compgen -W 'csv json extrap extrap-lines' -- "$current")
		elif [[ $command == request ]]; then
			mapfile -t COMPREPLY < <(compgen -W 'slurm snakemake nextflow json' -- "$current")
		else
			mapfile -t COMPREPLY < <(compgen -W 'csv snakemake nextflow sacct hyperfine gbench extrap extrap-lines foretime' -- "$current")
		fi
		return
		;;
	--load)
		mapfile -t COMPREPLY < <(compgen -W 'idle usual now' -- "$current")
		return
		;;
	--start)
		if [[ $command == surrogate ]]; then
			mapfile -t COMPREPLY < <(compgen -W 'nndsvd random ica' -- "$current")
		else
			compopt -o default
			mapfile -t COMPREPLY < <(compgen -W 'best equal dp merge' -- "$current")
		fi
		return
		;;
	--ends)
		mapfile -t COMPREPLY < <(compgen -W 'fixed free' -- "$current")
		return
		;;
	--gaps)
		mapfile -t COMPREPLY < <(compgen -W 'join break zero' -- "$current")
		return
		;;
	--smooth)
		mapfile -t COMPREPLY < <(compgen -W 'auto' -- "$current")
		return
		;;
	--end)
		mapfile -t COMPREPLY < <(compgen -W 'measured zero' -- "$current")
		return
		;;
	--solver)
		mapfile -t COMPREPLY < <(compgen -W 'ols robust weighted simplex nmf bayes kernel ridge svr' -- "$current")
		return
		;;
	--climb)
		mapfile -t COMPREPLY < <(compgen -W 'overlap strict' -- "$current")
		return
		;;
	esac
	if [[ $current == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$(foretime "$command" --help 2>/dev/null |
			grep -oE '^ +(-., )?--[a-z-]+' | grep -oE -- '--[a-z-]+') --" -- "$current")
	elif [[ $command == help ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$(foretime help --names 2>/dev/null)" -- "$current")
	elif [[ $command == import ]]; then
		compopt -o default
	elif [[ $command == fit && COMP_CWORD -eq 2 ]]; then
		compopt -o default
		mapfile -t COMPREPLY < <(compgen -W "$(foretime list --names 2>/dev/null)" -- "$current")
	elif [[ $command == largest && COMP_CWORD -gt 2 ]]; then
		compopt -o nospace
		mapfile -t COMPREPLY < <(compgen -W 'time= memory= cpu_s= peak_rss_bytes=' -- "$current")
	elif [[ $command == program && COMP_CWORD -eq 2 ]]; then
		mapfile -t COMPREPLY < <(compgen -W 'set show unset' -- "$current")
	elif [[ $command == program && COMP_CWORD -eq 3 ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$(foretime list --names 2>/dev/null)" -- "$current")
	elif [[ $command == load ]]; then
		((COMP_CWORD == 2)) && mapfile -t COMPREPLY < <(compgen -W 'record show plot judge' -- "$current")
	elif [[ $command == machine ]]; then
		((COMP_CWORD == 2)) && mapfile -t COMPREPLY < <(compgen -W 'calibrate list show compare export import forget' -- "$current")
		[[ ${COMP_WORDS[2]} == import ]] && compopt -o default
	elif [[ $command == energy ]]; then
		compopt -o default
		((COMP_CWORD == 2)) && mapfile -t COMPREPLY < <(compgen -W 'fit predict share peak sweet-spot curve' -- "$current")
	elif [[ $command == surrogate && COMP_CWORD -eq 2 ]]; then
		mapfile -t COMPREPLY < <(compgen -W 'matrix diagnose plot describe predict basis evaluate complexity compose' -- "$current")
	elif [[ $command == trace ]]; then
		if ((COMP_CWORD == 2)); then
			mapfile -t COMPREPLY < <(compgen -W 'fit constrain phases plot show' -- "$current")
		else
			compopt -o default
		fi
	elif ((COMP_CWORD == 2)); then
		mapfile -t COMPREPLY < <(compgen -W "$(foretime list --names 2>/dev/null)" -- "$current")
	fi
}
complete -F _foretime foretime
