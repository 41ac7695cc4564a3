// What a program does with `casework/client`, step by step. The file imports nothing, so that it
// runs in a browser and on an older Node once its types are stripped. A step returns what it saw.

import type { createCasework } from '../../src/client/client.ts'

export interface ScenarioOptions {
  /** The client as it was built. */
  readonly createCasework: typeof createCasework
  /** The server of client.browser.ts. */
  readonly url: string
  readonly token: string
  /** Makes the names of this run its own. */
  readonly prefix: string
}

export type Seen = Readonly<Record<string, unknown>>

export async function runScenario(options: ScenarioOptions): Promise<Seen> {
  const { url, token, prefix, createCasework: create } = options
  const casework = create({ url, token })
  const seen: Record<string, unknown> = {}

  const { result, partial } = await casework.lookup('192[.]0[.]2[.]1')
  seen['lookup'] = { item: result.item, partial }
  seen['partial'] = (await create({ url: `${url}/partial`, token }).lookup('192.0.2.1')).partial

  const items = Array.from({ length: 2_500 }, (_, at) =>
    at % 1_000 === 999 ? `no item ${at}` : `10.1.${at >> 8}.${at & 255}`,
  )
  const checked: { readonly item: string; readonly type: string }[] = []
  for await (const { item, type } of casework.check(items)) checked.push({ item, type })
  seen['check'] = {
    isInOrder: checked.every(({ item }, at) => item === items[at]),
    count: checked.length,
    invalid: checked.filter(({ type }) => type === 'INVALID').length,
  }

  const ids = ['1', '2', '3', '4', '5'].map((number) => `${prefix}-${number}`)
  for (const id of ids) await casework.post('/beta/casework/customers', { body: { id, name: id } })
  const listed: string[] = []
  const given = { params: { query: { limit: 2, order: 'asc' } } } as const
  for await (const { id } of casework.list('/beta/casework/customers', given)) listed.push(id)
  seen['paging'] = ids.every((id) => listed.includes(id))

  seen['problem'] = await casework
    // @ts-expect-error -- the types refuse it too
    .post('/beta/casework/customers', { body: { id: 'K', name: 7 } })
    .then(() => 'no refusal', readRefusal)

  // The server refuses the first request below /busy/ with 429 and `Retry-After: 1`.
  const busy = create({ url: `${url}/busy/${prefix}`, token })
  await busy.get('/livez')
  const event = { event_type: 'LoginAttack', event_date: '2026-03-01T12:00:00Z', ip: '192.0.2.9' }
  const pushed = await busy.post('/beta/casework/events', { body: [event] })
  seen['retry'] = 'items' in pushed ? pushed.items.length : pushed
  seen['silence'] = await create({ url: `${url}/silent`, token, retries: 0 })
    .get('/livez')
    .then(() => 'an answer', readRefusal)

  // No change is older than this stream.
  for await (const { kind } of casework.watch({ after: '999999' })) {
    seen['watch'] = kind
    break
  }

  const stop = new AbortController()
  const waiting = create({ url: `${url}/slow`, token }).get('/livez', { signal: stop.signal })
  stop.abort(new Error('enough'))
  seen['abort'] = await waiting.then(() => 'an answer', readMessage)
  return seen
}

function readMessage(error: unknown): unknown {
  return error instanceof Error ? error.message : error
}

function readRefusal(error: unknown): unknown {
  const { name, status, code, field, requestId } = Object(error)
  return { name, status, code, field, hasRequestId: typeof requestId === 'string' }
}
