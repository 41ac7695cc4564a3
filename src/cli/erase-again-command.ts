// `casework privacy erase-again <file>`: repeats the erasures of a log that a restored database has
// lost.

import { resolve } from 'node:path'
import {
  eraseAgain,
  type PlannedErasures,
  type RepeatedErasures,
} from '../app/repeat-lost-erasures.ts'
import { createLog } from '../kernel/log.ts'
import { loadConfigFromFlags } from './settings-flags.ts'

export async function runEraseAgain(
  file: string,
  flags: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { config } = loadConfigFromFlags(flags)
  const log = createLog({ level: 'warn', isForPeople: process.stderr.isTTY })
  process.stdout.write(describeErasedAgain(await eraseAgain(config, log, resolve(file))))
}

/** The outcome in some lines for a person. */
export function describeErasedAgain(outcome: PlannedErasures & RepeatedErasures): string {
  const { missing, foreign, addresses, changed, onLegalHold, unsearched } = outcome
  const lines = [
    missing === 0
      ? 'No erasure of the log is missing here.'
      : `Erased again: ${addresses} addresses of ${missing} erasures (${count(changed)} changed).`,
    ...(Object.keys(onLegalHold).length === 0
      ? []
      : [
          `Left, since their case is held: ${count(onLegalHold)}. Repeat the erasure after the hold.`,
        ]),
    ...describeUnsearched(unsearched),
    ...(foreign === 0
      ? []
      : [`${foreign} erasures of the log were made by another instance and cannot be repeated.`]),
  ]
  return lines.map((line) => `${line}\n`).join('')
}

/** A line for people, when there are such reports. */
export function describeUnsearched(reportIds: readonly string[]): readonly string[] {
  if (reportIds.length === 0) return []
  return [`Too costly to search, so look at them yourself: the reports ${reportIds.join(', ')}.`]
}

function count(rows: Readonly<Record<string, number>>): string {
  const parts = Object.entries(rows).map(([table, number]) => `${table} ${number}`)
  return parts.length === 0 ? 'no row' : parts.join(', ')
}
