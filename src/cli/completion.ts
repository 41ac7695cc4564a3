// Completion for shells: a small script of each shell asks the program itself, so that it knows
// every command and flag of the version that is installed.

import type { Command } from 'commander'
import { CommandFailure, EXIT } from './exit-codes.ts'

const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `_casework() {
  local words=("\${COMP_WORDS[@]:1:COMP_CWORD}")
  COMPREPLY=($(compgen -W "$(casework complete -- "\${words[@]}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _casework casework
`,
  zsh: `#compdef casework
_casework() {
  local -a candidates
  candidates=(\${(f)"$(casework complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
  compadd -a candidates || _files
}
compdef _casework casework
`,
  fish: `complete -c casework -a '(casework complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
`,
}

/** The script for a shell, to be read by it at its start. */
export function writeCompletion(shell: string): string {
  const script = SCRIPTS[shell]
  if (script !== undefined) return script
  throw new CommandFailure(
    `There is completion for ${Object.keys(SCRIPTS).join(', ')}, not for "${shell}".`,
    EXIT.usage,
  )
}

/** What the last of the words may become: commands, flags, or the values of a flag. */
export function complete(program: Command, words: readonly string[]): readonly string[] {
  const last = words.at(-1) ?? ''
  const before = words.slice(0, -1)
  const command = before.reduce<Command>(
    (at, word) => at.commands.find((one) => one.name() === word) ?? at,
    program,
  )
  const asked = command.options.find(({ long, short }) => {
    const flag = before.at(-1)
    return flag !== undefined && (flag === long || flag === short)
  })
  const values = /[<[]([\w-]+(?:\|[\w-]+)+)[>\]]/.exec(asked?.flags ?? '')?.[1]?.split('|')
  const outputs = asked?.long === '--output' ? asked.description.split(/, | or /) : undefined
  const known = values ?? outputs
  if (known !== undefined) return known.filter((value) => value.startsWith(last))
  const flags = command.options.flatMap(({ long }) => (typeof long === 'string' ? [long] : []))
  const names = command
    .createHelp()
    .visibleCommands(command)
    .map((one) => one.name())
  const candidates = last.startsWith('-') || names.length === 0 ? flags : names
  return candidates.filter((candidate) => candidate.startsWith(last))
}
