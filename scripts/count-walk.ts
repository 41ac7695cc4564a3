// npm run walk: how many files and functions of ours one request passes, counted at run time by
// V8's precise coverage around one warm request over a real socket. docs/internals/architecture.md
// names the files. Work in the background is left out: a file counts only when all rounds enter it.

import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startServer } from '../src/app/serve.ts'
import { loadConfig } from '../src/kernel/config.ts'
import { silentLog } from '../src/kernel/log.ts'

const SOURCES = join(import.meta.dirname, '..', 'src')
const TOKEN = 'a-token-for-counting-the-files-of-one-request'
const WARM_UPS = 20
const ROUNDS = 12
// A worker takes a run to its next node in less than a second; a busy machine may take far longer.
const NODE_TIMEOUT_MS = 60_000
const NODE_POLL_MS = 50

interface Walk {
  readonly name: string
  /** Sends the request and reads its answer; throws when it was refused. */
  readonly send: () => Promise<void>
  /** Waits until the request can be sent again; it is not counted. */
  readonly prepare?: () => Promise<void>
}

/** A JSON object, or a list of them. */
interface Answer {
  readonly [member: string]: unknown
  readonly items?: readonly Answer[]
  readonly tokens?: readonly Answer[]
}

interface Passed {
  readonly files: ReadonlySet<string>
  readonly functions: ReadonlySet<string>
}

const folder = mkdtempSync(join(tmpdir(), 'casework-walk-'))
try {
  chmodSync(folder, 0o711)
  await countAll(process.argv.includes('--files'))
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function countAll(isListing: boolean): Promise<void> {
  const { config } = loadConfig({
    flags: {},
    environment: {
      CASEWORK_DATA_DIR: folder,
      CASEWORK_PORT: '0',
      CASEWORK_SMTP_PORT: 'off',
      CASEWORK_REVERSE_DNS: 'off',
      CASEWORK_BOOTSTRAP_TOKEN: TOKEN,
    },
    file: null,
  })
  const server = await startServer(config, silentLog, {
    signal: new AbortController().signal,
    onFirstToken: () => undefined,
  })
  try {
    for (const walk of await prepareWalks(server.url ?? '')) {
      const passed = await countWalk(walk)
      console.log(`${walk.name}: ${passed.files.size} files, ${passed.functions.size} functions`)
      if (isListing) for (const file of [...passed.files].toSorted()) console.log(`  ${file}`)
    }
  } finally {
    await server.stop()
  }
}

async function prepareWalks(url: string): Promise<readonly Walk[]> {
  let count = 0
  // While nothing else is configured, each address is a customer of its own.
  const event = () => ({
    event_type: 'LoginAttack',
    event_date: new Date().toISOString(),
    sender_email: 'reports@example.org',
    ip: `198.51.100.${count}`,
  })
  const post = async (path: string, body: unknown) =>
    await request(url, path, { method: 'POST', body: JSON.stringify(body) })
  const pushed = await post('/beta/casework/events', event())
  const caseId = readText(pushed, 'case_id')
  await post(`/beta/casework/cases/${caseId}/comments`, { text: 'Called the customer.' })
  const trigger = await prepareTrigger(url, post)
  return [
    {
      name: 'GET /beta/query/{item}',
      send: async () => {
        await request(url, '/beta/query/192.0.2.1', {})
      },
    },
    {
      name: 'GET /beta/casework/cases/{caseId}/comments',
      send: async () => {
        await request(url, `/beta/casework/cases/${caseId}/comments`, {})
      },
    },
    {
      name: 'POST /beta/casework/events, one event that opens a case',
      send: async () => {
        count += 1
        const answer = await post('/beta/casework/events', event())
        readText(answer, 'case_id')
      },
    },
    {
      name: 'POST /beta/casework/cases/{caseId}/trigger-playbook, until 202',
      ...trigger,
    },
  ]
}

// A playbook of two nodes that lead to each other, so that every call moves the run on.
async function prepareTrigger(
  url: string,
  post: (path: string, body: unknown) => Promise<Answer>,
): Promise<Pick<Walk, 'send' | 'prepare'>> {
  const playbook = await post('/beta/casework/playbooks', {
    name: 'walk',
    nodes: [
      { id: 'start', kind: 'start', paths: { next: 'one' } },
      { id: 'one', kind: 'trigger', config: { paths: ['on'] }, paths: { on: 'two' } },
      { id: 'two', kind: 'trigger', config: { paths: ['on'] }, paths: { on: 'one' } },
    ],
  })
  const playbookId = readText(playbook, 'id')
  await post(`/beta/casework/playbooks/${playbookId}/versions/1/activate`, {})
  const groups = await request(url, '/beta/casework/case-groups', {})
  const groupId = readText(groups.items?.at(-1) ?? {}, 'id')
  await request(url, `/beta/casework/case-groups/${groupId}`, {
    method: 'PATCH',
    body: JSON.stringify({ playbook_id: playbookId }),
  })
  const pushed = await post('/beta/casework/events', {
    event_type: 'LoginAttack',
    event_date: new Date().toISOString(),
    sender_email: 'reports@example.org',
    ip: '192.0.2.2',
  })
  const caseId = readText(pushed, 'case_id')
  // Later cases start no run, so that the walk of an event is that of an event alone.
  await request(url, `/beta/casework/case-groups/${groupId}`, {
    method: 'PATCH',
    body: JSON.stringify({ playbook_id: null }),
  })
  let node = 'one'
  return {
    prepare: async () => await waitUntilAt(url, caseId, node),
    send: async () => {
      await post(`/beta/casework/cases/${caseId}/trigger-playbook`, { node, path: 'on' })
      node = node === 'one' ? 'two' : 'one'
    },
  }
}

/** Waits until the run of the case waits at the node. */
async function waitUntilAt(url: string, caseId: string, node: string): Promise<void> {
  const path = `/beta/casework/cases/${caseId}/runs`
  const endsAt = performance.now() + NODE_TIMEOUT_MS
  let seen: readonly Answer[] = []
  while (performance.now() < endsAt) {
    const [run] = (await request(url, path, {})).items ?? []
    if (run !== undefined) {
      seen = (await request(url, `${path}/${readText(run, 'run_id')}`, {})).tokens ?? []
    }
    // What these requests leave to do behind their answers is done meanwhile, too.
    await sleep(NODE_POLL_MS)
    if (seen.some((token) => token['state'] === 'waiting' && token['node'] === node)) return
  }
  throw new Error(`the run did not come to the node ${node}: ${JSON.stringify(seen)}`)
}

async function request(url: string, path: string, options: RequestInit): Promise<Answer> {
  const answer = await fetch(`${url}${path}`, {
    ...options,
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${text}`)
  return text === '' ? {} : JSON.parse(text)
}

function readText(value: Answer, member: string): string {
  const text = value[member]
  if (typeof text !== 'string') throw new Error(`no ${member} in ${JSON.stringify(value)}`)
  return text
}

async function countWalk(walk: Walk): Promise<Passed> {
  for (let round = 0; round < WARM_UPS; round += 1) {
    await walk.prepare?.()
    await walk.send()
  }
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  const rounds: Passed[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    await walk.prepare?.()
    // What ran before the request is not counted.
    await takeCoverage(session)
    await walk.send()
    rounds.push(await takeCoverage(session))
  }
  await session.post('Profiler.stopPreciseCoverage')
  session.disconnect()
  return {
    files: intersect(rounds.map((round) => round.files)),
    functions: intersect(rounds.map((round) => round.functions)),
  }
}

function intersect(sets: readonly ReadonlySet<string>[]): ReadonlySet<string> {
  return sets.reduce((one, other) => one.intersection(other))
}

/** The functions of ours that ran since the last call. */
async function takeCoverage(session: Session): Promise<Passed> {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const files = new Set<string>()
  const functions = new Set<string>()
  for (const script of result) {
    if (!script.url.startsWith('file:')) continue
    const path = fileURLToPath(script.url)
    if (!path.startsWith(SOURCES)) continue
    const file = relative(SOURCES, path)
    for (const { functionName, ranges } of script.functions) {
      const [range] = ranges
      if (range === undefined || range.count === 0) continue
      files.add(file)
      functions.add(`${file}:${functionName}:${range.startOffset}`)
    }
  }
  return { files, functions }
}
