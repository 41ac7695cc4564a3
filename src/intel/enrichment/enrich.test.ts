import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, afterEach, before, describe, it, type TestContext } from 'node:test'
import { Registry } from 'prom-client'
import { type DnsReply, type DnsServer, openDnsServer } from '../../../test/fixtures/dns-server.ts'
import { buildTestConfig, openTestApp, type TestApp } from '../../../test/harness.ts'
import { startLoopback } from '../../../test/outbound-kit.ts'
import { createReadiness } from '../../kernel/readiness.ts'
import { type Item, parseItem } from '../../values/item.ts'
import { parseSubject } from '../../values/range.ts'
import { putContacts } from '../contacts/contact-store.ts'
import { type Enrichment, type EnrichmentDeps, openEnrichment } from './enrich.ts'
import { RDAP_BOOTSTRAP_FOLDER } from './rdap/rdap-bootstrap.ts'

// Announced by a network and known to the installed tables; nothing is sent to it.
const ANNOUNCED = '8.8.8.8'
const HOST: DnsReply = { kind: 'records', records: [{ type: 'PTR', value: 'host.example' }] }
const TEXT: DnsReply = { kind: 'records', records: [{ type: 'TXT', value: 'abuse@example.com' }] }
const NAMES = { kind: 'found', value: ['host.example'] }
const CONTACT = {
  kind: 'found',
  value: { email: 'abuse@example.com', status: 'UNKNOWN', lastVerification: null },
}
const TIMED_OUT = { kind: 'failed', reason: 'timeout' }

function item(text: string): Item {
  const parsed = parseItem(text)
  if (parsed === null) throw new Error(`${text} is no item`)
  return parsed
}

/** A registry of all IPv4 addresses on loopback, named by a bootstrap file in the data folder. */
async function openRegistry(
  t: TestContext,
  dataDir: string,
  handle: (asked: string) => string | Promise<string>,
): Promise<{ environment: Record<string, string>; asked: () => number }> {
  const registry = await startLoopback(t, (request, response) => {
    void Promise.resolve(handle(request.path)).then((body) => response.end(body))
  })
  const folder = path.join(dataDir, RDAP_BOOTSTRAP_FOLDER)
  await mkdir(folder, { recursive: true })
  const services = [[['0.0.0.0/0'], [`${registry.origin}/`]]]
  await writeFile(path.join(folder, 'ipv4.json'), JSON.stringify({ services }))
  return {
    asked: () => registry.requests.length,
    environment: {
      CASEWORK_REVERSE_DNS: 'off',
      CASEWORK_CONTACT_RDAP: 'on',
      CASEWORK_OUTBOUND_ALLOW: registry.socket,
    },
  }
}

function networkBody(first: string, last: string): string {
  const vcard = ['vcard', [['email', {}, 'text', 'rdap@example.com']]]
  const entities = [{ roles: ['abuse'], vcardArray: vcard }]
  return JSON.stringify({ startAddress: first, endAddress: last, entities })
}

function contact(email: string): object {
  return { kind: 'found', value: { email, status: 'UNKNOWN', lastVerification: null } }
}

describe('the enrichment of a look-up', () => {
  let server: DnsServer
  let app: TestApp
  const opened: Enrichment[] = []
  before(async () => {
    server = await openDnsServer(() => HOST)
    app = await openTestApp()
  })
  afterEach(async () => {
    for (const enrichment of opened.splice(0)) await enrichment.close()
  })
  after(async () => {
    await server.close()
    await app.close()
  })

  async function open(
    environment: Record<string, string>,
  ): Promise<{ enrichment: Enrichment; deps: EnrichmentDeps }> {
    const given = app.services.foundation
    const deps: EnrichmentDeps = {
      db: given.database.kysely,
      clock: given.clock,
      log: given.log,
      config: buildTestConfig({
        CASEWORK_DATA_DIR: given.config.dataDir,
        CASEWORK_DNS_SERVERS: server.address,
        ...environment,
      }),
      metrics: new Registry(),
      readiness: createReadiness(),
    }
    const enrichment = await openEnrichment(deps)
    opened.push(enrichment)
    return { enrichment, deps }
  }
  const BOTH = { CASEWORK_REVERSE_DNS: 'on', CASEWORK_CONTACT_DNS_ZONE: 'contacts.example' }

  it('has all three parts, and the second time from memory', async () => {
    server.answerWith(({ type }) => (type === 'TXT' ? TEXT : HOST))
    const { enrichment } = await open(BOTH)
    assert.equal(enrichment.enrichNow(item(ANNOUNCED)), null)
    const answer = await enrichment.enrich(item(ANNOUNCED))
    assert.deepEqual(answer.reverseDns, NAMES)
    assert.deepEqual(answer.abuseContact, CONTACT)
    const network = answer.asn.kind === 'found' ? answer.asn.value : null
    assert.match(network?.asn ?? '', /^AS\d+$/)
    assert.match(network?.countryCode ?? '', /^[A-Z]{2}$/)
    assert.equal(answer.isPartial, false)
    assert.deepEqual(enrichment.enrichNow(item(ANNOUNCED)), answer)
  })

  it('is partial and keeps what was found when one enricher is not answered in time', async () => {
    server.answerWith(({ type }) => (type === 'TXT' ? { kind: 'silent' } : HOST))
    const { enrichment } = await open({ ...BOTH, CASEWORK_ENRICHMENT_TIMEOUT_MS: '100' })
    const answer = await enrichment.enrich(item('192.0.2.1'))
    assert.deepEqual(answer.reverseDns, NAMES)
    assert.deepEqual(answer.abuseContact, TIMED_OUT)
    assert.equal(answer.isPartial, true)
  })

  it('is partial when the resolver fails, never when it says that there is none', async () => {
    server.answerWith(({ type }) => ({
      kind: 'code',
      code: type === 'TXT' ? 'nxdomain' : 'servfail',
    }))
    const { enrichment } = await open(BOTH)
    const answer = await enrichment.enrich(item('192.0.2.1'))
    assert.deepEqual(answer.reverseDns, { kind: 'failed', reason: 'refused' })
    assert.deepEqual(answer.abuseContact, { kind: 'absent' })
    assert.equal(answer.isPartial, true)
    server.answerWith(() => ({ kind: 'code', code: 'nxdomain' }))
    assert.equal((await enrichment.enrich(item('192.0.2.2'))).isPartial, false)
  })

  it('has an answer that came too late for one look-up ready for the next', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<DnsReply>()
    server.answerWith(() => held)
    // The first packet is answered long after the look-up gave up; the resolver itself waits longer
    // than one look-up.
    const { enrichment } = await open({
      CASEWORK_REVERSE_DNS: 'on',
      CASEWORK_ENRICHMENT_TIMEOUT_MS: '600',
    })
    const answer = await enrichment.enrich(item('192.0.2.1'))
    assert.deepEqual(answer.reverseDns, TIMED_OUT)
    const next = enrichment.enrich(item('192.0.2.1'))
    release(HOST)
    assert.deepEqual((await next).reverseDns, NAMES)
    assert.notEqual(enrichment.enrichNow(item('192.0.2.1')), null)
  })

  it('leaves out the names, and is whole, while auto has not found a resolver', async () => {
    server.answerWith(() => ({ kind: 'silent' }))
    const { enrichment, deps } = await open({
      CASEWORK_REVERSE_DNS: 'auto',
      CASEWORK_ENRICHMENT_TIMEOUT_MS: '50',
    })
    // At once, although nothing is known of the resolver yet: no look-up waits for the probe.
    const answer = enrichment.enrichNow(item('192.0.2.1'))
    assert.deepEqual(answer?.reverseDns, { kind: 'off' })
    assert.equal(answer?.isPartial, false)
    const finding = await deps.readiness
      .list()
      .find(({ name }) => name === 'reverse-dns')
      ?.check()
    assert.equal(finding?.state, 'off')
  })

  it('answers from memory at once with everything off', async () => {
    const { enrichment, deps } = await open({ CASEWORK_REVERSE_DNS: 'off' })
    // Not before the table of networks is there.
    await enrichment.enrich(item('192.0.2.1'))
    const asked = server.questions.length
    assert.deepEqual(enrichment.enrichNow(item('192.0.2.1')), {
      reverseDns: { kind: 'off' },
      abuseContact: { kind: 'off' },
      asn: { kind: 'absent' },
      isPartial: false,
    })
    assert.deepEqual(enrichment.enrichNow(item('example.com')), {
      reverseDns: { kind: 'off' },
      abuseContact: { kind: 'off' },
      asn: { kind: 'off' },
      isPartial: false,
    })
    assert.equal(server.questions.length, asked)
    assert.deepEqual(
      deps.readiness.list().map(({ name }) => name),
      ['reverse-dns', 'abuse-contact', 'asn'],
    )
  })

  describe('with RDAP', () => {
    it('asks the registry last: imported contacts, what memory holds and the zone come before it', async (t) => {
      const { environment, asked } = await openRegistry(
        t,
        app.services.foundation.config.dataDir,
        () => networkBody('11.0.0.0', '11.0.0.255'),
      )
      server.answerWith(({ name }) =>
        name.startsWith('2.0.0.11') ? TEXT : { kind: 'code', code: 'nxdomain' },
      )
      const parsed = parseSubject('11.0.0.3')
      const subject = parsed.kind === 'subject' ? parsed.subject : item('11.0.0.3')
      const db = app.services.foundation.database.kysely
      await putContacts(db, [{ subject, email: 'imported@example.com', source: 'test' }])
      const { enrichment, deps } = await open({
        ...environment,
        CASEWORK_CONTACT_DNS_ZONE: 'contacts.example',
      })
      assert.deepEqual((await enrichment.enrich(item('11.0.0.2'))).abuseContact, CONTACT)
      assert.deepEqual(
        (await enrichment.enrich(item('11.0.0.3'))).abuseContact,
        contact('imported@example.com'),
      )
      assert.equal(asked(), 0)
      const fromRdap = contact('rdap@example.com')
      assert.deepEqual((await enrichment.enrich(item('11.0.0.1'))).abuseContact, fromRdap)
      const questions = server.questions.length
      assert.deepEqual((await enrichment.enrich(item('11.0.0.4'))).abuseContact, fromRdap)
      assert.equal(server.questions.length, questions)
      assert.equal(asked(), 1)
      const finding = await deps.readiness
        .list()
        .find(({ name }) => name === 'abuse-contact')
        ?.check()
      assert.match(finding?.detail ?? '', /zone contacts\.example, then RDAP/)
      await putContacts(db, [{ subject, email: null, source: 'test' }])
    })

    it('asks the registry although the zone fails, and is partial only when neither finds one', async (t) => {
      const { environment } = await openRegistry(
        t,
        app.services.foundation.config.dataDir,
        (asked) => (asked.endsWith('11.0.0.1') ? networkBody('11.0.0.0', '11.0.0.255') : '{}'),
      )
      server.answerWith(() => ({ kind: 'code', code: 'servfail' }))
      const { enrichment } = await open({
        ...environment,
        CASEWORK_CONTACT_DNS_ZONE: 'contacts.example',
      })
      const found = await enrichment.enrich(item('11.0.0.1'))
      assert.deepEqual(found.abuseContact, contact('rdap@example.com'))
      assert.equal(found.isPartial, false)
      const lost = await enrichment.enrich(item('11.1.0.1'))
      assert.equal(lost.abuseContact.kind, 'failed')
      assert.equal(lost.isPartial, true)
    })

    it('is partial while a slow registry is not done, and has its answer for the next look-up', async (t) => {
      const { promise: held, resolve: release } = Promise.withResolvers<string>()
      const { environment, asked } = await openRegistry(
        t,
        app.services.foundation.config.dataDir,
        () => held,
      )
      const { enrichment } = await open({ ...environment, CASEWORK_ENRICHMENT_TIMEOUT_MS: '100' })
      const answer = await enrichment.enrich(item('11.0.0.1'))
      assert.deepEqual(answer.abuseContact, TIMED_OUT)
      assert.equal(answer.isPartial, true)
      const next = enrichment.enrich(item('11.0.0.1'))
      release(networkBody('11.0.0.0', '11.0.0.255'))
      assert.deepEqual((await next).abuseContact, contact('rdap@example.com'))
      assert.equal(asked(), 1)
    })

    it('asks nobody while it is off', async (t) => {
      const { environment, asked } = await openRegistry(
        t,
        app.services.foundation.config.dataDir,
        () => '{}',
      )
      const { enrichment } = await open({ ...environment, CASEWORK_CONTACT_RDAP: 'off' })
      assert.deepEqual((await enrichment.enrich(item('11.0.0.1'))).abuseContact, { kind: 'off' })
      assert.equal(asked(), 0)
    })
  })

  it('closes with questions under way', async () => {
    const { promise: asked, resolve: noteAsked } = Promise.withResolvers<void>()
    server.answerWith(() => {
      noteAsked()
      return { kind: 'silent' }
    })
    const { enrichment } = await open({
      CASEWORK_REVERSE_DNS: 'on',
      CASEWORK_ENRICHMENT_TIMEOUT_MS: '30000',
    })
    const answer = enrichment.enrich(item('192.0.2.1'))
    await asked
    await enrichment.close()
    assert.equal((await answer).reverseDns.kind, 'failed')
  })
})
