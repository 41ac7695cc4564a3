// The iterator over changes against the real router over real sockets: what it gives, how it goes
// on after a break, and what ends it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listen } from '../../test/cli-kit.ts'
import { withApp } from '../../test/harness.ts'
import { startFeeding } from '../../test/stream-kit.ts'
import { CaseworkError, createCasework } from './client.ts'
import { watchChanges } from './watch-changes.ts'

let url: string
const app = withApp({}, async (opened) => {
  url = await listen(opened)
})

async function push(customer: string): Promise<string> {
  const event = { event_date: '2026-02-01T00:00:00Z', event_type: 'Spam', customer_id: customer }
  const answer = await app.send('POST', '/beta/casework/events', { token: app.token, json: event })
  assert.equal(answer.status, 201, answer.text)
  return answer.json().case_id
}

/** A fetch that counts, and says when the n-th stream is open. */
function countOpenings(): {
  readonly fetch: (request: Request) => Promise<Response>
  readonly whenOpen: (count: number) => Promise<void>
  readonly breakOff: () => void
  readonly resumed: (string | null)[]
} {
  let cut = new AbortController()
  const resumed: (string | null)[] = []
  const waiting = new Map<number, () => void>()
  return {
    resumed,
    breakOff: () => cut.abort(),
    whenOpen: (count) =>
      new Promise((resolve) => {
        if (resumed.length >= count) resolve()
        else waiting.set(count, resolve)
      }),
    async fetch(request) {
      cut = new AbortController()
      const signal = AbortSignal.any([request.signal, cut.signal])
      const response = await fetch(new Request(request, { signal }))
      resumed.push(request.headers.get('last-event-id'))
      waiting.get(resumed.length)?.()
      return response
    },
  }
}

test('changes come as they happen, and behind the last one after the connection broke', async (t) => {
  t.after(startFeeding(app))
  const { fetch, whenOpen, breakOff, resumed } = countOpenings()
  const casework = createCasework({ url, token: app.token, fetch })
  const changes = casework.watch({ kinds: ['case'], what: ['open'] })
  const first = changes.next()
  await whenOpen(1)
  const one = await push('one')
  const { value } = await first
  assert.ok(value?.kind === 'case')
  assert.deepEqual([value.what, value.id], ['open', one])
  breakOff()
  const two = await push('two')
  const next = await changes.next()
  assert.ok(next.value?.kind === 'case')
  assert.equal(next.value.id, two)
  // Up to here, messages that the filter leaves out do not count as seen.
  assert.deepEqual(resumed, [null, value.serial])
  await changes.return()
})

function writeFrame(serial: number): string {
  return `id: ${serial}\nevent: case\ndata: {"kind":"case","what":"open","id":"C-${serial}","at":""}\n\n`
}

function sayNothing({ signal }: Request): Promise<Response> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('aborted')))
  })
}

test('a server that takes the connection and says nothing is given up, and asked again', {
  timeout: 300_000,
}, async () => {
  const target = { url: 'http://casework.example', token: undefined, silenceMs: 50 }
  const resumed: (string | null)[] = []
  const send = async (request: Request): Promise<Response> => {
    resumed.push(request.headers.get('last-event-id'))
    return resumed.length === 2
      ? await sayNothing(request)
      : new Response(writeFrame(resumed.length))
  }
  const serials: string[] = []
  for await (const { serial } of watchChanges({ ...target, send }, {})) {
    serials.push(serial)
    if (serials.length === 2) break
  }
  assert.deepEqual(
    [serials, resumed],
    [
      ['1', '3'],
      [null, '1', '1'],
    ],
  )
  const never = watchChanges({ ...target, send: sayNothing }, {})
  await assert.rejects(never.next(), { name: 'CaseworkError', status: 0 })
})

test('an iteration after an old serial begins with a reset, and ends at its signal', async () => {
  const stop = new AbortController()
  const seen: string[] = []
  const casework = createCasework({ url, token: app.token })
  for await (const { kind } of casework.watch({ after: '999999', signal: stop.signal })) {
    seen.push(kind)
    stop.abort()
  }
  assert.deepEqual(seen, ['reset'])
})

test('a refusal is thrown: at the first stream whatever it is, later on when it is for good', async () => {
  const stranger = createCasework({ url, token: 'cw_api_unknown' })
  await assert.rejects(stranger.watch().next(), { name: 'CaseworkError', status: 401 })
  const nobody = createCasework({ url: 'http://127.0.0.1:1', token: 'x' })
  await assert.rejects(nobody.watch().next(), { name: 'CaseworkError', status: 0 })
  const wrong = createCasework({ url, token: app.token }).watch({ caseId: 'x' })
  await assert.rejects(wrong.next(), { status: 400, field: '/case_id' })
  const token = await app.createToken()
  const { fetch, whenOpen } = countOpenings()
  const changes = createCasework({ url, token, fetch }).watch()
  const next = changes.next().catch((error: unknown) => error)
  await whenOpen(1)
  const { token_id: id } = (await app.send('GET', '/beta/whoami', { token })).json()
  await app.send('DELETE', `/beta/admin/tokens/${id}`, { token: app.token })
  const error = await next
  assert.ok(error instanceof CaseworkError, String(error))
  assert.equal(error.status, 401)
})
