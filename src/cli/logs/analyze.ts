// `casework analyze [file]`: which addresses and domains a log names, how often, and what is known
// of them.

import { setFlagsFromString } from 'node:v8'
import { createApiClient } from '../api-client.ts'
import { createPaint, paintIntent } from '../colour.ts'
import { formatCsvRows } from '../csv-rows.ts'
import { CommandFailure, EXIT } from '../exit-codes.ts'
import { escapeControls, formatJson, formatTable } from '../format-table.ts'
import { OUTPUTS, readOutput } from '../read-output.ts'
import { loadConfigFromFlags } from '../settings-flags.ts'
import { countOf } from '../wording.ts'
import { createItemChecker, type Verdict } from './check-log-items.ts'
import { readLog } from './read-log.ts'

type Flags = Readonly<Record<string, unknown>>

interface Row {
  readonly item: string
  count: number
  readonly verdict: Verdict
}

interface Total {
  items: number
  mentions: number
}

interface Analysis {
  lines: number
  linesWithItems: number
  mentions: number
  items: number
  readonly rows: Map<string, Row>
  readonly byIntent: Map<string, Total>
  readonly listed: Total
  readonly active: Total
  /** Items that had to make room; a later mention counts them again, from one. */
  forgotten: number
  /** The same of those that are listed or malicious. */
  forgottenBad: number
}

// Some 200 bytes each: 10 MB.
const ROWS_MAX = 50_000
const TOP_DEFAULT = 20

/** Exit code 1 when the log names nothing. */
export async function runAnalyze(file: string, flags: Flags): Promise<number> {
  const output = readOutput(flags, OUTPUTS)
  const top = readTop(flags['top'])
  setFlagsFromString('--optimize-for-size')
  const checker = createItemChecker(createApiClient(flags, loadConfigFromFlags(flags).config))
  const analysis: Analysis = {
    lines: 0,
    linesWithItems: 0,
    mentions: 0,
    items: 0,
    rows: new Map(),
    byIntent: new Map(),
    listed: { items: 0, mentions: 0 },
    active: { items: 0, mentions: 0 },
    forgotten: 0,
    forgottenBad: 0,
  }
  await readLog(file, async (batch) => {
    const counts = new Map<string, number>()
    for (const { items } of batch) {
      if (items.length > 0) analysis.linesWithItems += 1
      for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1)
    }
    analysis.lines += batch.length
    add(analysis, counts, await checker.check(counts.keys()))
    return 'more'
  })
  sayWhatIsMissing(analysis)
  const rows = [...analysis.rows.values()].toSorted(compareRows)
  switch (output) {
    case 'human':
      writeForPeople(analysis, rows.slice(0, top))
      break
    case 'csv':
      process.stdout.write(writeCsv(rows))
      break
    case 'jsonl':
      process.stdout.write(rows.map((row) => `${formatJson(flatten(row))}\n`).join(''))
      break
    case 'json':
    case 'raw': {
      const summary = summarise(analysis, rows.slice(0, top))
      process.stdout.write(`${formatJson(summary, output === 'json' ? 2 : undefined)}\n`)
      break
    }
  }
  return analysis.mentions > 0 ? EXIT.ok : EXIT.failure
}

function readTop(given: unknown): number {
  const top = given === undefined ? TOP_DEFAULT : Number(given)
  if (Number.isInteger(top) && top >= 0) return top
  throw new CommandFailure('--top takes a whole number.', EXIT.usage)
}

function add(
  analysis: Analysis,
  counts: ReadonlyMap<string, number>,
  answers: ReadonlyMap<string, Verdict>,
): void {
  for (const [item, count] of counts) {
    const verdict = answers.get(item)
    if (verdict === undefined) continue
    const known = analysis.rows.get(item)
    const isNew = known === undefined
    const row = known ?? { item, count: 0, verdict }
    row.count += count
    analysis.rows.set(item, row)
    analysis.mentions += count
    if (isNew) analysis.items += 1
    const ofIntent = analysis.byIntent.get(verdict.intent) ?? { items: 0, mentions: 0 }
    analysis.byIntent.set(verdict.intent, ofIntent)
    for (const total of [
      ofIntent,
      verdict.listed ? analysis.listed : null,
      verdict.active ? analysis.active : null,
    ]) {
      if (total === null) continue
      total.items += isNew ? 1 : 0
      total.mentions += count
    }
  }
  makeRoom(analysis)
}

function isBad({ verdict: { intent, listed } }: Row): boolean {
  return listed || intent === 'malicious'
}

/**
 * Which rows make room, one kind after the other and the oldest first: harmless ones that were
 * named once, then all harmless ones, then any.
 */
const ORDER_OF_LEAVING: readonly ((row: Row) => boolean)[] = [
  (row) => row.count === 1 && !isBad(row),
  (row) => !isBad(row),
  () => true,
]

function makeRoom(analysis: Analysis): void {
  const { rows } = analysis
  if (rows.size <= ROWS_MAX) return
  for (const leaves of ORDER_OF_LEAVING) {
    for (const [item, row] of rows) {
      // A tenth more than needed, so that the next batches have room.
      if (rows.size <= ROWS_MAX * 0.9) return
      if (!leaves(row)) continue
      rows.delete(item)
      if (isBad(row)) analysis.forgottenBad += 1
      else analysis.forgotten += 1
    }
  }
}

/** Standard error, so that a program that reads the answer is not disturbed. */
function sayWhatIsMissing({ forgotten, forgottenBad }: Analysis): void {
  if (forgotten + forgottenBad === 0) return
  const bad = forgottenBad === 0 ? '' : `, and ${forgottenBad} that are`
  process.stderr.write(
    `The log names more items than are kept (${ROWS_MAX}): ${forgotten} items that are neither listed nor malicious were left out${bad}. Those that the log names again later are counted anew. Analyse the log in parts, or filter it before.\n`,
  )
}

const RANK: Readonly<Record<string, number>> = {
  malicious: 0,
  suspicious: 1,
  unknown: 2,
  benign: 3,
}

/** The worst and most frequent first. */
function compareRows(one: Row, other: Row): number {
  return (
    (RANK[one.verdict.intent] ?? 2) - (RANK[other.verdict.intent] ?? 2) ||
    Number(other.verdict.listed) - Number(one.verdict.listed) ||
    other.count - one.count ||
    (one.item < other.item ? -1 : 1)
  )
}

function summarise(analysis: Analysis, top: readonly Row[]): object {
  const { lines, linesWithItems, mentions, items, byIntent, listed, active } = analysis
  return {
    lines,
    lines_with_items: linesWithItems,
    mentions,
    items,
    items_left_out: analysis.forgotten + analysis.forgottenBad,
    by_intent: Object.fromEntries(byIntent),
    listed,
    active,
    top: top.map(flatten),
  }
}

function flatten({ item, count, verdict }: Row) {
  return { item, count, ...verdict }
}

const CSV_COLUMNS = ['item', 'count', 'intent', 'listed', 'active'] as const

function writeCsv(rows: readonly Row[]): string {
  return formatCsvRows([
    CSV_COLUMNS,
    ...rows.map(flatten).map((row) => CSV_COLUMNS.map((name) => row[name])),
  ])
}

function writeForPeople(analysis: Analysis, top: readonly Row[]): void {
  const { lines, linesWithItems, items, mentions, byIntent, listed, active } = analysis
  const paint = createPaint(process.stdout, process.env)
  const totals = [
    ...[...byIntent].toSorted(([one], [other]) => (RANK[one] ?? 2) - (RANK[other] ?? 2)),
    ['on a blocklist', listed] as const,
    ['active lately', active] as const,
  ].map(([name, total]) => ({ name, items: total.items, mentions: total.mentions }))
  process.stdout.write(
    `${countOf(lines, 'line')}, ${linesWithItems} of them with an address or a domain: ${countOf(items, 'item')}, named ${countOf(mentions, 'time')}.\n\n`,
  )
  process.stdout.write(formatTable(['name', 'items', 'mentions'], totals))
  if (top.length === 0) return
  process.stdout.write('\n')
  const width = Math.max(...top.map(({ item }) => item.length))
  for (const { item, count, verdict } of top) {
    const { intent, listed: isListed, active: isActive } = verdict
    const more = [isListed ? 'listed' : '', isActive ? 'active' : ''].filter((word) => word !== '')
    const name = escapeControls(item).padEnd(width)
    process.stdout.write(
      `${String(count).padStart(9)}  ${name}  ${paintIntent(intent, paint)}  ${more.join(' ')}`.trimEnd() +
        '\n',
    )
  }
}
