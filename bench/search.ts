// The search and the filters by content over HTTP at millions of events. Each kind of query asks for
// another value with each request, because a person seldom searches for the same value twice.

import { findNextPath, measurePage, measureRoundTrips } from './lib/pages.ts'
import type { ServerProcess } from './lib/process.ts'
import { createRandom, type Random } from './lib/random.ts'
import { type Figure, printFigures } from './lib/report.ts'
import type { Stage } from './lib/stage.ts'
import {
  addressOf,
  CUSTOMERS,
  caseOf,
  RARE_DOMAIN,
  WORDS,
  type WrittenEvents,
  writeCustomers,
  writeEvents,
} from './lib/write-events.ts'

const EVENTS = Number(process.env['BENCH_LIST_EVENTS'] ?? 5_000_000)
const REQUESTS = Number(process.env['BENCH_LIST_REQUESTS'] ?? 1_000)
// A slow kind of query ends by time, with fewer requests.
const DURATION_MS = 10_000
const VALUES = 200
const SEED = 18

export async function benchSearch(stage: Stage): Promise<void> {
  // The first start makes the tables.
  await (await stage.startServer(0)).stop()
  const written = await writeEvents(stage, EVENTS, { hasTexts: true })
  await writeCustomers(stage)
  const server = await stage.startServer(0)
  try {
    const title = `Search and filters over HTTP, ${EVENTS.toLocaleString('en')} events, one connection`
    printFigures(title, await measureQueries(stage, server, written))
  } finally {
    await server.stop()
  }
}

type Query = readonly [name: string, paths: readonly string[]]

function listQueries(written: WrittenEvents): readonly Query[] {
  const random = createRandom(SEED)
  return [...listSearches(random), ...listCaseFilters(random), ...listEventFilters(random, written)]
}

function listSearches(random: Random): readonly Query[] {
  const of = (name: string, build: () => string): Query => [
    `search: ${name}`,
    vary(() => `/beta/casework/search?q=${encodeURIComponent(build())}`),
  ]
  return [
    of('address', () => addressOf(pickCustomer(random))),
    of('address of the largest customer', () => addressOf(0)),
    of('range /28', () => `198.18.${random.integer(256)}.16/28`),
    of('range /16', () => '198.18.0.0/16'),
    of('domain', () => `site-${pickCustomer(random)}.example.net`),
    of('rare domain', () => RARE_DOMAIN),
    of('domain with 100,000 names below', () => 'example.net'),
    of('URL', () => `https://site-${pickCustomer(random)}.example.net/in`),
    of('URL that is nowhere', () => `https://login.example.com/${random.integer(1_000)}`),
    of('reporter', () => `reporter-${random.integer(500)}@example.org`),
    of('customer by id', () => `customer-${pickCustomer(random)}`),
    of('customer by part of a name', () => `hosting ${10_000 + random.integer(80_000)}`),
    of('case id', () => caseOf(pickCustomer(random))),
    of('first digits of a case id', () => 'C-01857000'),
    ...WORDS.map(({ word, every }) => of(`word of every ${every}. event`, () => word)),
    of('word of old events only', () => 'fossil'),
    of('two words', () => `${WORDS[1]?.word} ${WORDS[2]?.word}`),
    of('word of a comment', () => `called ${pickCustomer(random)}`),
    of('word that is nowhere', () => `nothing${random.integer(1_000)}`),
  ]
}

function listCaseFilters(random: Random): readonly Query[] {
  const of = (build: () => string): Query => {
    const paths = vary(() => `/beta/casework/cases?${build()}`)
    return [`cases: ${paths[0]?.split('?')[1] ?? ''}`, paths]
  }
  return [
    of(() => 'expand=summary'),
    of(() => 'state=NEW,IN_PROGRESS&sort=due_at&order=asc&expand=summary'),
    of(() => `ip=${addressOf(pickCustomer(random))}&expand=summary`),
    of(() => `range=198.18.${random.integer(256)}.16/28`),
    of(() => 'range=198.18.0.0/16'),
    of(() => `domain=site-${pickCustomer(random)}.example.net`),
    of(() => `reporter=reporter-${random.integer(500)}@example.org`),
    of(() => 'event_type=Phishing'),
    of(() => 'event_type=ChildAbuse'),
    of(() => `text=${WORDS[3]?.word}`),
    of(() => `text=${WORDS[4]?.word}`),
    of(() => 'tag=campaign'),
    of(() => 'deadline_after=2023-02-01T00:00:00Z'),
    of(() => 'deadline_before=2023-02-01T00:00:00Z'),
    of(() => `state=NEW&range=198.18.${random.integer(256)}.0/24&event_type=Spam&expand=summary`),
  ]
}

function listEventFilters(random: Random, { largeCaseId }: WrittenEvents): readonly Query[] {
  const of = (build: () => string): Query => {
    const paths = vary(() => `/beta/casework/events?${build()}`)
    return [`events: ${paths[0]?.split('?')[1] ?? ''}`, paths]
  }
  return [
    of(() => 'expand=case'),
    of(() => `range=198.18.${random.integer(256)}.16/28&expand=case`),
    of(() => 'range=198.18.0.0/16&expand=case'),
    of(() => `sender_email=reporter-${random.integer(500)}@example.org&expand=case`),
    of(() => 'event_type=Phishing,ChildAbuse'),
    ['timeline of the largest case', [`/beta/casework/cases/${largeCaseId}/timeline?limit=50`]],
  ]
}

function pickCustomer(random: Random): number {
  return 1 + random.integer(CUSTOMERS - 1)
}

function vary(build: () => string): readonly string[] {
  return [...new Set(Array.from({ length: VALUES }, build))]
}

async function measureQueries(
  stage: Stage,
  server: ServerProcess,
  written: WrittenEvents,
): Promise<Figure[]> {
  const figures: Figure[] = []
  const bareMs = await measureRoundTrips(stage)
  const load = { requestsMax: REQUESTS, durationMs: DURATION_MS, bareMs }
  for (const [name, paths] of listQueries(written)) {
    figures.push(await measurePage(stage, server, { ...load, name, paths }))
    const next = await findNextPath(stage, server, paths[0] ?? '')
    if (next === null) continue
    figures.push(
      await measurePage(stage, server, { ...load, name: `${name}, second`, paths: [next] }),
    )
  }
  return figures
}
