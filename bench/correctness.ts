// 400,000 labelled questions over the whole set: what a plain map of the pushed rows says must be
// what the quick check says.

import { generateIntelSet, generateQuestions, type IntelRows } from './lib/intel-set.ts'
import { ITEMS_A_CHECK } from './lib/look-ups.ts'
import { pushSet } from './lib/push-set.ts'
import { printFigures } from './lib/report.ts'
import { readCount } from './lib/settings.ts'
import type { Stage } from './lib/stage.ts'

const ENTRIES = readCount('BENCH_ENTRIES', 1_080_000)
const QUESTIONS = 400_000
const SEED = 20_261_121
const LOOK_BACK_MS = 30 * 86_400_000
// Around the end of the look-back: longer than the run takes.
const EDGE_MS = 600_000

interface Label {
  isListed: boolean
  isActive: boolean
  /** Its last sighting leaves the look-back while the questions are asked. */
  isAtEdge: boolean
}

export async function benchCorrectness(stage: Stage): Promise<void> {
  const nowMs = Date.now()
  const set = generateIntelSet(ENTRIES, SEED, nowMs)
  const labels = labelItems(set, nowMs)
  const server = await stage.startServer()
  try {
    await pushSet({ port: server.port, token: stage.token }, set)
    const questions = generateQuestions(set.items, QUESTIONS, SEED + 5)
    let wrong = 0
    for (let start = 0; start < questions.length; start += ITEMS_A_CHECK) {
      wrong += await countWrong(server.port, questions.slice(start, start + ITEMS_A_CHECK), labels)
    }
    printFigures('Correctness', [
      {
        name: `wrong answers of ${QUESTIONS.toLocaleString('en')} labelled questions over ${ENTRIES.toLocaleString('en')} entries`,
        ours: String(wrong),
        calibration: 'a plain map of the pushed rows',
        ratio: null,
      },
    ])
    if (wrong > 0) throw new Error(`${wrong} wrong answers`)
  } finally {
    await server.stop()
  }
}

function labelItems(set: IntelRows, nowMs: number): ReadonlyMap<string, Label> {
  const labels = new Map<string, Label>()
  const labelOf = (line: string): { label: Label; lastSeenMs: number } => {
    const row: { item: string; lastSeen: string } = JSON.parse(line)
    const label = labels.get(row.item) ?? { isListed: false, isActive: false, isAtEdge: false }
    labels.set(row.item, label)
    return { label, lastSeenMs: Date.parse(row.lastSeen) }
  }
  for (const line of set.listings) labelOf(line).label.isListed = true
  for (const line of set.sightings) {
    const { label, lastSeenMs } = labelOf(line)
    const edgeMs = nowMs - LOOK_BACK_MS
    if (lastSeenMs > edgeMs + EDGE_MS) label.isActive = true
    // The server's clock moves on while it answers: what leaves the look-back meanwhile has no
    // right answer.
    else if (lastSeenMs > edgeMs) label.isAtEdge = true
  }
  return labels
}

async function countWrong(
  port: number,
  items: readonly string[],
  labels: ReadonlyMap<string, Label>,
): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}/beta/quick-check`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(items),
  })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`a check was answered ${answer.status}: ${text}`)
  const body: { result: { item: string; serviceMailBlocklist: string; activity: boolean }[] } =
    JSON.parse(text)
  let wrong = 0
  for (const [index, item] of items.entries()) {
    const label = labels.get(item)
    const given = body.result[index]
    const isRight =
      given?.item === item &&
      (given.serviceMailBlocklist === 'ACTIVE') === (label?.isListed ?? false) &&
      (given.activity === (label?.isActive ?? false) ||
        (label?.isActive === false && label.isAtEdge))
    if (!isRight) wrong += 1
  }
  return wrong
}
