import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { Counter, Registry } from 'prom-client'
import {
  type DnsQuestion,
  type DnsReply,
  type DnsServer,
  openDnsServer,
} from '../../../../test/fixtures/dns-server.ts'
import { openSmtpServer, type SmtpServer } from '../../../../test/fixtures/smtp-server.ts'
import { createTestDatabase, type TestDatabase } from '../../../../test/harness.ts'
import { createDatabase, type Database } from '../../../kernel/db/database.ts'
import { silentLog } from '../../../kernel/log.ts'
import { parseAllowList } from '../../../kernel/outbound/allow-list.ts'
import { parseItem } from '../../../values/item.ts'
import { type DnsClient, openDnsClient } from '../../dns/dns-client.ts'
import { createAbuseContacts } from '../../enrichment/abuse-contact.ts'
import { noteShownContacts } from '../contact-check-store.ts'
import { openContactDirectory } from '../contact-directory.ts'
import { putContacts } from '../contact-store.ts'
import { openShownContacts } from './shown-contacts.ts'
import { type ContactVerifier, createContactVerifier } from './verify-contacts.ts'

const HOUR_MS = 60 * 60_000
const DAY_MS = 24 * HOUR_MS
const NXDOMAIN: DnsReply = { kind: 'code', code: 'nxdomain' }

function shown(status: string, lastVerification: Date | null): object {
  return { kind: 'found', value: { email: 'abuse@example.com', status, lastVerification } }
}

/** A resolver with the Internet behind it knows the zone in-addr.arpa. */
function sane(answerer: (question: DnsQuestion) => DnsReply): (question: DnsQuestion) => DnsReply {
  return (question) =>
    question.type === 'SOA'
      ? { kind: 'records', records: [{ type: 'SOA', value: 'ns.example' }] }
      : answerer(question)
}

describe('the verification of abuse contacts', () => {
  let dnsServer: DnsServer
  let smtpServer: SmtpServer
  let testDatabase: TestDatabase
  let database: Database
  let dns: DnsClient
  let nowMs = 1_700_000_000_000
  const clock = { nowMs: () => nowMs }
  const { signal } = new AbortController()
  const closers: (() => Promise<void>)[] = []
  before(async () => {
    dnsServer = await openDnsServer(() => NXDOMAIN)
    smtpServer = await openSmtpServer()
    testDatabase = await createTestDatabase()
    database = createDatabase({ connection: testDatabase.connection, poolMax: 8, log: silentLog })
    dns = openDnsClient({ servers: [dnsServer.address], clock, deadlineMs: 750 })
  })
  beforeEach(async () => {
    await database.pool.query(
      'delete from contact_check; delete from contact_range; delete from contact_domain',
    )
    smtpServer.answerWith({})
    answerAll('127.0.0.1')
  })
  afterEach(async () => {
    for (const close of closers.splice(0)) await close()
  })
  after(async () => {
    dns.close()
    await smtpServer.close()
    await dnsServer.close()
    await database.close()
    await testDatabase.drop()
  })

  /** Every domain has one mail exchange, whose one address this is. */
  function answerAll(address: string): void {
    dnsServer.answerWith(
      sane(({ type }) => {
        if (type === 'MX') return { kind: 'records', records: [{ type, value: '10 mx.example' }] }
        return type === 'A' ? { kind: 'records', records: [{ type, value: address }] } : NXDOMAIN
      }),
    )
  }

  function openVerifier(
    options: { allow?: readonly string[]; port?: number; dialogMs?: number } = {},
  ): {
    verifier: ContactVerifier
    registry: Registry
  } {
    const registry = new Registry()
    const port = options.port ?? smtpServer.port
    const verifier = createContactVerifier({
      db: database.kysely,
      clock,
      dns,
      allow: parseAllowList(options.allow ?? ['127.0.0.0/24']),
      port,
      // Only what hangs meets these: a busy machine takes long.
      timing: { connectMs: 30_000, dialogMs: options.dialogMs ?? 30_000 },
      tests: new Counter({
        name: 'tests',
        help: 'x',
        labelNames: ['result'],
        registers: [registry],
      }),
    })
    return { verifier, registry }
  }

  async function showed(...emails: string[]): Promise<void> {
    await noteShownContacts(database.kysely, emails, nowMs)
  }

  async function statusOf(email: string): Promise<string | null> {
    const { rows } = await database.pool.query(
      'select status from contact_check where email = $1',
      [email],
    )
    return rows[0]?.status ?? null
  }

  /** Recipients that were asked for since the last call. */
  function countRecipients(): () => number {
    let seen = smtpServer.commands.length
    return () => {
      const asked = smtpServer.commands.slice(seen).filter((line) => line.startsWith('RCPT'))
      seen = smtpServer.commands.length
      return asked.length
    }
  }

  it('OK and the time of the test for a shown contact, in look-ups as well', async () => {
    const { verifier, registry } = openVerifier()
    const directory = await openContactDirectory({ db: database.kysely, log: silentLog })
    closers.push(directory.close)
    const item = parseItem('192.0.2.1')
    assert.ok(item?.kind === 'ipv4')
    await putContacts(database.kysely, [{ subject: item, email: 'abuse@example.com', source: 'a' }])
    await directory.refresh()
    const contacts = createAbuseContacts({ directory, answerers: [] })
    assert.deepEqual(contacts.answerNow(item), shown('UNKNOWN', null))
    await verifier.sweep(signal)
    await directory.refresh()
    assert.deepEqual(contacts.answerNow(item), shown('OK', new Date(nowMs)))
    assert.match(await registry.metrics(), /tests\{result="accepted"\} 1\n/)
    assert.equal(verifier.check().state, 'ok')
  })

  it('RECIPIENT_FAILED for 550', async () => {
    await showed('gone@example.com', 'there@example.com')
    smtpServer.answerWith({
      rcpt: (address) => (address === 'gone@example.com' ? '550 5.1.1 No such user' : '250 Ok'),
    })
    await openVerifier().verifier.sweep(signal)
    assert.equal(await statusOf('gone@example.com'), 'RECIPIENT_FAILED')
    assert.equal(await statusOf('there@example.com'), 'OK')
  })

  it('stays UNKNOWN, and asks for the recipient monthly, for a server that refuses us', async () => {
    await showed('abuse@example.com')
    smtpServer.answerWith({ rcpt: () => '550 5.7.1 You are listed' })
    const { verifier } = openVerifier()
    const asked = countRecipients()
    for (let day = 0; day < 30; day += 1) {
      await verifier.sweep(signal)
      nowMs += DAY_MS
      await showed('abuse@example.com')
    }
    assert.equal(await statusOf('abuse@example.com'), 'UNKNOWN')
    assert.equal(asked(), 1)
    await verifier.sweep(signal)
    assert.equal(asked(), 1)
  })

  it('OK at the second try, an hour later, for a server that says "later" at first', async () => {
    await showed('abuse@example.com')
    smtpServer.answerWith({ rcpt: () => '451 4.7.1 Greylisted' })
    const { verifier } = openVerifier()
    const asked = countRecipients()
    await verifier.sweep(signal)
    assert.equal(await statusOf('abuse@example.com'), 'UNKNOWN')
    smtpServer.answerWith({})
    nowMs += HOUR_MS - 1
    await verifier.sweep(signal)
    assert.equal(asked(), 1)
    nowMs += 1
    await verifier.sweep(signal)
    assert.equal(asked(), 1)
    assert.equal(await statusOf('abuse@example.com'), 'OK')
  })

  it('CONNECTION_FAILED after five failures of a server that is silent or not there, while others are reached', async () => {
    for (const address of ['127.0.0.2', '127.0.0.1']) {
      await database.pool.query('delete from contact_check')
      const { verifier } = openVerifier({ dialogMs: 1_000 })
      await showed('other@example.net')
      await verifier.sweep(signal)
      await showed('abuse@example.com')
      // Nothing listens at the first address; the second takes the connection and says nothing.
      answerAll(address)
      smtpServer.answerWith({ greeting: '' })
      for (const hours of [1, 2, 4, 8]) {
        await verifier.sweep(signal)
        assert.equal(await statusOf('abuse@example.com'), 'UNKNOWN')
        nowMs += hours * HOUR_MS
      }
      await verifier.sweep(signal)
      assert.equal(await statusOf('abuse@example.com'), 'CONNECTION_FAILED', address)
      smtpServer.answerWith({})
      answerAll('127.0.0.1')
    }
  })

  it('keeps UNKNOWN, and readiness says why, when no mail server at all is reached', async () => {
    answerAll('127.0.0.2')
    await showed('abuse@example.com')
    const { verifier } = openVerifier()
    for (let hour = 0; hour < 10; hour += 1) {
      await verifier.sweep(signal)
      nowMs += HOUR_MS
    }
    assert.equal(await statusOf('abuse@example.com'), 'UNKNOWN')
    const finding = verifier.check()
    assert.equal(finding.state, 'degraded')
    assert.match(finding.detail, /port 25/)
  })

  it('MX_FAILED for a null MX, a domain that is not there and one without any address', async () => {
    dnsServer.answerWith(
      sane(({ name, type }) => {
        if (name === 'null.example' && type === 'MX') {
          return { kind: 'records', records: [{ type, value: '0 .' }] }
        }
        if (name === 'null.example' && type === 'A') {
          return { kind: 'records', records: [{ type, value: '127.0.0.1' }] }
        }
        if (name === 'lost.example' && type === 'MX') {
          return { kind: 'records', records: [{ type, value: '10 gone.example' }] }
        }
        return NXDOMAIN
      }),
    )
    const emails = ['a@null.example', 'a@not-there.example', 'a@lost.example']
    await showed(...emails)
    const asked = countRecipients()
    await openVerifier().verifier.sweep(signal)
    for (const email of emails) assert.equal(await statusOf(email), 'MX_FAILED', email)
    assert.equal(asked(), 0)
  })

  it('asks the domain itself when it names no mail exchange but has an address', async () => {
    dnsServer.answerWith(
      sane(({ name, type }) =>
        name === 'example.com' && type === 'A'
          ? { kind: 'records', records: [{ type, value: '127.0.0.1' }] }
          : { kind: 'code', code: name === 'example.com' ? 'noerror' : 'nxdomain' },
      ),
    )
    await showed('abuse@example.com')
    await openVerifier().verifier.sweep(signal)
    assert.equal(await statusOf('abuse@example.com'), 'OK')
  })

  it('MX_FAILED after five failures of the DNS of a domain', async () => {
    const { verifier } = openVerifier()
    dnsServer.answerWith(sane(() => ({ kind: 'code', code: 'servfail' })))
    await showed('abuse@example.com')
    for (const hours of [1, 2, 4, 8]) {
      await verifier.sweep(signal)
      assert.equal(await statusOf('abuse@example.com'), 'UNKNOWN')
      nowMs += hours * HOUR_MS
    }
    await verifier.sweep(signal)
    assert.equal(await statusOf('abuse@example.com'), 'MX_FAILED')
  })

  it('tests nobody, and readiness says why, with a resolver that is away or knows nothing of the Internet', async () => {
    await showed('abuse@example.com')
    const { verifier } = openVerifier()
    for (const code of ['nxdomain', 'servfail'] as const) {
      dnsServer.answerWith(() => ({ kind: 'code', code }))
      await verifier.sweep(signal)
      assert.equal(await statusOf('abuse@example.com'), 'UNKNOWN')
      assert.equal(verifier.check().state, 'degraded')
      assert.match(verifier.check().detail, /CASEWORK_DNS_SERVERS/)
    }
    answerAll('127.0.0.1')
    await verifier.sweep(signal)
    assert.equal(await statusOf('abuse@example.com'), 'OK')
    assert.equal(verifier.check().state, 'ok')
  })

  it('connects to no address of a private network unless the operator opened it', async () => {
    await showed('abuse@example.com')
    const asked = countRecipients()
    await openVerifier({ allow: [] }).verifier.sweep(signal)
    assert.equal(asked(), 0)
    assert.equal(await statusOf('abuse@example.com'), 'MX_FAILED')
  })

  it('looks at the mail exchange daily and asks for the recipient monthly', async () => {
    await showed('abuse@example.com')
    const { verifier } = openVerifier()
    const asked = countRecipients()
    await verifier.sweep(signal)
    assert.equal(asked(), 1)
    for (let day = 1; day < 30; day += 1) {
      nowMs += DAY_MS
      await showed('abuse@example.com')
      const questions = dnsServer.questions.length
      await verifier.sweep(signal)
      assert.equal(
        dnsServer.questions.slice(questions).some(({ type }) => type === 'MX'),
        true,
      )
    }
    assert.equal(asked(), 0)
    nowMs += DAY_MS
    await verifier.sweep(signal)
    assert.equal(asked(), 1)
  })

  it('tests each contact once however many nodes sweep at the same time', async () => {
    await showed(...Array.from({ length: 40 }, (_, at) => `c${at}@d${at % 10}.example`))
    const asked = countRecipients()
    await Promise.all(Array.from({ length: 3 }, () => openVerifier().verifier.sweep(signal)))
    assert.equal(asked(), 40)
  })

  it('goes through more contacts than it claims at once, and leaves those of later alone', async () => {
    await showed(...Array.from({ length: 150 }, (_, at) => `c${at}@d${at}.example`))
    await database.pool.query(
      `update contact_check set next_check_at = 'infinity' where email = 'c7@d7.example'`,
    )
    const asked = countRecipients()
    await openVerifier().verifier.sweep(signal)
    assert.equal(asked(), 149)
    assert.equal(await statusOf('c7@d7.example'), 'UNKNOWN')
  })

  it('forgets what is neither imported nor was shown within thirty days', async () => {
    const item = parseItem('192.0.2.1')
    assert.ok(item !== null)
    await putContacts(database.kysely, [{ subject: item, email: 'kept@example.com', source: 'a' }])
    await showed('old@example.com', 'kept@example.com')
    const { verifier } = openVerifier()
    nowMs += 30 * DAY_MS + 1
    await showed('new@example.com')
    await verifier.sweep(signal)
    assert.equal(await statusOf('old@example.com'), null)
    assert.equal(await statusOf('kept@example.com'), 'OK')
    assert.equal(await statusOf('new@example.com'), 'OK')
  })

  it('stops early when it is told to, and leaves the contact for the end of the lease', async () => {
    await showed('abuse@example.com')
    smtpServer.answerWith({ greeting: '' })
    const stopping = new AbortController()
    const { verifier } = openVerifier()
    const sweeping = verifier.sweep(stopping.signal)
    stopping.abort(new Error('stop'))
    await sweeping
    assert.equal(await statusOf('abuse@example.com'), 'UNKNOWN')
    smtpServer.answerWith({})
    nowMs += 15 * 60_000
    await verifier.sweep(signal)
    assert.equal(await statusOf('abuse@example.com'), 'OK')
  })

  it('notes what look-ups show once a day, and writes it down when it is closed', async () => {
    const noted = openShownContacts(database.kysely, clock, silentLog)
    noted.note('a@example.com')
    noted.note('a@example.com')
    await noted.flush()
    const shownAt = async (): Promise<number> => {
      const { rows } = await database.pool.query('select shown_at from contact_check')
      assert.equal(rows.length, 1)
      return rows[0].shown_at.getTime()
    }
    const first = await shownAt()
    nowMs += HOUR_MS
    noted.note('a@example.com')
    await noted.flush()
    assert.equal(await shownAt(), first)
    nowMs += DAY_MS
    await noted.flush()
    noted.note('a@example.com')
    await noted.close()
    assert.equal(await shownAt(), nowMs)
  })
})
