// How well reports are read: the made-up mails of test/testdata/mails through the reader, with
// precision, recall and F1 of each field. `BENCH_FAULTS=1` prints what went wrong, mail by mail.

import { readReportBytes } from '../src/reader/read-report.ts'
import { listMadeUpMails, type MadeUpMail, surroundingsOf } from '../test/made-up-mails.ts'
import { f1, type ReadingScore, type ReadMail, scoreReadings } from '../test/reading-score.ts'
import { readSwitch } from './lib/settings.ts'

const PRINTS_FAULTS = readSwitch('BENCH_FAULTS')

export async function benchReading(): Promise<void> {
  const read = listMadeUpMails().map(readMail)
  const score = scoreReadings(read)
  printScore(score)
  const files = [...new Set(read.map(({ mail }) => mail.file))]
  console.log('\nBy class: mails, F1 of ip, url, type, events blamed wrongly')
  for (const file of files) {
    const some = scoreReadings(read.filter(({ mail }) => mail.file === file))
    const [ip, url, type] = (['ip', 'url', 'type'] as const).map((field) => f1(some.fields[field]))
    const numbers = [ip, url, type].map((one) => (one ?? 0).toFixed(2).padStart(5)).join(' ')
    console.log(
      `${file.padEnd(34)} ${String(some.mails).padStart(4)} ${numbers} ${String(some.wrongEvents).padStart(5)}`,
    )
  }
  if (PRINTS_FAULTS) for (const fault of score.faults) console.log(fault)
}

function readMail(mail: MadeUpMail): ReadMail {
  const result = readReportBytes(mail.bytes, {
    receivedAtMs: mail.receivedAtMs,
    mediaType: 'message/rfc822',
    fallbackReporter: null,
    ...surroundingsOf(mail),
  })
  return { mail, result }
}

function printScore({ mails, fields, wrongEvents, bystanders, nothing }: ReadingScore): void {
  console.log(`${mails} made-up mails`)
  for (const [name, score] of Object.entries(fields)) {
    const { right, surplus, missing } = score
    const precision = right / Math.max(1, right + surplus)
    const recall = right / Math.max(1, right + missing)
    console.log(
      `${name.padEnd(10)} precision ${precision.toFixed(3)}  recall ${recall.toFixed(3)}  F1 ${f1(score).toFixed(3)}`,
    )
  }
  console.log(`mails with bystanders that blame none: ${bystanders.right} of ${bystanders.mails}`)
  console.log(
    `mails that report nothing, and nothing is made of them: ${nothing.right} of ${nothing.mails}`,
  )
  console.log(
    `events blamed wrongly per 1,000 mails: ${((1_000 * wrongEvents) / mails).toFixed(1)}`,
  )
}
