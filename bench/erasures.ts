// Erasing ten thousand people at once, one, and exporting one, in a database that holds years of
// events and some raw mails. The goal: ten thousand subjects within ten minutes.

import { setTimeout as delay } from 'node:timers/promises'
import type { ServerProcess } from './lib/process.ts'
import { type Figure, printFigures } from './lib/report.ts'
import { readCount } from './lib/settings.ts'
import type { Stage } from './lib/stage.ts'
import { writeEvents } from './lib/write-events.ts'

const EVENTS = readCount('BENCH_ERASURE_EVENTS', 1_000_000)
const MAILS = readCount('BENCH_ERASURE_MAILS', 20_000)
const PEOPLE = 20_000
const SUBJECTS = 10_000
// A request works for five seconds, so this is more than an hour.
const REQUESTS_MAX = 1_000
const AGAIN_MAX = 100

export async function benchErasures(stage: Stage): Promise<void> {
  await stage.makeTables()
  await writeEvents(stage, EVENTS)
  await writePeople(stage)
  const server = await stage.startServer()
  try {
    const title = `Erasures, ${EVENTS.toLocaleString('en')} events, ${MAILS.toLocaleString('en')} raw mails`
    printFigures(title, await measure(stage, server))
  } finally {
    await server.stop()
  }
}

/** Every tenth event is of one of these people, and so is each mail. */
async function writePeople({ pool }: Stage): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    await client.query(
      `update event set sender_email = 'person-' || (number / 10) % ${PEOPLE} || '@example.com'
       from (select event_id as id, row_number() over (order by event_id) as number from event) as numbered
       where event.event_id = numbered.id and number % 10 = 0`,
    )
    const text = `E'From: person-' || number % ${PEOPLE} || E'@example.com\\r\\nSubject: attack\\r\\n\\r\\n' || repeat(E'2026-04-01 sshd: failed password from 192.0.2.1\\r\\n', 40)`
    await client.query(
      `insert into report_raw (tenant_id, sha256, bytes)
       select 'default', sha256(number::text::bytea), (${text})::bytea from generate_series(1, ${MAILS}) as number`,
    )
    await client.query(
      `insert into report (tenant_id, id, received_at, media_type, byte_length, sha256, state, event_count, received_by)
       select 'default', gen_random_uuid(), now(), 'message/rfc822', 2000, sha256, 'accepted', 0, 'bench' from report_raw`,
    )
    await client.query('vacuum analyze')
  } finally {
    client.release()
  }
}

async function measure(stage: Stage, server: ServerProcess): Promise<readonly Figure[]> {
  const bareMs = await measureMs(async () => {
    await stage.pool.query(
      `select count(*) from event where lower(sender_email || coalesce(details::text, '')) like '%nobody%'`,
    )
  })
  const calibration = `one look through all events in SQL ${formatSeconds(bareMs)}`
  const figure = async (name: string, work: () => Promise<void>): Promise<Figure> => {
    const cpuBefore = server.readCpuSeconds()
    const ms = await measureMs(work)
    const cpu = server.readCpuSeconds() - cpuBefore
    const ours = `${formatSeconds(ms)}, of which ${cpu.toFixed(1)} s of a processor in the program`
    return { name, ours, calibration, ratio: ms / bareMs }
  }
  const send = createSender(stage, server)
  const addresses = Array.from({ length: SUBJECTS }, (_, index) => `person-${index}@example.com`)
  const last = `person-${PEOPLE - 1}@example.com`
  return [
    await figure('export of one person', () =>
      sendUntilDone(send, 'privacy-exports', { address: last }),
    ),
    await figure('erasure of one person', () => sendUntilDone(send, 'erasures', { address: last })),
    await figure(`erasure of ${SUBJECTS.toLocaleString('en')} people at once`, () =>
      sendUntilDone(send, 'erasures', { addresses }),
    ),
  ]
}

type Send = (path: string, body: object) => Promise<Readonly<Record<string, unknown>>>

function createSender({ token }: Stage, { port }: ServerProcess): Send {
  return async (path, body) => {
    const ask = () =>
      fetch(`http://127.0.0.1:${port}/beta/casework/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    let answer = await ask()
    // On a busy machine the thread that searches raw reports may not start in its time.
    for (let again = 0; answer.status === 503 && again < AGAIN_MAX; again += 1) {
      await delay(Number(answer.headers.get('retry-after') ?? 1) * 1_000)
      answer = await ask()
    }
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`)
    return Object(await answer.json())
  }
}

/** Sends the request until its answer says that all is done, and has no further page. */
async function sendUntilDone(send: Send, path: string, body: object): Promise<void> {
  let cursor: unknown = ''
  for (let sent = 0; sent < REQUESTS_MAX; sent += 1) {
    const answer = await send(path, cursor === '' ? body : { ...body, cursor })
    if (answer['state'] === 'done') console.log(`  ${path}: ${JSON.stringify(answer['changed'])}`)
    cursor = answer['next_cursor'] ?? ''
    if (answer['state'] !== 'under_way' && cursor === '') return
  }
  throw new Error(`${path} did not end in ${REQUESTS_MAX} requests`)
}

async function measureMs(work: () => Promise<void>): Promise<number> {
  const startedMs = performance.now()
  await work()
  return performance.now() - startedMs
}

function formatSeconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}
