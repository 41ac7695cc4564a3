// Proves the client against the real router over real sockets: calls and their types, refusals in
// all three forms, lists of every way of paging, quick checks of any length, and repeats.

import assert from 'node:assert/strict'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import { listen } from '../../test/cli-kit.ts'
import { withApp } from '../../test/harness.ts'
import { type Casework, CaseworkError, type CaseworkOptions, createCasework } from './client.ts'
import { KEYED_PATHS } from './keyed-paths.ts'

const app = withApp({}, async (opened) => {
  url = await listen(opened)
  casework = createCasework({ url, token: opened.token })
})
let url: string
let casework: Casework

// lib es2025 has no Array.fromAsync.
async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

async function refuse(deed: Promise<unknown>): Promise<CaseworkError> {
  const error = await deed.then(
    () => assert.fail('the call was not refused'),
    (failure: unknown) => failure,
  )
  assert(error instanceof CaseworkError, String(error))
  return error
}

describe('a call', () => {
  test('returns what the server answers, typed: JSON, a text, and nothing', async () => {
    const made = await casework.post('/beta/casework/customers', {
      body: { id: 'K-1', name: 'Example Hosting' },
    })
    assert.equal(made.id, 'K-1')
    const found = await casework.get('/beta/casework/customers/{customerId}', {
      params: { path: { customerId: 'K-1' } },
    })
    assert.equal(found.name, 'Example Hosting')
    const metrics = await casework.get('/metrics')
    assert.equal(typeof metrics, 'string')
    const gone = await casework.delete('/beta/casework/customers/{customerId}', {
      params: { path: { customerId: 'K-1' } },
    })
    assert.equal(gone, undefined)
  })

  test('sends a list in a query with commas, as a program without types gives it', async () => {
    const query: { state: string } = Object({ state: ['NEW', 'CLOSED'] })
    const counted = await casework.get('/beta/casework/cases/counts', { params: { query } })
    assert.equal(typeof counted.total, 'number')
  })

  test('sends a text as it is, with its own content-type', async () => {
    const lines = ['192.0.2.7', '192.0.2.8'].map((ip) => JSON.stringify(buildEvent(ip)))
    const pushed = await casework.post('/beta/casework/events', {
      body: lines.join('\n'),
      headers: { 'content-type': 'application/x-ndjson' },
    })
    assert('items' in pushed, JSON.stringify(pushed))
    assert.equal(pushed.items.length, 2)
  })

  test('is refused with problem details: sentence, code, field and request id', async () => {
    const error = await refuse(
      // @ts-expect-error -- the types refuse it too
      casework.post('/beta/casework/customers', { body: { id: 'K-2', name: 7 } }),
    )
    assert.equal(error.status, 400)
    assert.equal(error.code, 'KERNEL_REQUEST_NOT_VALID')
    assert.equal(error.field, '/name')
    assert.equal(error.locations.length, 1)
    assert.match(error.requestId ?? '', /^[\w.-]{8,}$/)
    assert.notEqual(error.message, '')
  })

  test('is refused by the envelope of threat intelligence with its sentence and code', async () => {
    const error = await refuse(casework.lookup('no item'))
    assert.equal(error.status, 400)
    assert.equal(error.code, 'INTEL_ITEM_NOT_READABLE')
    assert.match(error.message, /neither an IP address nor a domain/)
    assert.notEqual(error.requestId, null)
  })

  test('of an endpoint that fails without a body is told what was wrong nevertheless', async () => {
    const query = { cursor: 'not-one-of-ours' }
    const error = await refuse(casework.get('/beta/casework/cases', { params: { query } }))
    assert.equal(error.status, 400)
    assert.notEqual(error.code, null)
    assert.doesNotMatch(error.message, /^The server answered/)
  })

  test('without a valid token, and to a server that is not there, is refused', async () => {
    const stranger = createCasework({ url, token: 'cwk_api_unknown' })
    const error = await refuse(stranger.get('/beta/whoami'))
    assert.equal(error.status, 401)
    const nobody = createCasework({ url: 'http://127.0.0.1:1', retries: 0 })
    const silence = await refuse(nobody.get('/beta/whoami'))
    assert.equal(silence.status, 0)
    assert.notEqual(silence.cause, undefined)
    assert.throws(() => createCasework({ url: 'casework.example' }), TypeError)
  })

  test('that its caller ends is no CaseworkError', async () => {
    const signal = AbortSignal.abort(new Error('enough'))
    await assert.rejects(casework.get('/beta/whoami', { signal }), { message: 'enough' })
  })
})

describe('a list', () => {
  test('by cursor is read to its end, page by page or item by item', async () => {
    const ids = ['L-1', 'L-2', 'L-3', 'L-4', 'L-5']
    for (const id of ids) {
      await casework.post('/beta/casework/customers', { body: { id, name: id } })
    }
    const given = { params: { query: { limit: 2, order: 'asc' } } } as const
    const sizes: number[] = []
    for await (const page of casework.pages('/beta/casework/customers', given)) {
      sizes.push(page.items.length)
    }
    assert.deepEqual(sizes, [2, 2, 1])
    const found = []
    for await (const { id } of casework.list('/beta/casework/customers', given)) found.push(id)
    assert.deepEqual(found.toSorted(), ids)
  })

  test('by offset and snapshot, and by after, is read to its end', async () => {
    const tag = 'example:sdk'
    await casework.put('/beta/tags/{name}', {
      params: { path: { name: tag } },
      body: { intent: 'malicious', category: 'example', description: 'Made by a test.' },
    })
    const items = ['192.0.2.21', '192.0.2.22', '192.0.2.23', '192.0.2.24', '192.0.2.25']
    await casework.post('/beta/taggings', {
      body: items.map((item) => ({ item, tag, source: 'sdk-test' })),
    })
    const tagged = casework.list('/beta/tags/{name}/ips', {
      params: { path: { name: tag }, query: { limit: 2 } },
    })
    assert.deepEqual(await collect(tagged), items)
    const inRange = casework.list('/beta/ranges/{cidr}', {
      params: { path: { cidr: '192.0.2.16/28' }, query: { limit: 2 } },
    })
    assert.deepEqual(
      (await collect(inRange)).map(({ item }) => item),
      items,
    )
    const changes = casework.pages('/beta/changes', { params: { query: { limit: 2 } } })
    const pages = await collect(changes)
    assert.equal(pages.at(-1)?.result.more, false)
  })

  test('of replays goes on after the last event of each until all were looked at', async () => {
    const script = ['E-1', ''].map((next_after) => ({
      status: 200,
      body: JSON.stringify({ assigned: 1, unassigned: 0, next_after }),
    }))
    await withServer(script, async (client, heard) => {
      const answers = await collect(client.replayEvents({ cause: 'no_match' }))
      assert.equal(answers.length, 2)
      assert.deepEqual(
        heard.map(({ body }) => JSON.parse(body)),
        [{ cause: 'no_match' }, { cause: 'no_match', after: 'E-1' }],
      )
    })
    const [only, ...others] = await collect(casework.replayEvents({ cause: 'no_match' }))
    assert.deepEqual([only?.next_after, others], ['', []])
  })

  test('that is refused throws at its first page', async () => {
    const lister = createCasework({ url, token: await app.createToken({ scopes: ['intel:read'] }) })
    const error = await refuse(lister.list('/beta/casework/customers').next())
    assert.equal(error.status, 403)
  })
})

describe('a quick check', () => {
  test('of 2,500 items has one result for each, in their order, the unreadable ones too', async () => {
    const items = Array.from({ length: 2_500 }, (_, index) => `10.0.${index >> 8}.${index & 255}`)
    items[1_500] = 'no item'
    const results = await collect(casework.check(items))
    assert.deepEqual(
      results.map(({ item }) => item),
      items,
    )
    assert.equal(results[1_500]?.type, 'INVALID')
    assert.deepEqual(await collect(casework.check([])), [])
  })

  test('throws the refusal of a part', async () => {
    const stranger = createCasework({ url, token: 'cwk_api_unknown' })
    const error = await refuse(stranger.check(['192.0.2.1']).next())
    assert.equal(error.status, 401)
  })
})

interface Scripted {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

interface Heard {
  readonly method: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A server that gives one answer after the other, then the last one; status 0 hangs up. */
async function withServer(
  script: readonly Scripted[],
  deed: (casework: Casework, heard: readonly Heard[]) => Promise<void>,
  options: Partial<CaseworkOptions> = {},
): Promise<void> {
  const heard: Heard[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text
    })
    request.on('end', () => {
      const answer = script[Math.min(heard.length, script.length - 1)]
      heard.push({ method: request.method, headers: request.headers, body })
      if (answer === undefined || answer.status === 0) {
        response.destroy()
        return
      }
      response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
      response.end(answer.body ?? '{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  try {
    await deed(createCasework({ url: `http://127.0.0.1:${port}`, ...options }), heard)
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

const AT_ONCE = { 'retry-after': '0' }

describe('a repeat', () => {
  test('is made of a read, by Retry-After, until it is answered', async () => {
    const script = [
      { status: 429, headers: AT_ONCE },
      { status: 503, headers: AT_ONCE },
      { status: 200, body: '{"status":"ok"}' },
    ]
    await withServer(script, async (client, heard) => {
      assert.deepEqual(await client.get('/livez'), { status: 'ok' })
      assert.equal(heard.length, 3)
    })
  })

  test('ends after the number of retries, with the last refusal', async () => {
    await withServer([{ status: 503, headers: AT_ONCE }], async (client, heard) => {
      const error = await refuse(client.get('/livez'))
      assert.equal(error.status, 503)
      assert.equal(error.retryAfterSeconds, 0)
      assert.equal(heard.length, 4)
    })
  })

  test('by Retry-After goes on for as long as all waits together are allowed to take', async () => {
    const away = { status: 503, headers: { 'retry-after': '1' } }
    const few = { retries: 1, waitSecondsMax: 2 }
    const returns = [away, away, { status: 200 }]
    const getWith = async (script: readonly Scripted[]): Promise<void> => {
      await withServer(
        script,
        async (client, heard) => {
          const last = script.at(-1)?.status
          if (last === 200) assert.deepEqual(await client.get('/livez'), {})
          else assert.equal((await refuse(client.get('/livez'))).status, last)
          assert.equal(heard.length, 3)
        },
        few,
      )
    }
    await Promise.all([getWith(returns), getWith([away])])
  })

  test('is not made when the server asks for a longer wait than is given', async () => {
    await withServer(
      [{ status: 429, headers: { 'retry-after': '3600' } }],
      async (client, heard) => {
        const error = await refuse(client.get('/livez'))
        assert.equal(error.retryAfterSeconds, 3_600)
        assert.equal(heard.length, 1)
      },
    )
  })

  test('of a POST has the key and the body of the first', async () => {
    const script = [{ status: 503, headers: AT_ONCE }, { status: 201 }]
    await withServer(script, async (client, heard) => {
      await client.post('/beta/casework/events', { body: [buildEvent('192.0.2.9')] })
      const [first, second] = heard
      assert.match(String(first?.headers['idempotency-key']), /^[0-9a-f]{32}$/)
      assert.equal(second?.headers['idempotency-key'], first?.headers['idempotency-key'])
      assert.equal(second?.body, first?.body)
      await client.post('/beta/casework/events', {
        body: [buildEvent('192.0.2.9')],
        headers: { 'idempotency-key': 'mine' },
      })
      assert.equal(heard[2]?.headers['idempotency-key'], 'mine')
    })
  })

  test('is not made of a POST that takes no key, nor of a refusal for good', async () => {
    await withServer([{ status: 503, headers: AT_ONCE }], async (client, heard) => {
      await refuse(client.post('/beta/casework/playbooks/validate', { body: { nodes: [] } }))
      assert.equal(heard.length, 1)
      assert.equal(heard[0]?.headers['idempotency-key'], undefined)
    })
    await withServer([{ status: 409 }], async (client, heard) => {
      await refuse(client.get('/livez'))
      assert.equal(heard.length, 1)
    })
  })

  test('is not made of a partial look-up, which is an answer with its flag', async () => {
    const result = { item: '192.0.2.1' }
    const partial = {
      status: 503,
      headers: { 'casework-problem': 'INTEL_LOOKUP_PARTIAL' },
      body: JSON.stringify({ status: 'partial_success', statusCode: 503, result, errors: {} }),
    }
    await withServer([partial], async (client, heard) => {
      assert.deepEqual(await client.lookup('192.0.2.1'), { result, partial: true })
      assert.equal(heard.length, 1)
    })
    const found = await casework.lookup('192[.]0[.]2[.]1')
    assert.equal(found.partial, false)
  })

  test('is made after a connection that was lost', async () => {
    await withServer([{ status: 0 }, { status: 200 }], async (client, heard) => {
      assert.deepEqual(await client.get('/livez'), {})
      assert.equal(heard.length, 2)
    })
  })
})

test('every POST that takes an Idempotency-Key gets one, and no other', async () => {
  const document = (await app.send('GET', '/openapi.json')).json()
  const keyed = Object.entries<{ post?: object }>(document.paths)
    .filter(([, { post }]) => JSON.stringify(post ?? {}).includes('parameters/IdempotencyKey'))
    .map(([path]) => path)
  assert.deepEqual([...KEYED_PATHS].toSorted(), keyed.toSorted())
})

function buildEvent(ip: string) {
  return {
    event_type: 'LoginAttack',
    event_date: '2026-03-01T12:00:00Z',
    ip,
  }
}
