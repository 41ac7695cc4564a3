// `casework import mail <file|mbox|maildir>`: archived mails through POST /beta/casework/reports, a
// few at a time. Each is stored before the next one is sent.

import { Readable } from 'node:stream'
import { type ApiClient, createApiClient, explainRefusal, readJsonAnswer } from './api-client.ts'
import { CommandFailure, EXIT, type ExitCode } from './exit-codes.ts'
import { escapeControls, formatJson } from './format-table.ts'
import { type ArchivedMail, MAIL_BYTES_MAX, openMailArchive } from './mail-archive.ts'
import { createProgress } from './progress.ts'
import { loadConfigFromFlags } from './settings-flags.ts'
import { countOf } from './wording.ts'

type Flags = Readonly<Record<string, unknown>>

// The server reads a few reports at once; further ones would only wait there.
const UNDER_WAY_MAX = 4
const REFUSALS_SHOWN_MAX = 100
// Refusals of one mail, such as an empty one; any other would meet every mail.
const OF_THE_MAIL: ReadonlySet<number> = new Set([400, 413])

interface Tally {
  mails: number
  accepted: number
  rejected: number
  quarantined: number
  /** Not stored: too large, or the server refused the request. */
  refused: number
  events: number
  created: number
  readonly refusals: { readonly place: string; readonly reason: string }[]
}

/**
 * Exit code 5 when some mails were not accepted, 1 when none was. Ends at the first answer that
 * would be the same for every mail.
 */
export async function runImportMail(path: string, flags: Flags): Promise<ExitCode> {
  const archive = await openMailArchive(path)
  const { config } = loadConfigFromFlags(flags)
  const client = createApiClient(flags, config)
  const isDryRun = flags['dryRun'] === true
  const progress = createProgress(archive.byteLength)
  const tally: Tally = {
    mails: 0,
    accepted: 0,
    rejected: 0,
    quarantined: 0,
    refused: 0,
    events: 0,
    created: 0,
    refusals: [],
  }
  const mails = archive.mails()
  let bytesRead = 0
  const work = async (): Promise<void> => {
    // A generator gives each mail to one of the concurrent consumers.
    for (let next = await mails.next(); next.done !== true; next = await mails.next()) {
      await pushOne(client, next.value, isDryRun, tally)
      bytesRead += next.value.bytes?.length ?? 0
      progress.show(bytesRead, tally.mails)
    }
  }
  const workers = Array.from({ length: UNDER_WAY_MAX }, work)
  try {
    await Promise.all(workers)
  } finally {
    // The first failure ends the archive for all of them; what is under way is awaited, so that
    // nothing is stored after the report.
    await mails.return(undefined)
    await Promise.allSettled(workers)
    progress.end()
  }
  report(tally, isDryRun, flags)
  if (tally.accepted === tally.mails) return EXIT.ok
  return tally.accepted === 0 ? EXIT.failure : EXIT.partial
}

async function pushOne(
  client: ApiClient,
  { place, bytes }: ArchivedMail,
  isDryRun: boolean,
  tally: Tally,
): Promise<void> {
  tally.mails += 1
  if (bytes === null) {
    tally.refused += 1
    note(tally, place, `It is larger than ${MAIL_BYTES_MAX} bytes.`)
    return
  }
  const answer = await client.send({
    method: 'POST',
    path: `/beta/casework/reports?via=import${isDryRun ? '&dry_run=true' : ''}`,
    contentType: 'message/rfc822',
    stream: Readable.from([bytes], { objectMode: false }),
  })
  if (OF_THE_MAIL.has(answer.status)) {
    tally.refused += 1
    note(tally, place, explainRefusal(answer))
    return
  }
  const { state, reason, events } = readJsonAnswer(answer)
  if (!Array.isArray(events) || !isState(state)) {
    throw new CommandFailure('The server gave an answer that is not ours.', EXIT.failure)
  }
  tally[state] += 1
  tally.events += events.length
  tally.created += events.filter((event: unknown) => Object(event).outcome !== 'duplicate').length
  if (state !== 'accepted') note(tally, place, typeof reason === 'string' ? reason : state)
}

function isState(value: unknown): value is 'accepted' | 'rejected' | 'quarantined' {
  return value === 'accepted' || value === 'rejected' || value === 'quarantined'
}

function note(tally: Tally, place: string, reason: string): void {
  if (tally.refusals.length < REFUSALS_SHOWN_MAX) tally.refusals.push({ place, reason })
}

function report(tally: Tally, isDryRun: boolean, flags: Flags): void {
  if (flags['output'] === 'json') {
    process.stdout.write(`${formatJson(tally, 2)}\n`)
    return
  }
  for (const { place, reason } of tally.refusals) {
    process.stderr.write(`${escapeControls(place)}: ${escapeControls(reason)}\n`)
  }
  const { mails, accepted, rejected, quarantined, refused, events, created } = tally
  const untold = rejected + quarantined + refused - tally.refusals.length
  if (untold > 0) process.stderr.write(`… and ${untold} more\n`)
  process.stdout.write(
    `${countOf(mails, 'mail')}${isDryRun ? ' (nothing was stored)' : ''}: ${accepted} accepted with ${countOf(events, 'event')} (${created} new), ${rejected} rejected, ${quarantined} quarantined, ${refused} refused\n`,
  )
}
