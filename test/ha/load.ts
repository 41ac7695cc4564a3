// Load as senders make it: every push is kept and sent again until it is acknowledged, look-ups are
// asked beside it, and everything that no sender should meet is noted.

import { setTimeout as delay } from 'node:timers/promises'
import { readRetryAfter } from '../../src/client/casework-error.ts'

export interface Load {
  /** Ends it when every push is acknowledged; resolves with what came of it. */
  readonly end: () => Promise<LoadResult>
  /** Ends it at once, for a test that has failed. */
  readonly abandon: () => void
  /** How many refusals writers have met so far, and how many of their pushes were accepted. */
  readonly count: () => { readonly refused: number; readonly accepted: number }
}

export interface LoadResult {
  /** The id of each event by the report id that its sender gave it. */
  readonly acknowledged: ReadonlyMap<string, string>
  /** How often each answer came: `write 201`. */
  readonly answers: Readonly<Record<string, number>>
  /** Failed requests, 503 without Retry-After, and every other status that is no answer. */
  readonly wrong: readonly string[]
  /** The longest time without any accepted write, in seconds. */
  readonly gapSeconds: number
}

interface LoadPlan {
  /** Where requests go; each has writers and readers of its own. */
  readonly urls: readonly string[]
  readonly token: string
  /** Marks the report ids of this load. */
  readonly name: string
  /** A listed address, of which every look-up must say so. */
  readonly item: string
}

const EVENTS_A_PUSH = 5
const PAUSE_MS = 40

export function startLoad({ urls, token, name, item }: LoadPlan): Load {
  const stopping = new AbortController()
  const abandoning = new AbortController()
  abandoning.signal.addEventListener('abort', () => stopping.abort())
  const acknowledged = new Map<string, string>()
  const answers: Record<string, number> = {}
  const wrong: string[] = []
  const totals = { refused: 0, accepted: 0 }
  let pushes = 0
  let acceptedAt = performance.now()
  let gapMs = 0
  const ask = async (kind: string, url: string, init: RequestInit): Promise<Response | null> => {
    let answer: Response
    try {
      answer = await fetch(url, init)
    } catch (error) {
      wrong.push(`${kind} ${String(error)} ${String((error as Error).cause)}`)
      return null
    }
    const line = `${kind} ${answer.status}`
    answers[line] = (answers[line] ?? 0) + 1
    return answer
  }

  async function push(url: string, isSingle: boolean): Promise<void> {
    pushes += 1
    const events = Array.from({ length: isSingle ? 1 : EVENTS_A_PUSH }, (_, at) =>
      makeEvent(`${name}-${pushes}-${at}`, pushes),
    )
    const init = {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': `${name}-${pushes}`,
      },
      body: JSON.stringify(isSingle ? events[0] : events),
    }
    while (!abandoning.signal.aborted) {
      const answer = await ask('write', `${url}/beta/casework/events`, init)
      if (answer?.ok) {
        note(events, (await answer.json()) as PushAnswer)
        return
      }
      totals.refused += 1
      const text = await answer?.text()
      if (answer?.status === 503 && readRetryAfter(answer.headers) !== null) await delay(250)
      else if (answer) wrong.push(`write ${answer.status} ${text}`)
    }
  }

  function note(events: readonly { readonly report_id: string }[], body: PushAnswer): void {
    const now = performance.now()
    gapMs = Math.max(gapMs, now - acceptedAt)
    acceptedAt = now
    totals.accepted += 1
    for (const { index, event_id: id } of body.items ?? [{ ...body, index: 0 }]) {
      const event = events[index]
      if (event === undefined || id === undefined) wrong.push(`no id: ${JSON.stringify(body)}`)
      else acknowledged.set(event.report_id, id)
    }
  }

  async function lookUp(url: string, isCheck: boolean): Promise<void> {
    const answer = isCheck
      ? await ask('look-up', `${url}/beta/quick-check`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify([item, '192.0.2.1']),
        })
      : await ask('look-up', `${url}/beta/query/${item}`, {})
    const text = await answer?.text()
    if (answer?.status !== 200) wrong.push(`look-up ${answer?.status} ${text}`)
    else if (!isCheck && !text?.includes('"ACTIVE"')) {
      wrong.push(`look-up without the listing ${text}`)
    }
  }

  async function repeat(work: (turn: number) => Promise<void>): Promise<void> {
    for (let turn = 0; !stopping.signal.aborted; turn += 1) {
      await work(turn)
      await delay(PAUSE_MS)
    }
  }

  const loops = urls.flatMap((url) => [
    repeat(() => push(url, true)),
    repeat(() => push(url, false)),
    repeat((turn) => lookUp(url, turn % 2 === 0)),
  ])
  return {
    count: () => ({ ...totals }),
    abandon: () => abandoning.abort(),
    async end() {
      stopping.abort()
      await Promise.all(loops)
      return { acknowledged, answers, wrong, gapSeconds: gapMs / 1_000 }
    },
  }
}

interface PushAnswer {
  readonly event_id?: string
  readonly items?: readonly { readonly index: number; readonly event_id?: string }[]
}

function makeEvent(reportId: string, number: number): { readonly report_id: string } {
  const event = {
    event_type: 'LoginAttack',
    event_date: new Date(Date.now() - 1_000).toISOString(),
    ip: `198.51.100.${number % 200}`,
    sender_email: 'reporter@example.com',
    report_id: reportId,
  }
  return event
}
