// The search and the filters by content over HTTP at millions of events. Each kind of query asks
// for another value with each request, because a person seldom searches for the same value twice.

import { measureRoundTrips } from './lib/calibrations.ts'
import { findNextPath, measurePage } from './lib/pages.ts'
import type { ServerProcess } from './lib/process.ts'
import { createRandom, type Random } from './lib/random.ts'
import { type Figure, printFigures } from './lib/report.ts'
import { readCount, readFilter } from './lib/settings.ts'
import type { Stage } from './lib/stage.ts'
import {
  addressOf,
  caseOf,
  pickCustomer,
  RARE_DOMAIN,
  WORDS,
  type WrittenEvents,
  writeCustomers,
  writeEvents,
} from './lib/write-events.ts'

const EVENTS = readCount('BENCH_LIST_EVENTS', 5_000_000)
const REQUESTS = readCount('BENCH_LIST_REQUESTS', 1_000)
const isWanted = readFilter('BENCH_SEARCH_ONLY')
// A slow kind of query ends by time, with fewer requests.
const DURATION_MS = 10_000
// Of each kind of query.
const VALUES = 200
const SEED = 18
const DAY_MS = 86_400_000

export async function benchSearch(stage: Stage): Promise<void> {
  await stage.makeTables()
  const written = await writeEvents(stage, EVENTS, { hasTexts: true })
  await writeCustomers(stage)
  const server = await stage.startServer()
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
  const all = [
    ...listSearches(random),
    ...listCaseFilters(random, written),
    ...listEventFilters(random, written),
  ]
  return all.filter(([name]) => isWanted(name))
}

function listSearches(random: Random): readonly Query[] {
  return [
    searchFor('address', () => addressOf(pickCustomer(random))),
    searchFor('address of the largest customer', () => addressOf(0)),
    searchFor('range /28', () => `198.18.${random.integer(256)}.16/28`),
    searchFor('range /16', () => '198.18.0.0/16'),
    searchFor('domain', () => `site-${pickCustomer(random)}.example.net`),
    searchFor('rare domain', () => RARE_DOMAIN),
    searchFor('domain with 100,000 names below', () => 'example.net'),
    searchFor('URL', () => `https://site-${pickCustomer(random)}.example.net/in`),
    searchFor('URL that is nowhere', () => `https://login.example.com/${random.integer(1_000)}`),
    searchFor('reporter', () => `reporter-${random.integer(500)}@example.org`),
    searchFor('customer by id', () => `customer-${pickCustomer(random)}`),
    searchFor('customer by part of a name', () => `hosting ${10_000 + random.integer(80_000)}`),
    searchFor('case id', () => caseOf(pickCustomer(random))),
    searchFor('first digits of a case id', () => 'C-01857000'),
    ...WORDS.map(({ word, every }) => searchFor(`word of one event in ${every}`, () => word)),
    searchFor('word of old events only', () => 'fossil'),
    searchFor('two words', () => `${WORDS[1].word} ${WORDS[2].word}`),
    searchFor('word of a comment', () => `called ${pickCustomer(random)}`),
    searchFor('word that is nowhere', () => `nothing${random.integer(1_000)}`),
  ]
}

function listCaseFilters(random: Random, { firstMs }: WrittenEvents): readonly Query[] {
  const early = new Date(firstMs + 30 * DAY_MS).toISOString()
  return [
    filterBy('cases', () => 'expand=summary'),
    filterBy('cases', () => 'state=NEW,IN_PROGRESS&sort=due_at&order=asc&expand=summary'),
    filterBy('cases', () => `ip=${addressOf(pickCustomer(random))}&expand=summary`),
    filterBy('cases', () => `range=198.18.${random.integer(256)}.16/28`),
    filterBy('cases', () => 'range=198.18.0.0/16'),
    filterBy('cases', () => `domain=site-${pickCustomer(random)}.example.net`),
    filterBy('cases', () => `reporter=reporter-${random.integer(500)}@example.org`),
    filterBy('cases', () => 'event_type=Phishing'),
    filterBy('cases', () => 'event_type=ChildAbuse'),
    filterBy('cases', () => `text=${WORDS[3].word}`),
    filterBy('cases', () => `text=${WORDS[4].word}`),
    filterBy('cases', () => 'tag=campaign'),
    filterBy('cases', () => `deadline_after=${early}`),
    filterBy('cases', () => `deadline_before=${early}`),
    filterBy(
      'cases',
      () => `state=NEW&range=198.18.${random.integer(256)}.0/24&event_type=Spam&expand=summary`,
    ),
  ]
}

function listEventFilters(random: Random, { largeCaseId }: WrittenEvents): readonly Query[] {
  return [
    filterBy('events', () => 'expand=case'),
    filterBy('events', () => `range=198.18.${random.integer(256)}.16/28&expand=case`),
    filterBy('events', () => 'range=198.18.0.0/16&expand=case'),
    filterBy(
      'events',
      () => `sender_email=reporter-${random.integer(500)}@example.org&expand=case`,
    ),
    filterBy('events', () => 'event_type=Phishing,ChildAbuse'),
    ['timeline of the largest case', [`/beta/casework/cases/${largeCaseId}/timeline?limit=50`]],
  ]
}

/** `build` gives a text to search for. */
function searchFor(name: string, build: () => string): Query {
  const paths = vary(() => `/beta/casework/search?q=${encodeURIComponent(build())}`)
  return [`search: ${name}`, paths]
}

/** `build` gives the query of the list; the first one is its name. */
function filterBy(list: 'cases' | 'events', build: () => string): Query {
  const paths = vary(() => `/beta/casework/${list}?${build()}`)
  return [`${list}: ${paths[0]?.split('?')[1] ?? ''}`, paths]
}

/** As many different values as come of `VALUES` tries. */
function vary(build: () => string): readonly string[] {
  return [...new Set(Array.from({ length: VALUES }, build))]
}

async function measureQueries(
  stage: Stage,
  server: ServerProcess,
  written: WrittenEvents,
): Promise<Figure[]> {
  const figures: Figure[] = []
  const bareMs = await measureRoundTrips(stage.pool)
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
