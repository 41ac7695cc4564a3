// Measures other products with the same look-ups over the same set: Redis (exact members only),
// rbldnsd (DNS), PostgreSQL with a GiST index, CrowdSec. A product that is not installed is said to
// be so; Debian has them as redis-server, rbldnsd and crowdsec. `npm run bench -- intel` has the
// figures of ours to compare with, of the same machine.

import { generateIntelSet } from './lib/intel-set.ts'
import { benchCrowdsec } from './lib/peer-crowdsec.ts'
import { benchGist } from './lib/peer-gist.ts'
import { benchRbldnsd } from './lib/peer-rbldnsd.ts'
import { benchRedis } from './lib/peer-redis.ts'
import { type Figure, printFigures } from './lib/report.ts'
import { readCount } from './lib/settings.ts'
import type { Stage } from './lib/stage.ts'

const ENTRIES = readCount('BENCH_ENTRIES', 1_080_000)
const SEED = 20_261_121

export async function benchPeers(stage: Stage): Promise<void> {
  const { items } = generateIntelSet(ENTRIES, SEED, Date.now())
  const addresses = items.filter((item) => /^[\d.]+$/.test(item))
  const figures: Figure[] = []
  for (const [name, bench] of [
    ['redis-server', benchRedis],
    ['rbldnsd', benchRbldnsd],
    ['PostgreSQL, inet with GiST', benchGist],
    ['CrowdSec', benchCrowdsec],
  ] as const) {
    figures.push(await bench(stage, addresses, name))
  }
  printFigures(`Peers, ${addresses.length.toLocaleString('en')} IPv4 addresses`, figures)
}
