// Each value and each refusal names its rule: one that the reference lists and that a developer
// finds literally in the source.

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { listMadeUpMails, surroundingsOf } from '../../test/made-up-mails.ts'
import { findPackageRoot } from '../values/resources.ts'
import { readReportBytes } from './read-report.ts'
import type { Finding, ReportResult } from './reading.ts'

const ROOT = findPackageRoot()
const PAGE = readFileSync(join(ROOT, 'docs', 'reference', 'reading-rules.md'), 'utf8')
const LISTED = new Set([...PAGE.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, name = '']) => name))
const SOURCE = globSync('src/{reader,casework/reports}/**/*.ts', { cwd: ROOT })
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => readFileSync(join(ROOT, file), 'utf8'))
  .join('\n')

const RESULTS = listMadeUpMails().map((mail) =>
  readReportBytes(mail.bytes, {
    receivedAtMs: mail.receivedAtMs,
    mediaType: 'message/rfc822',
    fallbackReporter: null,
    ...surroundingsOf(mail),
  }),
)

function listFindings(result: ReportResult): readonly Finding[] {
  if (result.kind === 'report') {
    return [...result.events.flatMap(({ findings }) => findings), ...result.passedOver]
  }
  return result.kind === 'no_report' ? result.passedOver : []
}

test('every listed rule stands literally in the source, and every literal rule is listed', () => {
  assert.ok(LISTED.size > 70, String(LISTED.size))
  assert.deepEqual(
    [...LISTED].filter((name) => !SOURCE.includes(`'${name}'`)),
    [],
  )
  const literal = [...SOURCE.matchAll(/\brule: '([^']+)'/g)].map(([, name = '']) => name)
  assert.ok(literal.length > 40)
  assert.deepEqual(
    [...new Set(literal)].filter((name) => !LISTED.has(name)),
    [],
  )
})

test('every finding names a listed rule, or the format that states the value', () => {
  const strange = RESULTS.flatMap((result) => {
    const format = 'format' in result ? result.format : ''
    // Free text states nothing by its form.
    const isKnown = (rule: string): boolean =>
      LISTED.has(rule) || (rule === format && rule !== 'text')
    return listFindings(result).filter(({ rule }) => rule === undefined || !isKnown(rule))
  })
  assert.deepEqual(
    strange.map(({ field, rule, reason }) => `${field} ${rule}: ${reason}`),
    [],
  )
})

test('a mail that reports nothing names its rule, and the words where words decided', () => {
  const refused = RESULTS.filter(({ kind }) => kind === 'no_report' || kind === 'unreadable')
  assert.ok(refused.length > 60)
  for (const result of refused) {
    assert.ok('decidedBy' in result && result.decidedBy !== undefined)
    const { rule, words } = result.decidedBy
    assert.ok(LISTED.has(rule) || ('format' in result && rule === result.format), rule)
    const { reason } = result
    const quoted = /\("([^"]+)" in the/.exec(reason)?.[1]
    if (quoted !== undefined) assert.equal(words, quoted, reason)
  }
})

test('the words of a label, a clause and a type are those of the mail', () => {
  const [mail] = listMadeUpMails().filter(({ name }) => name.includes('film catalogue in the'))
  assert.ok(mail !== undefined)
  const result = RESULTS[listMadeUpMails().findIndex(({ name }) => name === mail.name)]
  assert.ok(result?.kind === 'report')
  const [passed] = result.passedOver
  assert.deepEqual([passed?.rule, passed?.words], ['clause-work', 'The film listed at'])
  const type = result.events[0]?.findings.find(({ field }) => field === '/event_type')
  assert.deepEqual([type?.rule, type?.words], ['type-words', 'copyright infring…'])
})
