// Two nodes of Casework on PostgreSQL under Patroni and etcd, behind HAProxy, all from the files of
// deploy/ha, under load: the primary's machine is killed, then loses its power without a word, and
// a name leads to the standby. What was acknowledged is there, look-ups go on, senders keep what
// they have, and everything arrives once. Times are printed beside the lease and not asserted: a
// busy machine may take longer.

import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import { Client } from 'pg'
import { createCasework } from '../../src/client/client.ts'
import { openDnsServer } from '../fixtures/dns-server.ts'
import { buildMail, openClient, REPORT_TEXT } from '../mail-kit.ts'
import { runCommand } from '../startup/program.ts'
import { waitUntil } from '../wait.ts'
import { type Cluster, type DatabaseMachine, openCluster, readNodeExample } from './cluster.ts'
import { type Load, type LoadResult, startLoad } from './load.ts'
import { type Address, type Machines, openMachines, readVariables, when } from './machines.ts'
import { type MailQueue, openMailQueue } from './mail-queue.ts'
import { type CaseworkNode, startNode, TOKEN } from './nodes.ts'
import { openWire, type Wire } from './wire.ts'

const ITEM = '203.0.113.7'
const MAILBOX = 'abuse@abuse.example.org'
const READ_ONLY = 'KERNEL_DATABASE_READ_ONLY'

interface Site {
  readonly cluster: Cluster
  readonly nodes: readonly [CaseworkNode, CaseworkNode]
  /** HAProxy in front of both nodes. */
  readonly front: string
  readonly queue: MailQueue
  /** The way of the first node to its database: a name that can lead elsewhere. */
  readonly name: Wire
  /** Where that name leads to: HAProxy. */
  readonly proxy: Address
}

test('failover', async (whole) => {
  const site = await openSite(whole)
  const { cluster, nodes } = site
  await whole.test(
    'the machine of the primary is killed under load: nothing acknowledged is lost, look-ups are all 200, the rest 503 with Retry-After, mail 451, and queue, command and client bring everything once',
    async (t) => {
      const sent = Array.from({ length: 6 }, (_, at) => `kill-${at}`)
      await site.queue.send(buildReport(sent[0] ?? ''), MAILBOX)
      const lost = await lose(t, site, 'kill', async (machine) => {
        await machine.lose()
        const command = pushByCommand(t, site)
        const client = pushByClient(site)
        assert.match(await whenRefused(t, nodes[0].mail), /^451 /)
        for (const id of sent.slice(1)) await site.queue.send(buildReport(id), MAILBOX)
        return async () => {
          const { code, stderr } = await command
          assert.equal(code, 0, stderr)
          assert.match(await client, /^[0-9a-f-]{36}$/)
        }
      })
      await assertMails(t, site, sent)
      lost.start()
      await cluster.whenSafe()
    },
  )
  await whole.test(
    'the machine of the primary loses its power: its connections stay open and silent, nothing acknowledged is lost, both nodes come back by themselves, and a revoked token is refused',
    async (t) => {
      const token = await createToken(nodes[1])
      const lost = await lose(t, site, 'silent', async (machine) => {
        for (const wire of machine.wires) wire.silence()
        await machine.lose()
        return async () => undefined
      })
      assert.equal((await nodes[1].send('DELETE', `/beta/admin/tokens/${token.id}`)).status, 204)
      await when(t, 'the revoked token is refused by the other node', async () => {
        const headers = { authorization: `Bearer ${token.token}` }
        return (await fetch(`${nodes[0].url}/beta/whoami`, { headers })).status === 401
      })
      for (const wire of lost.wires) wire.mend()
      lost.start()
      await cluster.whenSafe()
    },
  )
  await whole.test(
    'the name of the database leads to the standby for a while: writes are 503 and never 500, /readyz/write says so, and with the name right again they are taken',
    async (t) => {
      const { standby } = await cluster.whenSafe()
      const load = await beginLoad(t, site, 'stale', [nodes[0].url])
      site.name.leadTo(standby.database)
      site.name.cut()
      await when(t, 'the node says that its database is read-only', async () => {
        const refused = await nodes[0].send('POST', '/beta/casework/events', buildEvent('stale'))
        return refused.status === 503 && refused.text.includes(READ_ONLY)
      })
      assert.equal((await fetch(`${nodes[0].url}/readyz/write`)).status, 503)
      assert.equal((await fetch(`${nodes[0].url}/readyz`)).status, 200)
      // The other node and HAProxy's way to it go on.
      await when(t, 'HAProxy has taken the node out', async () => {
        return (await fetch(`${site.front}/readyz/write`)).status === 200
      })
      site.name.leadTo(site.proxy)
      await whenTaken(t, load)
      await finish(t, site, load, 'stale')
    },
  )
  for (const node of nodes) await node.stop()
})

async function openSite(t: TestContext): Promise<Site> {
  const machines = await openMachines(t)
  const cluster = await openCluster(t, machines)
  const queue = await openMailQueue(t, machines)
  const dns = await openDnsServer(() => ({ kind: 'code', code: 'nxdomain' }))
  t.after(() => dns.close())
  const example = readNodeExample(machines)
  const url = new URL(readVariables(example)['DATABASE_URL'] ?? '')
  const proxy = { host: url.hostname, port: Number(url.port) }
  const named = machines.at(10, 5432)
  const name = await openWire(t, named, proxy)
  url.host = `${named.host}:${named.port}`
  const hosts = /^#DATABASE_URL=(.*)$/m.exec(example)?.[1] ?? ''
  const own = { CASEWORK_DNS_SERVERS: dns.address }
  const nodes = [
    await startNode(t, machines, 1, { ...own, DATABASE_URL: url.href }),
    await startNode(t, machines, 2, { ...own, DATABASE_URL: hosts }),
  ] as const
  const listing = [{ item: ITEM, list: 'list', source: 'source' }]
  assert.equal((await nodes[0].send('POST', '/beta/listings', listing)).status, 200)
  const front = buildFront(machines)
  for (const each of [front, ...nodes.map((node) => node.url)]) {
    await when(t, 'the listing is everywhere', async () => {
      const answer = await fetch(`${each}/beta/query/${ITEM}`)
      return (await answer.text()).includes('"ACTIVE"')
    })
  }
  return { cluster, nodes, front, queue, name, proxy }
}

function buildFront(machines: Machines): string {
  const { host, port } = machines.at(10, 80)
  return `http://${host}:${port}`
}

/**
 * Takes the primary away under load, and waits until the other one has taken its place and all that
 * was sent is stored. `takeAway` takes it away; what it returns is awaited before the load ends.
 */
async function lose(
  t: TestContext,
  site: Site,
  name: string,
  takeAway: (machine: DatabaseMachine) => Promise<() => Promise<void>>,
): Promise<DatabaseMachine> {
  const { primary, standby } = await site.cluster.whenSafe()
  const load = await beginLoad(t, site, name)
  const startedAt = performance.now()
  const wait = await takeAway(primary)
  await when(t, 'the successor', () => standby.hasRole('primary'))
  const promotedSeconds = (performance.now() - startedAt) / 1_000
  await whenTaken(t, load)
  await wait()
  for (const node of site.nodes) {
    await when(t, 'the node is ready to write', async () => {
      return (await fetch(`${node.url}/readyz/write`)).status === 200
    })
  }
  const { gapSeconds } = await finish(t, site, load, name)
  t.diagnostic(
    `lease ${site.cluster.leaseSeconds} s: a successor after ${promotedSeconds.toFixed(1)} s, no write was accepted for ${gapSeconds.toFixed(1)} s`,
  )
  return primary
}

async function beginLoad(
  t: TestContext,
  { front, nodes }: Site,
  name: string,
  urls: readonly string[] = [front, ...nodes.map(({ url }) => url)],
): Promise<Load> {
  const load = startLoad({ urls, token: TOKEN, name, item: ITEM })
  t.after(load.abandon)
  await waitUntil(() => load.count().accepted >= 30, 'the first pushes are accepted')
  return load
}

/** Settles when pushes that began after this call are accepted. */
async function whenTaken(t: TestContext, load: Load): Promise<void> {
  const before = load.count().accepted
  await when(t, 'writes are accepted', async () => load.count().accepted > before + 30)
}

/** Ends the load; all that was acknowledged is stored once, under the id its sender was told. */
async function finish(
  t: TestContext,
  { cluster }: Site,
  load: Load,
  name: string,
): Promise<LoadResult> {
  const result = await load.end()
  const { acknowledged, answers, wrong } = result
  t.diagnostic(`${acknowledged.size} events acknowledged; ${JSON.stringify(answers)}`)
  assert.deepEqual(wrong, [])
  assert.deepEqual(
    Object.keys(answers).filter((answer) => /^look-up (?!200)|500/.test(answer)),
    [],
  )
  const rows = await ask(
    cluster,
    `select reporter_report_id as report, event_id as id from event where reporter_report_id like '${name}-%-%'`,
  )
  assert.deepEqual(
    rows.map(({ report, id }) => `${String(report)} ${String(id)}`).toSorted(),
    [...acknowledged].map(([report, id]) => `${report} ${id}`).toSorted(),
  )
  const wrongCounts = await ask(
    cluster,
    `select abuse_case.id from abuse_case left join event
       on event.tenant_id = abuse_case.tenant_id and event.case_id = abuse_case.id
     group by abuse_case.tenant_id, abuse_case.id, abuse_case.event_count
     having count(event.event_id) <> abuse_case.event_count`,
  )
  assert.deepEqual(wrongCounts, [])
  return result
}

/** Every mail has left the queue, some after a 451, and each one's event is there once. */
async function assertMails(
  t: TestContext,
  { cluster, queue }: Site,
  sent: readonly string[],
): Promise<void> {
  const read = async (): Promise<readonly string[]> => {
    const rows = await ask(
      cluster,
      `select reporter_report_id as report from event where reporter_report_id like '%@reporter.example%'`,
    )
    return rows.map(({ report }) => String(report)).toSorted()
  }
  await when(t, 'every mail has arrived', async () => new Set(await read()).size >= sent.length)
  const log = queue.readLog()
  const countLines = (pattern: RegExp): number => log.filter((line) => pattern.test(line)).length
  assert.deepEqual(
    await read(),
    sent.map((id) => `<${id}@reporter.example>`),
  )
  assert.ok(countLines(/status=deferred .*said: 451 /) > 0, 'no mail was deferred')
  assert.equal(countLines(/status=bounced/), 0)
  t.diagnostic(
    `mail queue: ${countLines(/status=sent/)} sent, ${countLines(/status=deferred/)} times deferred`,
  )
}

/** Asks the primary as the role of the program, in the scope of all tenants. */
async function ask(cluster: Cluster, sql: string): Promise<readonly Record<string, unknown>[]> {
  const primary = await cluster.findPrimary()
  assert.ok(primary)
  const client = new Client({
    ...primary.database,
    user: 'casework',
    password: 'replace-casework',
    database: 'casework',
    options: '-c casework.tenant_id=*',
  })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end()
  }
}

async function pushByCommand(
  t: TestContext,
  { front }: Site,
): Promise<{ readonly code: number | null; readonly stderr: string }> {
  const event = JSON.stringify(buildEvent('command'))
  const environment = { CASEWORK_URL: front, CASEWORK_TOKEN: TOKEN, EVENT: event }
  const casework = [process.execPath, `${import.meta.dirname}/../../bin/casework.js`] as const
  const script = 'printf %s "$EVENT" | "$0" "$1" event push -'
  const command = ['sh', '-c', script, ...casework]
  const { code, stderr } = await runCommand(t, [], { environment, command })
  return { code, stderr }
}

async function pushByClient({ front }: Site): Promise<string> {
  const casework = createCasework({ url: front, token: TOKEN })
  const pushed = await casework.post('/beta/casework/events', { body: buildEvent('client') })
  return String(Object(pushed)['event_id'])
}

function buildEvent(reportId: string): {
  event_type: string
  event_date: string
  ip: string
  sender_email: string
  report_id: string
} {
  return {
    event_type: 'LoginAttack',
    event_date: new Date().toISOString(),
    ip: '198.51.100.230',
    sender_email: 'reporter@example.com',
    report_id: reportId,
  }
}

function buildReport(id: string): string {
  return buildMail(id, REPORT_TEXT)
}

/** The first refusal of a mail by a node, past HAProxy, which a sender's own queue would hear. */
async function whenRefused(t: TestContext, { host, port }: Address): Promise<string> {
  return await when(t, 'a mail is refused', async () => {
    const client = openClient(connect(port, host))
    try {
      client.socket.write('PROXY TCP4 192.0.2.5 192.0.2.10 40000 25\r\n')
      await client.hear()
      await client.say('EHLO client.example')
      for (const line of ['MAIL FROM:<a@reporter.example>', `RCPT TO:<${MAILBOX}>`, 'DATA']) {
        const reply = await client.say(line)
        if (!/^[23]/.test(reply)) return reply
      }
      const reply = await client.endMail(buildReport('refused'))
      return reply.startsWith('2') ? null : reply
    } finally {
      client.close()
    }
  })
}

interface CreatedToken {
  readonly id: string
  readonly token: string
}

async function createToken(node: CaseworkNode): Promise<CreatedToken> {
  const made = await node.send('POST', '/beta/admin/tokens', { name: 't', scopes: ['cases:read'] })
  assert.equal(made.status, 201, made.text)
  return JSON.parse(made.text)
}
