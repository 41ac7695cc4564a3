import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { Registry } from 'prom-client'
import { type DnsReply, type DnsServer, openDnsServer } from '../../../test/fixtures/dns-server.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/harness.ts'
import { createDatabase, type Database } from '../../kernel/db/database.ts'
import { silentLog } from '../../kernel/log.ts'
import { OperatingError } from '../../kernel/operating-error.ts'
import { type Item, parseItem } from '../../values/item.ts'
import { parseSubject } from '../../values/range.ts'
import { type ContactDirectory, openContactDirectory } from '../contacts/contact-directory.ts'
import { putContacts, readContactSerials } from '../contacts/contact-store.ts'
import { openDnsClient } from '../dns/dns-client.ts'
import type { ContactStatement } from '../sources/push/staged-contacts.ts'
import { type AbuseContacts, createAbuseContacts } from './abuse-contact.ts'
import { createEnrichmentMetrics } from './enrichment-metrics.ts'
import { createZoneContacts } from './zone-contacts.ts'

const ZONE = 'contacts.example'
const HOUR_MS = 60 * 60_000

function item(text: string): Item {
  const parsed = parseItem(text)
  if (parsed === null) throw new Error(`${text} is no item`)
  return parsed
}

function statement(subject: string, email: string | null, source = 'list'): ContactStatement {
  const parsed = parseSubject(subject)
  if (parsed.kind === 'refused') throw new Error(parsed.reason)
  return { subject: parsed.subject, email, source }
}

function texts(...values: string[]): DnsReply {
  return { kind: 'records', records: values.map((value) => ({ type: 'TXT', value })) }
}

function found(email: string): object {
  return { kind: 'found', value: { email, status: 'UNKNOWN', lastVerification: null } }
}

describe('abuse contacts', () => {
  let server: DnsServer
  let testDatabase: TestDatabase
  let database: Database
  let nowMs = 1_700_000_000_000
  const clock = { nowMs: () => nowMs }
  const closers: (() => Promise<void>)[] = []
  before(async () => {
    server = await openDnsServer(() => ({ kind: 'code', code: 'nxdomain' }))
    testDatabase = await createTestDatabase()
    database = createDatabase({
      connection: testDatabase.connection,
      poolMax: 4,
      log: silentLog,
    })
  })
  beforeEach(() => database.pool.query('delete from contact_range; delete from contact_domain'))
  afterEach(async () => {
    for (const close of closers.splice(0)) await close()
  })
  after(async () => {
    await server.close()
    await database.close()
    await testDatabase.drop()
  })

  async function open(
    zone: string | null,
    contactsMax?: number,
  ): Promise<AbuseContacts & Pick<ContactDirectory, 'refresh'>> {
    const client = openDnsClient({ servers: [server.address], clock, deadlineMs: 750 })
    closers.push(async () => client.close())
    const metrics = createEnrichmentMetrics(new Registry())
    const answerers =
      zone === null
        ? []
        : [
            {
              ...createZoneContacts({ zone, client, clock, metrics }),
              description: `the DNS zone ${zone}`,
            },
          ]
    const directory = await openContactDirectory({
      db: database.kysely,
      log: silentLog,
      ...(contactsMax === undefined ? {} : { contactsMax }),
    })
    closers.push(directory.close)
    return { ...createAbuseContacts({ directory, answerers }), refresh: directory.refresh }
  }

  it('is off with nothing imported and no zone, asks nobody and says so', async () => {
    const asked = server.questions.length
    const contacts = await open(null)
    assert.deepEqual(contacts.answerNow(item('192.0.2.1')), { kind: 'off' })
    assert.deepEqual(await contacts.ask(item('example.com')), { kind: 'off' })
    assert.equal(contacts.check().state, 'off')
    assert.equal(server.questions.length, asked)
  })

  it('finds the imported contact of the most specific range without asking', async () => {
    await putContacts(database.kysely, [
      statement('192.0.2.0/24', 'net@example.com'),
      statement('192.0.2.128/25', 'half@example.com'),
      statement('example.com', 'domain@example.com'),
    ])
    const asked = server.questions.length
    const contacts = await open(ZONE)
    assert.deepEqual(contacts.answerNow(item('192.0.2.1')), found('net@example.com'))
    assert.deepEqual(contacts.answerNow(item('192.0.2.129')), found('half@example.com'))
    assert.deepEqual(contacts.answerNow(item('www.example.com')), found('domain@example.com'))
    assert.equal(contacts.check().state, 'ok')
    assert.equal(server.questions.length, asked)
  })

  it('absent for what no imported contact covers, when there is no zone', async () => {
    await putContacts(database.kysely, [statement('192.0.2.0/24', 'net@example.com')])
    const contacts = await open(null)
    assert.deepEqual(contacts.answerNow(item('198.51.100.1')), { kind: 'absent' })
    assert.deepEqual(contacts.answerNow(item('example.com')), { kind: 'absent' })
  })

  it('shows an import within a refresh, and a withdrawal as well', async () => {
    const contacts = await open(null)
    await putContacts(database.kysely, [statement('192.0.2.0/24', 'net@example.com')])
    await contacts.refresh()
    assert.deepEqual(contacts.answerNow(item('192.0.2.1')), found('net@example.com'))
    await putContacts(database.kysely, [statement('192.0.2.0/24', null)])
    await contacts.refresh()
    assert.deepEqual(contacts.answerNow(item('192.0.2.1')), { kind: 'off' })
  })

  it('holds to the statement made last when several sources name a contact', async () => {
    await putContacts(database.kysely, [statement('192.0.2.0/24', 'first@example.com', 'b')])
    await database.pool.query(`update contact_range set updated_at = now() - interval '1 day'`)
    await putContacts(database.kysely, [statement('192.0.2.0/24', 'last@example.com', 'a')])
    const contacts = await open(null)
    assert.deepEqual(contacts.answerNow(item('192.0.2.1')), found('last@example.com'))
    await putContacts(database.kysely, [statement('192.0.2.0/24', null, 'a')])
    await contacts.refresh()
    assert.deepEqual(contacts.answerNow(item('192.0.2.1')), found('first@example.com'))
  })

  it('raises the serial for a change and not for a repetition', async () => {
    const statements = [
      statement('192.0.2.0/24', 'net@example.com'),
      statement('example.com', 'domain@example.com'),
    ]
    await putContacts(database.kysely, statements)
    const { serial } = await readContactSerials(database.kysely)
    await putContacts(database.kysely, statements)
    await putContacts(database.kysely, [statement('198.51.100.0/24', null)])
    await putContacts(database.kysely, [])
    assert.equal((await readContactSerials(database.kysely)).serial, serial)
    await putContacts(database.kysely, [statement('192.0.2.0/24', 'new@example.com')])
    assert.equal((await readContactSerials(database.kysely)).serial, serial + 1)
  })

  it('shows more contacts than one page holds, each of them', async () => {
    await putContacts(
      database.kysely,
      Array.from({ length: 4_500 }, (_, at) =>
        statement(`203.0.${at >> 8}.${at & 255}`, `c${at}@example.com`),
      ),
    )
    const contacts = await open(null)
    for (const at of [0, 1_999, 2_000, 3_999, 4_000, 4_499]) {
      assert.deepEqual(
        contacts.answerNow(item(`203.0.${at >> 8}.${at & 255}`)),
        found(`c${at}@example.com`),
      )
    }
    assert.match(contacts.check().detail, /: 4500/)
  })

  it('degraded, and says so, when there are more contacts than are held', async () => {
    await putContacts(database.kysely, [
      statement('192.0.2.0/24', 'a@example.com'),
      statement('198.51.100.0/24', 'b@example.com'),
    ])
    const contacts = await open(null, 1)
    const finding = contacts.check()
    assert.equal(finding.state, 'degraded')
    assert.match(finding.detail, /^Only 1 of the imported/)
    await putContacts(database.kysely, [statement('192.0.2.0/24', null)])
    await contacts.refresh()
    assert.equal(contacts.check().state, 'ok')
  })

  it('keeps the later of two statements about one subject in one call', async () => {
    await putContacts(database.kysely, [
      statement('192.0.2.0/24', 'a@example.com'),
      statement('192.0.2.0/24', 'b@example.com'),
    ])
    const contacts = await open(null)
    assert.deepEqual(contacts.answerNow(item('192.0.2.1')), found('b@example.com'))
  })

  it('asks the zone for the first valid address, and keeps it six hours', async () => {
    server.answerWith(() => texts('not an address, Abuse@Example.com , b@example.com'))
    const contacts = await open(ZONE)
    assert.equal(contacts.answerNow(item('192.0.2.1')), null)
    assert.deepEqual(await contacts.ask(item('192.0.2.1')), found('Abuse@example.com'))
    const asked = server.questions.at(-1)
    assert.deepEqual([asked?.name, asked?.type], [`1.2.0.192.${ZONE}`, 'TXT'])
    nowMs += 6 * HOUR_MS - 1
    assert.deepEqual(contacts.answerNow(item('192.0.2.1')), found('Abuse@example.com'))
    nowMs += 1
    assert.equal(contacts.answerNow(item('192.0.2.1')), null)
  })

  it('asks the zone for an IPv6 address by its nibbles', async () => {
    server.answerWith(() => texts('six@example.com'))
    const contacts = await open(ZONE)
    assert.deepEqual(await contacts.ask(item('2001:db8::1')), found('six@example.com'))
    assert.equal(server.questions.at(-1)?.name, `1.${'0.'.repeat(23)}8.b.d.0.1.0.0.2.${ZONE}`)
  })

  it('absent for a name the zone does not have and for a text without an address', async () => {
    const contacts = await open(ZONE)
    server.answerWith(() => ({ kind: 'code', code: 'nxdomain' }))
    assert.deepEqual(await contacts.ask(item('192.0.2.2')), { kind: 'absent' })
    server.answerWith(() => texts('this network has no contact', ''))
    assert.deepEqual(await contacts.ask(item('192.0.2.3')), { kind: 'absent' })
  })

  it('failed when the zone does not answer, and asked again five seconds later', async () => {
    const contacts = await open(ZONE)
    server.answerWith(() => ({ kind: 'code', code: 'servfail' }))
    assert.deepEqual(await contacts.ask(item('192.0.2.4')), { kind: 'failed', reason: 'refused' })
    server.answerWith(() => texts('abuse@example.com'))
    nowMs += 5_000
    assert.deepEqual(await contacts.ask(item('192.0.2.4')), found('abuse@example.com'))
  })

  it('asks the zone for no domain', async () => {
    const asked = server.questions.length
    const contacts = await open(ZONE)
    assert.deepEqual(await contacts.ask(item('example.com')), { kind: 'off' })
    assert.equal(server.questions.length, asked)
  })

  it('refuses a zone that is no domain name with a sentence', async () => {
    await assert.rejects(
      () => open('not a zone'),
      (error) =>
        error instanceof OperatingError &&
        error.publicMessage.includes('CASEWORK_CONTACT_DNS_ZONE'),
    )
  })
})
