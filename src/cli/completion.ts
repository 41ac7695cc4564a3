// Completion for shells: a small script of each shell asks the program itself, so that it knows
// every command and flag of the version that is installed.

import type { Command, Option } from 'commander'
import { CommandFailure, EXIT } from './exit-codes.ts'

/** What a word may become, and what that is. */
export interface Candidate {
  readonly value: string
  readonly about: string
}

/** What a word may become that only the server, or the file of profiles, knows. */
export type Names = 'case' | 'tag' | 'profile'

const SCRIPTS: Readonly<Record<string, string>> = {
  // The words are those of the line, since bash takes apart a word with a colon. Not `compgen -W`,
  // which would run a name such as `$(…)`.
  bash: `_casework() {
  local line="\${COMP_LINE:0:COMP_POINT}" words last value
  read -ra words <<< "$line"
  [[ "$line" == *" " ]] && words+=("")
  last="\${words[\${#words[@]}-1]}"
  COMPREPLY=()
  while IFS= read -r value; do
    [[ "$value" == "$last"* ]] && COMPREPLY+=("$value")
  done < <(casework complete -- "\${words[@]:1}" 2>/dev/null)
  [[ "$last" == *:* ]] && COMPREPLY=("\${COMPREPLY[@]#"\${last%"\${last##*:}"}"}")
}
complete -o default -F _casework casework
`,
  zsh: `#compdef casework
_casework() {
  local -a lines values shown
  lines=(\${(f)"$(casework complete --described -- "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
  values=("\${(@)lines%%$'\\t'*}")
  shown=("\${(@)lines/$'\\t'/  }")
  if (( $#lines )); then compadd -l -d shown -a values; else _files; fi
}
# As a file of $fpath zsh runs this text at the first completion, and means it to complete.
if [[ "\${funcstack[1]}" = _casework ]]; then _casework "$@"; else compdef _casework casework; fi
`,
  fish: `function __casework_complete
  set -l found (casework complete --described -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c casework -f -a '(__casework_complete)'
`,
}

/** The script for a shell, to be read by it at its start. */
export function writeCompletion(shell: string): string {
  const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined
  if (script !== undefined) return script
  throw new CommandFailure(
    `There is completion for ${Object.keys(SCRIPTS).join(', ')}, not for "${shell}".`,
    EXIT.usage,
  )
}

interface Place {
  readonly command: Command
  /** The flag whose value the last word is. */
  readonly flag: Option | undefined
  /** How many arguments stand before the last word. */
  readonly argumentCount: number
  readonly last: string
}

/** What the last of the words is. */
function findPlace(program: Command, words: readonly string[]): Place {
  let command = program
  let flag: Option | undefined
  let argumentCount = 0
  for (const word of words.slice(0, -1)) {
    if (flag !== undefined) {
      flag = undefined
      continue
    }
    if (word.startsWith('-') && word !== '-') {
      const found = command.options.find(({ long, short }) => word === long || word === short)
      flag = found?.required === true || found?.optional === true ? found : undefined
      continue
    }
    const child = command.commands.find((one) => one.name() === word)
    if (child === undefined) argumentCount += 1
    else command = child
  }
  return { command, flag, argumentCount, last: words.at(-1) ?? '' }
}

/** What the last of the words may become: commands, flags, or the values of a flag. */
export function complete(program: Command, words: readonly string[]): readonly Candidate[] {
  const { command, flag, argumentCount, last } = findPlace(program, words)
  const candidates = ((): readonly Candidate[] => {
    if (flag !== undefined) return listValues(flag)
    if (last.startsWith('-')) return listFlags(command)
    const commands = listCommands(command)
    if (commands.length > 0) return commands
    const next = command.registeredArguments[argumentCount] ?? command.registeredArguments.at(-1)
    if (next === undefined) return listFlags(command)
    const isTaken = argumentCount >= command.registeredArguments.length && !next.variadic
    if (isTaken) return listFlags(command)
    return next.name() === 'shell' ? Object.keys(SCRIPTS).map(withoutWords) : []
  })()
  return candidates.filter(({ value }) => value.startsWith(last))
}

/** The names that the last of the words may be one of; null where they are no names. */
export function findNamesAsked(program: Command, words: readonly string[]): Names | null {
  const { command, flag, argumentCount, last } = findPlace(program, words)
  if (flag !== undefined) return NAMES_OF_FLAGS[flag.long ?? ''] ?? null
  if (last.startsWith('-')) return null
  const all = command.registeredArguments
  const next = all[argumentCount] ?? (all.at(-1)?.variadic === true ? all.at(-1) : undefined)
  const name = next?.name() ?? ''
  if (name === 'name' && command.parent?.name() === 'profile') return 'profile'
  return name === 'case' || name === 'tag' || name === 'profile' ? name : null
}

const NAMES_OF_FLAGS: Readonly<Record<string, Names>> = {
  '--case': 'case',
  '--case-id': 'case',
  '--profile': 'profile',
}

const SERVER_FLAGS = ['url', 'profile', 'data-dir', 'token-file'] as const

/** The flags in the words that name the server, as a command has them. */
export function findServerFlags(words: readonly string[]): Readonly<Record<string, string>> {
  const found = SERVER_FLAGS.flatMap((flag): readonly (readonly [string, string])[] => {
    const value = words[words.indexOf(`--${flag}`) + 1]
    const name = flag.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
    return words.includes(`--${flag}`) && value !== undefined && value !== '-'
      ? [[name, value]]
      : []
  })
  return Object.fromEntries(found)
}

function withoutWords(value: string): Candidate {
  return { value, about: '' }
}

/** A value that only the caller knows has none: the shell offers files. */
function listValues({ flags, long, description }: Option): readonly Candidate[] {
  const values = /[<[]([\w-]+(?:\|[\w-]+)+)[>\]]/.exec(flags)?.[1]?.split('|')
  const outputs = long === '--output' ? description.split(/, | or /) : undefined
  return (values ?? outputs ?? []).map(withoutWords)
}

function listFlags(command: Command): readonly Candidate[] {
  return command.options.flatMap(({ long, description }) =>
    typeof long === 'string' ? [{ value: long, about: description }] : [],
  )
}

function listCommands(command: Command): readonly Candidate[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .map((one) => ({ value: one.name(), about: one.description() }))
}

const ABOUT_LENGTH_MAX = 60

/** A line for each; `described` puts what it is behind a tab. */
export function formatCandidates(candidates: readonly Candidate[], described: boolean): string {
  return candidates
    .map(({ value, about }) => {
      const short =
        about.length > ABOUT_LENGTH_MAX ? `${about.slice(0, ABOUT_LENGTH_MAX - 1)}…` : about
      return described && about !== '' ? `${value}\t${short}\n` : `${value}\n`
    })
    .join('')
}
