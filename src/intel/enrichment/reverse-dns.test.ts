import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { Registry } from 'prom-client'
import { type DnsReply, type DnsServer, openDnsServer } from '../../../test/fixtures/dns-server.ts'
import { silentLog } from '../../kernel/log.ts'
import { type Item, parseItem } from '../../values/item.ts'
import { openDnsClient } from '../dns/dns-client.ts'
import { createEnrichmentMetrics } from './enrichment-metrics.ts'
import { openReverseDns, type ReverseDns } from './reverse-dns.ts'

const HOST: DnsReply = { kind: 'records', records: [{ type: 'PTR', value: 'host.example' }] }
const AUTHORITY: DnsReply = { kind: 'records', records: [{ type: 'SOA', value: 'ns.example' }] }
const NXDOMAIN: DnsReply = { kind: 'code', code: 'nxdomain' }
const SERVFAIL: DnsReply = { kind: 'code', code: 'servfail' }
const FOUND = { kind: 'found', value: ['host.example'] }
const MINUTE_MS = 60_000

function item(text: string): Item {
  const parsed = parseItem(text)
  if (parsed === null) throw new Error(`${text} is no item`)
  return parsed
}

describe('reverse DNS', () => {
  let server: DnsServer
  let nowMs = 1_700_000_000_000
  const clock = { nowMs: () => nowMs }
  const closers: (() => Promise<void>)[] = []
  before(async () => {
    server = await openDnsServer(() => NXDOMAIN)
  })
  afterEach(async () => {
    for (const close of closers.splice(0)) await close()
  })
  after(() => server.close())

  function open(
    reverseDns: 'on' | 'off' | 'auto' = 'on',
    intelAccess: 'open' | 'token' = 'open',
  ): { names: ReverseDns; registry: Registry } {
    const registry = new Registry()
    const client = openDnsClient({ servers: [server.address], clock, deadlineMs: 750 })
    const metrics = createEnrichmentMetrics(registry)
    const names = openReverseDns({
      client,
      config: { reverseDns, intelAccess },
      clock,
      log: silentLog,
      metrics,
    })
    closers.push(async () => {
      const closed = names.close()
      client.close()
      await closed
    })
    return { names, registry }
  }

  /** How many PTR questions `work` made. */
  async function countQuestions(work: () => Promise<unknown>): Promise<number> {
    const asked = server.questions.length
    await work()
    return server.questions.slice(asked).filter(({ type }) => type === 'PTR').length
  }

  it('finds all names of an address, sorted, lower-case and each once', async () => {
    server.answerWith(() => ({
      kind: 'records',
      records: ['b.example', 'A.example', 'a.example'].map((value) => ({ type: 'PTR', value })),
    }))
    const { names } = open()
    const expected = { kind: 'found', value: ['a.example', 'b.example'] }
    assert.deepEqual(await names.ask(item('192.0.2.1')), expected)
    assert.deepEqual(await names.ask(item('2001:db8::1')), expected)
    assert.equal(server.questions.at(-1)?.name.endsWith('.ip6.arpa'), true)
  })

  it('keeps a name for an hour and asks again after it', async () => {
    server.answerWith(() => HOST)
    const { names } = open()
    const ask = () => names.ask(item('192.0.2.1'))
    assert.equal(names.answerNow(item('192.0.2.1')), null)
    assert.equal(await countQuestions(ask), 1)
    nowMs += 59 * MINUTE_MS
    assert.deepEqual(names.answerNow(item('192.0.2.1')), FOUND)
    assert.equal(await countQuestions(ask), 0)
    nowMs += MINUTE_MS
    assert.equal(names.answerNow(item('192.0.2.1')), null)
    assert.equal(await countQuestions(ask), 1)
  })

  it('keeps "there is none" for a quarter of an hour', async () => {
    server.answerWith(() => NXDOMAIN)
    const { names } = open()
    assert.deepEqual(await names.ask(item('192.0.2.1')), { kind: 'absent' })
    nowMs += 14 * MINUTE_MS
    assert.deepEqual(names.answerNow(item('192.0.2.1')), { kind: 'absent' })
    nowMs += MINUTE_MS
    assert.equal(names.answerNow(item('192.0.2.1')), null)
  })

  it('keeps a failure for five seconds only', async () => {
    server.answerWith(() => SERVFAIL)
    const { names } = open()
    const failed = { kind: 'failed', reason: 'refused' }
    assert.deepEqual(await names.ask(item('192.0.2.1')), failed)
    server.answerWith(() => HOST)
    nowMs += 4_999
    assert.deepEqual(await names.ask(item('192.0.2.1')), failed)
    nowMs += 1
    assert.deepEqual(await names.ask(item('192.0.2.1')), FOUND)
  })

  it('asks once however many want to know at the same time', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<DnsReply>()
    server.answerWith(() => held)
    const { names, registry } = open()
    let answers: unknown[] = []
    const asked = await countQuestions(async () => {
      const asking = Array.from({ length: 50 }, () => names.ask(item('192.0.2.1')))
      release(HOST)
      answers = await Promise.all(asking)
    })
    assert.equal(asked, 1)
    assert.deepEqual(
      answers,
      Array.from({ length: 50 }, () => FOUND),
    )
    const text = await registry.metrics()
    assert.match(
      text,
      /casework_enrichment_queries_total\{enricher="reverse_dns",outcome="found"\} 1\n/,
    )
    assert.match(text, /casework_enrichment_cache_entries\{enricher="reverse_dns"\} 1\n/)
  })

  it('absent for records that hold no host name, so that their owner cannot make look-ups partial', async () => {
    server.answerWith(() => ({
      kind: 'records',
      records: ['<script>.example', 'a b.example'].map((value) => ({ type: 'PTR', value })),
    }))
    const { names } = open()
    assert.deepEqual(await names.ask(item('192.0.2.1')), { kind: 'absent' })
  })

  it('shows at most 50 names', async () => {
    server.answerWith(() => ({
      kind: 'truncated',
      records: Array.from({ length: 1_000 }, (_, at) => ({ type: 'PTR', value: `h${at}.example` })),
    }))
    const answer = await open().names.ask(item('192.0.2.1'))
    assert.equal(answer.kind === 'found' ? answer.value.length : 0, 50)
  })

  it('says degraded when no question of the last minutes was answered, and ok with the next answer', async () => {
    server.answerWith(() => SERVFAIL)
    const { names } = open()
    for (let address = 1; address <= 5; address += 1) {
      assert.equal(names.check().state, 'ok')
      nowMs += MINUTE_MS / 2
      await names.ask(item(`192.0.2.${address}`))
    }
    const { state, detail } = names.check()
    assert.equal(state, 'degraded')
    assert.match(detail, /^None of the last 5 questions .* CASEWORK_REVERSE_DNS=off\.$/)
    // "There is none" is an answer too.
    server.answerWith(() => NXDOMAIN)
    await names.ask(item('192.0.2.6'))
    assert.equal(names.check().state, 'ok')
  })

  it('forgets failures that are ten minutes old, and does not mind a few in a row', async () => {
    server.answerWith(() => SERVFAIL)
    const { names } = open()
    for (let address = 1; address <= 20; address += 1) await names.ask(item(`192.0.2.${address}`))
    assert.equal(names.check().state, 'ok')
    nowMs += 3 * MINUTE_MS
    await names.ask(item('192.0.2.21'))
    assert.equal(names.check().state, 'degraded')
    nowMs += 11 * MINUTE_MS
    assert.equal(names.check().state, 'ok')
    await names.ask(item('192.0.2.22'))
    assert.equal(names.check().state, 'ok')
  })

  it('is off for a domain, and asks nothing', async () => {
    const { names } = open()
    assert.deepEqual(names.answerNow(item('example.com')), { kind: 'off' })
    assert.equal(await countQuestions(() => names.ask(item('example.com'))), 0)
  })

  it('is off by the setting, asks nothing and says so', async () => {
    const { names } = open('off')
    assert.deepEqual(names.answerNow(item('192.0.2.1')), { kind: 'off' })
    assert.equal(await countQuestions(() => names.ask(item('192.0.2.1'))), 0)
    assert.equal(names.check().state, 'off')
  })

  it('tells names of private addresses only where look-ups need a token', async () => {
    server.answerWith(() => HOST)
    const { names } = open('on', 'open')
    for (const text of ['10.1.2.3', '172.31.0.1', '192.168.1.1', '127.0.0.1', 'fd00::1', '::1']) {
      assert.deepEqual(names.answerNow(item(text)), { kind: 'off' }, text)
    }
    assert.deepEqual(await open('on', 'token').names.ask(item('10.1.2.3')), FOUND)
  })

  describe('on auto', () => {
    it('is left out at once until the first probe has ended, then asked', async () => {
      const { promise: held, resolve: release } = Promise.withResolvers<DnsReply>()
      server.answerWith(({ type }) => (type === 'SOA' ? held : HOST))
      const { names } = open('auto')
      assert.deepEqual(names.answerNow(item('192.0.2.1')), { kind: 'off' })
      assert.deepEqual(names.whenLate(), { kind: 'off' })
      assert.equal(names.check().state, 'off')
      const asking = names.ask(item('192.0.2.1'))
      release(AUTHORITY)
      assert.deepEqual(await asking, FOUND)
      assert.equal(names.check().state, 'ok')
      assert.deepEqual(names.whenLate(), { kind: 'failed', reason: 'timeout' })
    })

    it('probes with a question that names nobody', async () => {
      const asked = server.questions.length
      server.answerWith(() => AUTHORITY)
      await open('auto').names.probe?.decided
      assert.deepEqual(
        server.questions.slice(asked).map(({ name, type }) => ({ name, type })),
        [{ name: 'in-addr.arpa', type: 'SOA' }],
      )
    })

    it('is off while no resolver answers, and on again when one does', async () => {
      server.answerWith(() => SERVFAIL)
      const { names } = open('auto')
      assert.deepEqual(await names.ask(item('192.0.2.1')), { kind: 'off' })
      assert.deepEqual(names.answerNow(item('192.0.2.1')), { kind: 'off' })
      assert.equal(names.check().state, 'off')
      assert.match(names.check().detail, /refuses to answer/)
      server.answerWith(({ type }) => (type === 'SOA' ? AUTHORITY : HOST))
      await names.probe?.probe()
      assert.deepEqual(await names.ask(item('192.0.2.1')), FOUND)
      server.answerWith(() => SERVFAIL)
      await names.probe?.probe()
      assert.deepEqual(names.answerNow(item('192.0.2.2')), { kind: 'off' })
    })

    it('is off behind a resolver that knows no names of the Internet', async () => {
      server.answerWith(() => NXDOMAIN)
      const { names } = open('auto')
      assert.deepEqual(await names.ask(item('192.0.2.1')), { kind: 'off' })
      assert.match(names.check().detail, /knows no in-addr\.arpa/)
    })

    it('probes at once when a question fails, from five seconds after the last probe on', async () => {
      server.answerWith(({ type }) => (type === 'SOA' ? AUTHORITY : SERVFAIL))
      const { names } = open('auto')
      await names.probe?.decided
      nowMs += 4_999
      const asked = server.questions.length
      await names.ask(item('192.0.2.1'))
      assert.deepEqual(
        server.questions.slice(asked).filter(({ type }) => type === 'SOA'),
        [],
      )
      nowMs += 1
      const { promise: probed, resolve: noteProbe } = Promise.withResolvers<void>()
      server.answerWith(({ type }) => {
        if (type === 'SOA') noteProbe()
        return SERVFAIL
      })
      await names.ask(item('192.0.2.2'))
      await probed
      await names.probe?.probe()
      assert.deepEqual(names.answerNow(item('192.0.2.3')), { kind: 'off' })
    })
  })
})
