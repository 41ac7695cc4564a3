import assert from 'node:assert/strict'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { buildTestConfig } from '../../../test/harness.ts'
import { atEnd, makeDataFolder, startPostgres } from '../../../test/postgres-harness.ts'
import { runAsSuperuser, startStandby, urlOf } from '../../../test/standby-kit.ts'
import { waitUntil } from '../../../test/wait.ts'
import { NETWORK_TABLE_FILE } from '../../intel/enrichment/asn.ts'
import { outsideScopes } from '../../kernel/db/row-scope.ts'
import { createLog, type Log, silentLog } from '../../kernel/log.ts'
import { type RunningServer, startServer } from '../serve.ts'

const SECRET = 'node-secret-of-the-tests-0123456789abcdef'
const TOKEN = 'administrator-of-the-tests-0123456789abcdef'
const PUBLIC_URL = 'https://casework.example.org'

interface Node {
  readonly url: string
  readonly logged: readonly string[]
  readonly send: (method: string, path: string, given?: Given) => Promise<Answer>
  readonly stop: RunningServer['stop']
}

interface Given {
  readonly token?: string
  readonly json?: unknown
  readonly accept?: string
}

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- a test reads what came, whatever it is
  readonly json: any
}

async function startNode(t: TestContext, environment: Record<string, string>): Promise<Node> {
  const dataDir = makeDataFolder(t)
  const networkTable = process.env['CASEWORK_TEST_NETWORK_TABLE']
  if (networkTable !== undefined) symlinkSync(networkTable, join(dataDir, NETWORK_TABLE_FILE))
  const logged: string[] = []
  const write = (line: string): unknown => logged.push(line)
  const config = buildTestConfig({
    CASEWORK_DATA_DIR: dataDir,
    CASEWORK_PORT: '0',
    CASEWORK_CONSOLE: 'off',
    CASEWORK_NODE_SECRET: SECRET,
    ...environment,
  })
  const log = createLog({ level: 'info', isForPeople: false, destination: { write } })
  const signal = new AbortController().signal
  const server = await outsideScopes(() =>
    startServer(config, log, { signal, onFirstToken: () => undefined }),
  )
  atEnd(t, server.stop)
  const { url } = server
  assert.ok(url !== null)
  return {
    url,
    logged,
    stop: server.stop,
    async send(method, path, { token, json, accept } = {}) {
      const answer = await fetch(`${url}${path}`, {
        method,
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(json === undefined ? {} : { 'content-type': 'application/json' }),
          ...(accept === undefined ? {} : { accept }),
        },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      })
      const text = await answer.text()
      const isJson = /json/.test(answer.headers.get('content-type') ?? '')
      const parsed: unknown = isJson ? JSON.parse(text) : null
      return { status: answer.status, headers: answer.headers, text, json: parsed }
    },
  }
}

const startPrimaryNode = (t: TestContext, url: string): Promise<Node> =>
  startNode(t, {
    DATABASE_URL: url,
    CASEWORK_ROLES: 'api',
    CASEWORK_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    CASEWORK_BOOTSTRAP_TOKEN: TOKEN,
  })

const startLookup = (
  t: TestContext,
  url: string,
  more: Record<string, string> = {},
): Promise<Node> =>
  startNode(t, {
    DATABASE_URL: url,
    CASEWORK_ROLES: 'lookup',
    CASEWORK_PUBLIC_URL: PUBLIC_URL,
    ...more,
  })

async function list(node: Node, items: readonly string[]): Promise<void> {
  const rows = items.map((item) => ({ item, list: 'spam', source: 'desk' }))
  const answer = await node.send('POST', '/beta/listings', { token: TOKEN, json: rows })
  assert.equal(answer.status, 200, answer.text)
}

const isListed = async (node: Node, item: string): Promise<boolean> => {
  const answer = await node.send('GET', `/beta/query/${item}`)
  assert.ok([200, 503].includes(answer.status), answer.text)
  return answer.json.result.serviceMailBlocklist === 'ACTIVE'
}

async function findCheck(node: Node, name: string): Promise<{ state: string; detail: string }> {
  const { json } = await node.send('GET', '/readyz')
  return json.checks.find((check: { name: string }) => check.name === name)
}

async function readAge(node: Node): Promise<number> {
  const { text } = await node.send('GET', '/metrics')
  return Number(/^casework_intel_age_seconds ([\d.]+)$/m.exec(text)?.[1])
}

const isPoll = (line: string): boolean => line.includes('pg_stat_wal_receiver')

const address = (third: number, last: number): string => `198.18.${third}.${last}`

test('a node with the role lookup on a hot standby', async (t) => {
  const primary = await startPostgres(t, makeDataFolder(t))
  await assert.rejects(startLookup(t, urlOf(primary.socketFolder)), {
    code: 'APP_SCHEMA_NOT_READY',
  })
  const writer = await startPrimaryNode(t, urlOf(primary.socketFolder))
  await list(writer, ['192.0.2.1'])
  const statements: string[] = []
  const standby = await startStandby(t, primary, listenTo(statements))
  const node = await startLookup(t, standby.url)

  await t.test('200 for look-ups and quick checks, with what the primary is told', async () => {
    assert.ok(await isListed(node, '192.0.2.1'))
    await list(writer, ['192.0.2.2'])
    await waitUntil(() => isListed(node, '192.0.2.2'))
    const checked = await node.send('POST', '/beta/quick-check', {
      json: ['192.0.2.2', '192.0.2.3'],
    })
    assert.deepEqual(
      checked.json.result.map((one: { serviceMailBlocklist: string }) => one.serviceMailBlocklist),
      ['ACTIVE', 'INACTIVE'],
    )
    for (const path of ['/beta/tags', '/beta/explain/192.0.2.2', '/openapi.json', '/metrics']) {
      assert.equal((await node.send('GET', path)).status, 200, path)
    }
  })

  await t.test('a change of many subjects is read without writing a table', async () => {
    await list(
      writer,
      Array.from({ length: 4 * 250 }, (_, at) => address(at >> 8, at & 255)),
    )
    await waitUntil(() => isListed(node, address(3, 200)))
  })

  await t.test(
    'tokens of the primary count, and end here when they are revoked there',
    async () => {
      const range = '/beta/ranges/192.0.2.0%2F24'
      assert.equal((await node.send('GET', range)).status, 401)
      const made = await writer.send('POST', '/beta/admin/tokens', {
        token: TOKEN,
        json: { name: 'far away', scopes: ['intel:read'] },
      })
      assert.equal(made.status, 201, made.text)
      const { token, id } = made.json
      const ask = async (): Promise<number> => (await node.send('GET', range, { token })).status
      await waitUntil(async () => (await ask()) === 200)
      assert.equal(
        (await writer.send('DELETE', `/beta/admin/tokens/${id}`, { token: TOKEN })).status,
        204,
      )
      await waitUntil(async () => (await ask()) === 401)
    },
  )

  await t.test('503 that names another node for everything that it does not serve', async () => {
    for (const [method, path] of [
      ['POST', '/beta/listings'],
      ['PUT', '/beta/tags/scan:port'],
      ['GET', '/beta/casework/cases'],
      ['POST', '/beta/casework/events'],
      ['GET', '/beta/admin/tokens'],
      ['GET', '/beta/whoami'],
    ] as const) {
      const accept = 'application/problem+json'
      const answer = await node.send(method, path, { token: TOKEN, accept })
      assert.equal(answer.status, 503, path)
      assert.equal(answer.headers.get('casework-problem'), 'APP_LOOKUP_NODE_ONLY')
      assert.equal(answer.headers.get('link'), `<${PUBLIC_URL}${path}>; rel="alternate"`)
      assert.match(answer.text, /send the request to https:\/\/casework\.example\.org/)
    }
    assert.equal((await node.send('GET', '/')).status, 404)
    assert.equal((await node.send('POST', '/readyz')).status, 405)
  })

  await t.test('ready for look-ups and never for writes', async () => {
    const ready = await node.send('GET', '/readyz')
    assert.deepEqual([ready.status, ready.json.status], [200, 'ready'], ready.text)
    const write = await node.send('GET', '/readyz/write')
    assert.equal(write.status, 503)
    assert.match(write.text, /role lookup/)
  })

  await t.test('idle, it sends one statement a poll and no other', async () => {
    const countPolls = (): number => statements.filter(isPoll).length
    const before = countPolls()
    await waitUntil(() => countPolls() > before)
    const first = statements.length
    await waitUntil(() => countPolls() > before + 6)
    const others = statements.slice(first).filter((line) => !isPoll(line))
    assert.deepEqual(others, [])
    // Nothing was committed for three seconds, and nothing is missing.
    assert.ok((await readAge(node)) < 2, `${await readAge(node)} s`)
  })

  await t.test('with several threads each follows what the first one is told', async (inner) => {
    const threaded = await startLookup(inner, standby.url, { CASEWORK_THREADS: '3' })
    await list(writer, ['192.0.2.77'])
    const askAll = (): Promise<boolean[]> =>
      Promise.all(
        Array.from({ length: 24 }, async () => {
          // A connection of its own, which any thread may take.
          const answer = await fetch(`${threaded.url}/beta/query/192.0.2.77`, {
            headers: { connection: 'close' },
          })
          return (await answer.text()).includes('"serviceMailBlocklist":"ACTIVE"')
        }),
      )
    await waitUntil(async () => (await askAll()).every(Boolean))
    const { text } = await threaded.send('GET', '/metrics')
    assert.match(text, /^casework_intel_age_seconds /m)
    await threaded.stop()
  })

  await t.test('a new node takes the snapshot of this one, by the secret', async (inner) => {
    const second = await startLookup(inner, standby.url, { CASEWORK_SNAPSHOT_FROM: node.url })
    assert.match(second.logged.join(''), /The snapshot of another node was taken/)
    assert.ok(await isListed(second, '192.0.2.1'))
    assert.ok(await isListed(second, address(3, 200)))
    await second.stop()
    const wrong = { CASEWORK_SNAPSHOT_FROM: node.url, CASEWORK_NODE_SECRET: `${SECRET}x` }
    const third = await startLookup(inner, standby.url, wrong)
    assert.match(third.logged.join(''), /the node answered 401/)
    assert.ok(await isListed(third, '192.0.2.1'))
  })

  await t.test('a standby that is behind the snapshot is waited for', async (inner) => {
    await runAsSuperuser(standby.host, async (client) => {
      await client.query('select pg_wal_replay_pause()')
    })
    await list(
      writer,
      Array.from({ length: 2_500 }, (_, at) => address(10 + (at >> 8), at & 255)),
    )
    await waitUntil(() => isListed(writer, address(10, 1)))
    const pushed = await writer.send('GET', '/beta/query/192.0.2.1')
    const serial = Number(pushed.headers.get('x-casework-serial'))
    // Once it is quiet, the push becomes a part of the snapshot.
    await waitUntil(async () => {
      const answer = await writer.send('GET', '/beta/snapshot', { token: TOKEN })
      return Number(answer.headers.get('x-casework-serial')) >= serial
    })
    const starting = startLookup(inner, standby.url, { CASEWORK_SNAPSHOT_FROM: writer.url })
    await waitUntil(() => statements.some((line) => line.includes('as is_standby')))
    await runAsSuperuser(standby.host, async (client) => {
      await client.query('select pg_wal_replay_resume()')
    })
    const late = await starting
    assert.match(late.logged.join(''), /The snapshot of another node was taken/)
    assert.ok(await isListed(late, address(10, 1)))
  })

  await t.test('look-ups go on without the primary, and it says how old they are', async () => {
    // It was behind until now.
    await waitUntil(async () => (await readAge(node)) < 2)
    await writer.stop()
    await primary.stop()
    await waitUntil(async () => (await readAge(node)) > 6)
    assert.ok(await isListed(node, '192.0.2.1'))
    assert.equal((await findCheck(node, 'intel')).state, 'degraded')
    assert.equal((await node.send('GET', '/readyz')).status, 200)
    // A new node begins without it as well.
    const second = await startLookup(t, standby.url, { CASEWORK_SNAPSHOT_FROM: node.url })
    assert.ok(await isListed(second, '192.0.2.1'))
    assert.equal((await findCheck(second, 'database')).state, 'ok')
    await standby.stop()
    assert.ok(await isListed(node, '192.0.2.1'))
    assert.ok(await isListed(second, '192.0.2.1'))
    assert.equal((await findCheck(node, 'database')).state, 'degraded')
    assert.equal((await node.send('GET', '/readyz')).status, 200)
  })
})

/** Keeps the statements that the server says it got. One of several lines comes line by line. */
function listenTo(statements: string[]): Log {
  return {
    ...silentLog,
    debug: (_message, fields) => {
      const line: unknown = fields !== undefined && 'line' in fields ? fields.line : null
      if (typeof line !== 'string') return
      if (/^LOG:\s+(?:statement|execute)/.test(line)) statements.push(line)
      else if (/^\s/.test(line)) statements.push(`${statements.pop() ?? ''}${line}`)
    },
  }
}
