// `casework examples <folder>`: copies the sample files with their dates moved to the present, so
// that they never fall out of the time that look-ups and lists look back.

import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findPackageRoot } from '../values/resources.ts'
import { CommandFailure, EXIT } from './exit-codes.ts'
import { countOf } from './wording.ts'

// The end of the story that the samples tell, in whose days all their dates are (examples/README).
const STORY_END_MS = Date.UTC(2026, 2, 1, 12)
// Marks a folder whose files may be written anew.
const MARK = '.casework-examples'

/** Writes the samples as of `nowMs`; refuses a folder that holds other files. */
export function runExamples(folder: string, nowMs: number): void {
  if (existsSync(folder) && !existsSync(join(folder, MARK)) && readdirSync(folder).length > 0) {
    throw new CommandFailure(`The folder ${folder} holds other files; name a new one.`, EXIT.usage)
  }
  const source = join(findPackageRoot(), 'examples')
  const files = globSync('*/*', { cwd: source }).toSorted()
  // Whole seconds, so that texts keep their fractions.
  const shiftMs = Math.floor((nowMs - STORY_END_MS) / 1_000) * 1_000
  for (const file of files) {
    const target = join(folder, file)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, moveDates(readFileSync(join(source, file), 'utf8'), shiftMs))
  }
  writeFileSync(join(folder, MARK), '')
  const end = new Date(STORY_END_MS + shiftMs).toISOString().replace('.000Z', 'Z')
  process.stdout.write(`Wrote ${countOf(files.length, 'file')} to ${folder}, dated up to ${end}.\n`)
}

const ISO_PATTERN = /\b(2026-0[23]-\d\dT\d\d:\d\d:\d\d)(?=\.\d+Z|Z|\+00:00)/g
const MAIL_PATTERN = /\b[A-Z][a-z]{2}, (\d\d [A-Z][a-z]{2} 2026 \d\d:\d\d:\d\d) \+0000/g
const ACCESS_LOG_PATTERN = /\b(\d\d)\/([A-Z][a-z]{2})\/2026:(\d\d:\d\d:\d\d) \+0000/g
// The line before a mail of an mbox has the day of the week and the year as well.
const SYSLOG_PATTERN = /\b([A-Z][a-z]{2} )?([A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d)( 2026)?\b/g

/**
 * Moves the dates of the story: ISO 8601, RFC 5322, web servers and syslog, all in UTC. Dates of
 * days only, such as those of contracts, are no part of it.
 */
export function moveDates(text: string, shiftMs: number): string {
  const move = (moment: string): Date => new Date(Date.parse(moment) + shiftMs)
  return text
    .replaceAll(ISO_PATTERN, (_, moment: string) => move(`${moment}Z`).toISOString().slice(0, 19))
    .replaceAll(MAIL_PATTERN, (_, moment: string) =>
      move(`${moment} UTC`).toUTCString().replace('GMT', '+0000'),
    )
    .replaceAll(ACCESS_LOG_PATTERN, (_, day: string, month: string, time: string) =>
      move(`${day} ${month} 2026 ${time} UTC`)
        .toUTCString()
        .replace(/^[^,]*, (\d\d) (\w{3}) (\d{4}) (.*) GMT$/, '$1/$2/$3:$4 +0000'),
    )
    .replaceAll(SYSLOG_PATTERN, (_, weekday = '', moment: string, year = '') => {
      const moved = move(`${moment} 2026 UTC`)
      const { 0: day, 3: newYear } = moved.toUTCString().replace(',', '').split(' ')
      return `${weekday && `${day} `}${formatSyslog(moved)}${year && ` ${newYear}`}`
    })
}

// RFC 3164 section 4.1.2: a day below ten begins with a space.
function formatSyslog(moment: Date): string {
  const [, day = '', month = '', , time = ''] = moment.toUTCString().split(' ')
  return `${month} ${String(Number(day)).padStart(2)} ${time}`
}
