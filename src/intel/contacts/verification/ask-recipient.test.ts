import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  openSmtpServer,
  type SmtpScript,
  type SmtpServer,
} from '../../../../test/fixtures/smtp-server.ts'
import { askRecipient, type RecipientAnswer } from './ask-recipient.ts'

const HASTY = { connectMs: 2_000, dialogMs: 300 }
const PATIENT = { connectMs: 10_000, dialogMs: 10_000 }

function undecided(stage: 'connection' | 'recipient', wasReached = true): RecipientAnswer {
  return { kind: 'undecided', stage, wasReached }
}

describe('asking a mail server for a recipient', () => {
  let server: SmtpServer
  before(async () => {
    server = await openSmtpServer()
  })
  after(() => server.close())

  function ask(
    script: SmtpScript,
    timing = PATIENT,
    signal = new AbortController().signal,
  ): Promise<RecipientAnswer> {
    server.answerWith(script)
    return askRecipient({
      email: 'abuse@example.com',
      addresses: ['127.0.0.1'],
      port: server.port,
      timing,
      signal,
    })
  }

  it('accepted for 250, after EHLO, an empty sender and the recipient, and sends no mail', async () => {
    const seen = server.commands.length
    assert.deepEqual(await ask({}), { kind: 'accepted' })
    const [ehlo, ...rest] = server.commands.slice(seen)
    assert.match(ehlo ?? '', /^EHLO (\[127\.0\.0\.1\]|[a-z0-9.-]+)$/)
    assert.deepEqual(rest.slice(0, 2), ['MAIL FROM:<>', 'RCPT TO:<abuse@example.com>'])
    assert.equal(rest.includes('DATA'), false)
  })

  it('rejected for a mailbox that is not there, with and without an enhanced code', async () => {
    for (const reply of [
      '550 5.1.1 No such user',
      '550 No such user',
      '553 5.1.3 Bad',
      '552 5.2.2 Full',
    ]) {
      assert.deepEqual(await ask({ rcpt: () => reply }), { kind: 'rejected' }, reply)
    }
  })

  it('undecided about the recipient for "later"', async () => {
    for (const reply of ['451 4.7.1 Greylisted', '450 Try later', '421 4.3.2 Closing']) {
      assert.deepEqual(await ask({ rcpt: () => reply }), undecided('recipient'), reply)
    }
  })

  it('not told by a server that refuses the one who asks, at whatever point', async () => {
    for (const reply of ['550 5.7.1 You are listed', '554 No', '530 5.7.0 TLS first']) {
      assert.deepEqual(await ask({ rcpt: () => reply }), { kind: 'not-told' }, reply)
      assert.deepEqual(await ask({ mail: reply }), { kind: 'not-told' }, reply)
      assert.deepEqual(await ask({ greeting: reply }), { kind: 'not-told' }, reply)
      assert.deepEqual(await ask({ ehlo: reply, helo: reply }), { kind: 'not-told' }, reply)
    }
  })

  it('falls back to HELO for a server that knows no EHLO', async () => {
    assert.deepEqual(await ask({ ehlo: '502 5.5.1 What?' }), { kind: 'accepted' })
  })

  it('undecided about the connection for "later" before the recipient', async () => {
    assert.deepEqual(await ask({ greeting: '421 4.3.2 Busy' }), undecided('connection'))
    assert.deepEqual(await ask({ mail: '451 4.3.0 Later' }), undecided('connection'))
    assert.deepEqual(
      await ask({ ehlo: '502 What?', helo: '421 4.3.2 Bye' }),
      undecided('connection'),
    )
  })

  it('undecided for a server that is silent, at whatever point', async () => {
    assert.deepEqual(await ask({ greeting: '' }, HASTY), undecided('connection'))
    assert.deepEqual(await ask({ ehlo: '' }, HASTY), undecided('connection'))
    assert.deepEqual(await ask({ rcpt: () => '' }, HASTY), undecided('recipient'))
  })

  it('undecided for what is no SMTP, for endless lines and for endless replies', async () => {
    assert.deepEqual(await ask({ greeting: 'HTTP/1.1 400 Bad Request' }), undecided('connection'))
    assert.deepEqual(await ask({ greeting: `220 ${'x'.repeat(100_000)}` }), undecided('connection'))
    assert.deepEqual(await ask({ ehlo: '250-more\r\n'.repeat(1_000) }), undecided('connection'))
    assert.deepEqual(await ask({ hangsUp: true }), undecided('connection'))
  })

  it('tries the next address when nobody listens at the first', async () => {
    server.answerWith({})
    const question = { email: 'abuse@example.com', port: server.port, timing: PATIENT }
    const { signal } = new AbortController()
    // Nothing listens on this address of the loopback network: the server has 127.0.0.1 only.
    const addresses = ['127.0.0.2', '127.0.0.1']
    assert.deepEqual(await askRecipient({ ...question, addresses, signal }), { kind: 'accepted' })
    assert.deepEqual(
      await askRecipient({ ...question, addresses: ['127.0.0.2'], signal }),
      undecided('connection', false),
    )
  })

  it('ends at once when it is told to', async () => {
    const stopping = new AbortController()
    const answer = ask({ greeting: '' }, PATIENT, stopping.signal)
    stopping.abort(new Error('stop'))
    assert.equal((await answer).kind, 'undecided')
    assert.deepEqual(await ask({}, PATIENT, stopping.signal), undecided('connection', false))
  })
})
