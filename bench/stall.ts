// The worst stall of look-ups while a new list goes live: 5,000 look-ups a second at a fixed rate, latency counted from when each was
// due, so that a stall cannot hide behind the requests that were not sent (coordinated omission).

import { generateIntelSet, generateQuestions } from './lib/intel-set.ts'
import { buildRequest, readPercentile } from './lib/load.ts'
import { pushRows, pushSet } from './lib/push-set.ts'
import { runAtRate } from './lib/rate-load.ts'
import { printFigures } from './lib/report.ts'
import type { Stage } from './lib/stage.ts'

const ENTRIES = Number(process.env['BENCH_ENTRIES'] ?? 1_080_000)
const NEW_ENTRIES = 100_000
const RATE_PER_SECOND = 5_000
const SEED = 20_261_121

export async function benchStall(stage: Stage): Promise<void> {
  const set = generateIntelSet(ENTRIES, SEED, Date.now())
  const fresh = generateIntelSet(NEW_ENTRIES, SEED + 77, Date.now())
  const lines = fresh.items.map((item) =>
    JSON.stringify({ item, list: 'new-list', source: 'bench-new' }),
  )
  const server = await stage.startServer(0)
  try {
    await pushSet({ port: server.port, token: stage.token }, set)
    const questions = generateQuestions(set.items, 20_000, SEED + 3).map((item) =>
      buildRequest('GET', `/beta/query/${encodeURIComponent(item)}`),
    )
    const calm = await runAtRate(server.port, questions, RATE_PER_SECOND, async () => {
      await new Promise((resolve) => {
        setTimeout(resolve, 5_000)
      })
    })
    const busy = await runAtRate(server.port, questions, RATE_PER_SECOND, async () => {
      await pushRows({ port: server.port, token: stage.token }, 'listings', lines)
      // What goes on behind the answer (a rebuilt snapshot, its swap) belongs to the list going live.
      await new Promise((resolve) => {
        setTimeout(resolve, 5_000)
      })
    })
    printFigures(`Stall at ${RATE_PER_SECOND.toLocaleString('en')} look-ups/s`, [
      {
        name: `while ${NEW_ENTRIES.toLocaleString('en')} new entries go live (${busy.length.toLocaleString('en')} look-ups, all answered 200)`,
        ours: describe(busy),
        calibration: `the same server without it: ${describe(calm)}`,
        ratio: null,
      },
    ])
  } finally {
    await server.stop()
  }
}

function describe(sorted: readonly number[]): string {
  return `p99 ${readPercentile(sorted, 0.99).toFixed(1)} ms, worst ${(sorted.at(-1) ?? 0).toFixed(1)} ms`
}
