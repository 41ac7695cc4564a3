// `casework filter [file]`: passes the lines of a log on whose addresses or domains fit, in their
// order, as grep does.

import { setFlagsFromString } from 'node:v8'
import { createApiClient } from '../api-client.ts'
import { CommandFailure, EXIT, type ExitCode } from '../exit-codes.ts'
import { escapeControls } from '../format-table.ts'
import { loadConfigFromFlags } from '../settings-flags.ts'
import { countOf } from '../wording.ts'
import { writeOutput } from '../write-output.ts'
import { createItemChecker, type Verdict } from './check-log-items.ts'
import { type LogLine, readLog } from './read-log.ts'

type Flags = Readonly<Record<string, unknown>>
type Fits = (verdict: Verdict) => boolean

const INTENTS = ['malicious', 'suspicious', 'benign', 'unknown'] as const

/** Exit code 0 when a line was passed on, 1 when none was, as grep has them. */
export async function runFilter(file: string, flags: Flags): Promise<ExitCode> {
  // As in `check`: short-lived strings would make the heap grow.
  setFlagsFromString('--optimize-for-size')
  const fits = readCondition(flags)
  const isInverted = flags['invert'] === true
  const checker = createItemChecker(createApiClient(flags, loadConfigFromFlags(flags).config))
  let passed = 0
  let lengthy = 0
  await readLog(file, async (batch) => {
    const answers = await checker.check(batch.flatMap(({ items }) => items))
    const chosen = batch.filter(({ text, items }) => {
      const isFit = items.some((item) => {
        const answer = answers.get(item)
        return answer !== undefined && fits(answer)
      })
      return text !== null && isFit !== isInverted
    })
    passed += chosen.length
    lengthy += batch.filter(({ text }) => text === null).length
    return await writeOutput(chosen.map(writeLine).join(''))
  })
  // A line that was not looked at fits neither the condition nor its opposite.
  if (lengthy > 0) {
    process.stderr.write(`Left out: ${countOf(lengthy, 'line')} of more than 64 KiB.\n`)
  }
  return passed > 0 ? EXIT.ok : EXIT.failure
}

/** On a terminal a line of a stranger must not move the cursor. */
function writeLine({ text }: LogLine): string {
  return `${process.stdout.isTTY ? escapeControls(text ?? '') : text}\n`
}

function readCondition(flags: Flags): Fits {
  const wanted = INTENTS.filter((intent) => flags[intent] === true)
  const isListed = flags['listed'] === true
  const isActive = flags['active'] === true
  if (wanted.length === 0 && !isListed && !isActive) {
    throw new CommandFailure(
      'Say what fits: --malicious, --suspicious, --benign, --unknown, --listed or --active.',
      EXIT.usage,
    )
  }
  const intents: ReadonlySet<string> = new Set(wanted)
  return ({ intent, listed, active }) =>
    intents.has(intent) || (isListed && listed) || (isActive && active)
}
