// Pages of the lists over HTTP at millions of events, first and deep, with every filter and sort;
// and the largest case opened.

import { measureRoundTrips } from './lib/calibrations.ts'
import { findNextPath, measurePage } from './lib/pages.ts'
import type { ServerProcess } from './lib/process.ts'
import { type Figure, printFigures } from './lib/report.ts'
import { readCount } from './lib/settings.ts'
import type { Stage } from './lib/stage.ts'
import {
  addressOf,
  LARGE_CUSTOMER,
  RARE_DOMAIN,
  SMALL_CUSTOMER,
  type WrittenEvents,
  writeEvents,
} from './lib/write-events.ts'

const EVENTS = readCount('BENCH_LIST_EVENTS', 5_000_000)
const REQUESTS = readCount('BENCH_LIST_REQUESTS', 1_000)
// A slow page ends by time, with fewer requests.
const DURATION_MS = 5_000
// Of the small customer.
const ADDRESS = addressOf(77)

export async function benchLists(stage: Stage): Promise<void> {
  await stage.makeTables()
  const written = await writeEvents(stage, EVENTS)
  const server = await stage.startServer()
  try {
    const title = `List pages over HTTP, ${EVENTS.toLocaleString('en')} events, one connection`
    printFigures(title, await benchPages(stage, server, written))
  } finally {
    await server.stop()
  }
}

function listPaths(written: WrittenEvents): readonly string[] {
  const { largeCaseId } = written
  return [
    ...listSearches(written),
    ...listEventPages(written),
    ...listCasePages(written),
    `/beta/casework/cases/${largeCaseId}`,
    `/beta/casework/cases/${largeCaseId}/history`,
    '/beta/casework/cases/counts',
    '/beta/casework/cases/counts?by=customer_id',
    '/beta/casework/retention?raw_report_days=30&event_days=365&case_days=365',
  ]
}

function listSearches({ smallCaseId }: WrittenEvents): readonly string[] {
  return [
    ADDRESS,
    '198.18.0.64/28',
    '198.18.0.0/16',
    RARE_DOMAIN,
    'example.net',
    'reporter-7@example.org',
    'https://login.example.com/in',
    // A word of every event, and one of none.
    'tcp',
    'nothing',
    smallCaseId,
  ].map((text) => `/beta/casework/search?q=${encodeURIComponent(text)}`)
}

/** Each filter from the newest event on, and from the middle of the years. */
function listEventPages(written: WrittenEvents): readonly string[] {
  const { largeCaseId, smallCaseId } = written
  const middle = timeAt(written, 1 / 2)
  return [
    '',
    'order=asc',
    'sort=create_date',
    `case_id=${largeCaseId}`,
    `case_id=${largeCaseId}&sort=create_date`,
    `case_id=${smallCaseId}`,
    `case_id=${smallCaseId}&sort=create_date`,
    `customer_id=${LARGE_CUSTOMER}`,
    `customer_id=${LARGE_CUSTOMER}&sort=create_date`,
    `customer_id=${SMALL_CUSTOMER}`,
    `customer_id=${SMALL_CUSTOMER}&sort=create_date`,
    'event_type=Phishing',
    'event_type=Phishing&sort=create_date',
    'event_type=ChildAbuse',
    'event_type=ChildAbuse&sort=create_date',
    'ip=198.18.0.0',
    'ip=198.18.0.0&sort=create_date',
    `ip=${ADDRESS}`,
    `ip=${ADDRESS}&sort=create_date`,
    `domain=${RARE_DOMAIN}`,
    `domain=${RARE_DOMAIN}&sort=create_date`,
    'domain=site-0.example.net',
    'domain=site-0.example.net&sort=create_date',
    'resolved=true',
    'resolved=true&sort=create_date',
    'resolved=false',
    'unassigned=true',
    'unassigned=true&sort=create_date',
    'unassigned_cause=no_target',
    'unassigned_cause=no_match',
    'unassigned=false',
    'event_type=Phishing&resolved=true',
    'event_type=ChildAbuse&resolved=true',
    `case_id=${largeCaseId}&event_type=Phishing&resolved=true`,
    `case_id=${largeCaseId}&event_type=ChildAbuse`,
    `customer_id=${LARGE_CUSTOMER}&event_type=Phishing`,
    `customer_id=${LARGE_CUSTOMER}&domain=${RARE_DOMAIN}`,
    `ip=${ADDRESS}&event_type=Phishing`,
    'range=198.18.0.64/28',
    'range=198.18.0.0/16',
    'sender_email=reporter-7@example.org',
    'event_type=Phishing,ChildAbuse',
    'expand=case',
  ].flatMap((filter) => [
    `/beta/casework/events?${filter}`,
    `/beta/casework/events?${filter}&event_before=${middle}`,
  ])
}

function listCasePages(written: WrittenEvents): readonly string[] {
  const [early, middle] = [timeAt(written, 1 / 36), timeAt(written, 1 / 2)]
  return [
    '',
    'state=NEW',
    'state=NEW,IN_PROGRESS',
    'state=CLOSED&sort=last_event_date',
    'sort=last_event_date',
    'sort=first_event_date',
    'sort=due_at&order=asc',
    'state=NEW&sort=due_at&order=asc',
    `customer_id=${SMALL_CUSTOMER}`,
    'case_group=default',
    'contract_id=none',
    'assignee_user_id=agent-0',
    'severity=high',
    'severity=high&sort=last_event_date',
    'waiting_on=customer',
    'tag=campaign',
    `deadline_before=${early}`,
    `created_before=${middle}`,
    `ip=${ADDRESS}`,
    'range=198.18.0.64/28',
    'range=198.18.0.0/16',
    `domain=${RARE_DOMAIN}`,
    'reporter=reporter-7@example.org',
    'event_type=Phishing',
    'event_type=ChildAbuse',
    `deadline_after=${early}`,
  ].map((filter) => `/beta/casework/cases?${filter}`)
}

/** The time at which this share of the events had come. */
function timeAt({ count, firstMs, stepMs }: WrittenEvents, share: number): string {
  return new Date(firstMs + share * count * stepMs).toISOString()
}

async function benchPages(
  stage: Stage,
  server: ServerProcess,
  written: WrittenEvents,
): Promise<Figure[]> {
  const figures: Figure[] = []
  const bareMs = await measureRoundTrips(stage.pool)
  for (const path of listPaths(written)) {
    for (const [place, of] of await findPlaces(stage, server, path)) {
      const name = `${path.replace('/beta/casework/', '')} ${place}`
      const load = { name, paths: [of], requestsMax: REQUESTS, durationMs: DURATION_MS, bareMs }
      figures.push(await measurePage(stage, server, load))
    }
  }
  return figures
}

/** The page and, if there is one, the next page. */
async function findPlaces(
  stage: Stage,
  server: ServerProcess,
  path: string,
): Promise<readonly (readonly [string, string])[]> {
  const next = await findNextPath(stage, server, path)
  return [['first', path], ...(next === null ? [] : [['second', next] as const])]
}
