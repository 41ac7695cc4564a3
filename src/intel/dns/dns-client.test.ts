import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type DnsServer, openDnsServer } from '../../../test/fixtures/dns-server.ts'
import { systemClock } from '../../kernel/clock.ts'
import { OperatingError } from '../../kernel/operating-error.ts'
import { type DnsClient, openDnsClient } from './dns-client.ts'

const NAME = '1.2.0.192.in-addr.arpa'
const HOST = { type: 'PTR', value: 'host.example' } as const
const OTHER_HOST = { type: 'PTR', value: 'other.example' } as const

describe('questions to DNS', () => {
  let server: DnsServer
  let client: DnsClient
  before(async () => {
    server = await openDnsServer(() => ({ kind: 'silent' }))
    client = openDnsClient({ servers: [server.address], clock: systemClock, deadlineMs: 750 })
  })
  after(async () => {
    client.close()
    await server.close()
  })

  it('finds every PTR record of a name', async () => {
    server.answerWith(() => ({ kind: 'records', records: [HOST, OTHER_HOST] }))
    assert.deepEqual(await client.askPointers(NAME), {
      kind: 'found',
      value: ['host.example', 'other.example'],
    })
    assert.deepEqual(server.questions.at(-1), { name: NAME, type: 'PTR', transport: 'udp' })
  })

  it('follows the CNAME of a delegation without classes (RFC 2317)', async () => {
    const alias = '1.0-127.2.0.192.in-addr.arpa'
    server.answerWith(() => ({
      kind: 'records',
      records: [
        { type: 'CNAME', value: alias },
        { name: alias, type: 'PTR', value: 'host.example' },
      ],
    }))
    assert.deepEqual(await client.askPointers(NAME), { kind: 'found', value: ['host.example'] })
  })

  it('joins the strings of a TXT record and keeps its records apart', async () => {
    const long = `${'a'.repeat(300)}@example.com`
    server.answerWith(() => ({
      kind: 'records',
      records: [
        { type: 'TXT', value: long },
        { type: 'TXT', value: 'b@example.com' },
      ],
    }))
    assert.deepEqual(await client.askTexts('1.2.0.192.contacts.example'), {
      kind: 'found',
      value: [long, 'b@example.com'],
    })
  })

  it('absent for NXDOMAIN and for a name without such records', async () => {
    server.answerWith(() => ({ kind: 'code', code: 'nxdomain' }))
    assert.deepEqual(await client.askPointers(NAME), { kind: 'absent' })
    server.answerWith(() => ({ kind: 'code', code: 'noerror' }))
    assert.deepEqual(await client.askPointers(NAME), { kind: 'absent' })
  })

  it('failed "refused" for SERVFAIL and REFUSED, also when nothing listens', async () => {
    for (const code of ['servfail', 'refused'] as const) {
      server.answerWith(() => ({ kind: 'code', code }))
      assert.deepEqual(await client.askPointers(NAME), { kind: 'failed', reason: 'refused' })
    }
    const gone = await openDnsServer(() => ({ kind: 'silent' }))
    await gone.close()
    const other = openDnsClient({ servers: [gone.address], clock: systemClock, deadlineMs: 750 })
    assert.deepEqual(await other.askPointers(NAME), { kind: 'failed', reason: 'refused' })
    other.close()
  })

  it('asks again when a packet is lost', async () => {
    let asked = 0
    server.answerWith(() => {
      asked += 1
      return asked === 1 ? { kind: 'silent' } : { kind: 'records', records: [HOST] }
    })
    assert.deepEqual(await client.askPointers(NAME), { kind: 'found', value: ['host.example'] })
    assert.equal(asked, 2)
  })

  it('failed "timeout" when nobody answers', async () => {
    server.answerWith(() => ({ kind: 'silent' }))
    const hasty = openDnsClient({ servers: [server.address], clock: systemClock, deadlineMs: 50 })
    assert.deepEqual(await hasty.askPointers(NAME), { kind: 'failed', reason: 'timeout' })
    hasty.close()
  })

  it('asks over TCP when the UDP answer is truncated', async () => {
    const asked = server.questions.length
    server.answerWith(() => ({ kind: 'truncated', records: [HOST] }))
    assert.deepEqual(await client.askPointers(NAME), { kind: 'found', value: ['host.example'] })
    assert.deepEqual(
      server.questions.slice(asked).map(({ transport }) => transport),
      ['udp', 'tcp'],
    )
  })

  it('reads an answer of 56 KiB over TCP whole', async () => {
    const records = Array.from({ length: 1_200 }, (_, at) => ({
      type: 'PTR' as const,
      value: `h${at}.example`,
    }))
    server.answerWith(() => ({ kind: 'truncated', records }))
    const answer = await client.askPointers(NAME)
    assert.equal(answer.kind === 'found' ? answer.value.length : 0, 1_200)
  })

  it('does not believe an answer with the id of another question', async () => {
    server.answerWith(() => ({
      kind: 'wrong-id',
      records: [{ type: 'PTR', value: 'forged.example' }],
      next: { kind: 'records', records: [HOST] },
    }))
    assert.deepEqual(await client.askPointers(NAME), { kind: 'found', value: ['host.example'] })
  })

  it('failed, and nothing thrown, for an answer that cannot be read', async () => {
    server.answerWith(() => ({ kind: 'garbage' }))
    const answer = await client.askPointers(NAME)
    assert.equal(answer.kind, 'failed')
    assert.equal((await client.askPointers('..')).kind, 'failed')
  })

  it('answers every question at once when it is closed', async () => {
    const { promise: asked, resolve: noteAsked } = Promise.withResolvers<void>()
    server.answerWith(() => {
      noteAsked()
      return { kind: 'silent' }
    })
    const closing = openDnsClient({
      servers: [server.address],
      clock: systemClock,
      deadlineMs: 30_000,
    })
    const answer = closing.askPointers(NAME)
    await asked
    closing.close()
    assert.deepEqual(await answer, { kind: 'failed', reason: 'timeout' })
    assert.deepEqual(await closing.askPointers(NAME), { kind: 'failed', reason: 'timeout' })
  })

  it('refuses a server that is no address with a sentence', () => {
    assert.throws(
      () => openDnsClient({ servers: ['resolver.example'], clock: systemClock, deadlineMs: 750 }),
      (error) =>
        error instanceof OperatingError &&
        error.code === 'KERNEL_SETTINGS_NOT_USABLE' &&
        error.publicMessage.includes('CASEWORK_DNS_SERVERS'),
    )
  })
})
