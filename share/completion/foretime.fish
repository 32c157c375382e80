# SPDX-License-Identifier: GPL-3.0-or-later
# Completion of foretime for fish: foretime itself says what may stand at the cursor.
function __foretime_complete
    set -l words (commandline -opc) (commandline -ct)
    for line in ($words[1] --complete $words[2..-1] 2>/dev/null)
        switch $line
            case :files
                set -l option (string match -r -- '^--[^=]*=' $words[-1]; or echo)
                string replace -r -- '^' "$option" (__fish_complete_path (string replace -- "$option" '' $words[-1]))
            case :commands
                complete -C (commandline -ct)
            case :open
            case '*'
                echo $line
        end
    end
end
complete -c foretime -f -a '(__foretime_complete)'
