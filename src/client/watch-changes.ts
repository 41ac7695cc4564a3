// The stream of changes as an iterator, for Node and for browsers: by fetch, since an EventSource
// sends no token. A stream that breaks off is opened again behind the last message.

import { CaseworkError, readFailure, readSilence } from './casework-error.ts'

/** Something happened to a record; who may read the record asks for it. */
export interface WatchedChange {
  readonly kind: 'case' | 'event' | 'report' | 'run'
  /** What happened, such as `open` or `move` of a case. */
  readonly what: string
  readonly id: string
  readonly case_id?: string
  readonly at: string
  /** Given as `after`, the next watch goes on behind this change. */
  readonly serial: string
}

/** Changes are missing before the next one: load anew what you keep. */
export interface WatchedReset {
  readonly kind: 'reset'
  readonly serial: string
}

export interface WatchOptions {
  /** Only these kinds. */
  readonly kinds?: readonly WatchedChange['kind'][]
  /** Only changes of these names. */
  readonly what?: readonly string[]
  /** Only changes of this case, its events and its runs. */
  readonly caseId?: string
  /** The `serial` of the last change that you have. */
  readonly after?: string
  readonly signal?: AbortSignal
}

export interface StreamTarget {
  readonly url: string
  readonly token: string | undefined
  readonly send: (request: Request) => Promise<Response>
  /** How long nothing may come: a test waits less. */
  readonly silenceMs?: number
}

// The server answers at once, and writes at least every 15 seconds.
const SILENCE_MS = 45_000
const WAIT_MS_MIN = 1_000
const WAIT_MS_MAX = 30_000

/**
 * Goes on until you leave the loop or abort the signal. Throws when the first stream cannot be
 * opened, and when the server refuses a later one for good, such as after a revocation.
 */
export async function* watchChanges(
  target: StreamTarget,
  options: WatchOptions,
): AsyncGenerator<WatchedChange | WatchedReset, void> {
  let after = options.after ?? null
  let isFirst = true
  let waitMs = WAIT_MS_MIN
  while (options.signal?.aborted !== true) {
    const stop = new AbortController()
    const signal =
      options.signal === undefined ? stop.signal : AbortSignal.any([stop.signal, options.signal])
    const silence = createSilenceTimer(target.silenceMs ?? SILENCE_MS, () => stop.abort())
    let askedMs = 0
    try {
      const response = await openStream(target, options, after, signal)
      isFirst = false
      for await (const frame of readFrames(response, silence.restart)) {
        after = frame.id ?? after
        // Opened, or told something: the server is there.
        waitMs = WAIT_MS_MIN
        const change = readChange(frame, after)
        if (change !== null) yield change
      }
    } catch (error) {
      if (hasAborted(options.signal)) return
      const isRefusal = error instanceof CaseworkError && error.status !== 0
      if (isFirst || (isRefusal && !isPassing(error.status))) throw error
      if (isRefusal) askedMs = Math.min(WAIT_MS_MAX, (error.retryAfterSeconds ?? 0) * 1_000)
    } finally {
      silence.end()
      stop.abort()
    }
    // Half of it by chance, so that clients do not all come back together.
    await pause(Math.max(askedMs, waitMs * (0.5 + Math.random() / 2)), options.signal)
    waitMs = Math.min(WAIT_MS_MAX, waitMs * 2)
  }
}

function isPassing(status: number): boolean {
  return status >= 500 || status === 408 || status === 429
}

async function openStream(
  { url, token, send }: StreamTarget,
  { kinds, what, caseId }: WatchOptions,
  after: string | null,
  signal: AbortSignal,
): Promise<Response> {
  const query = new URLSearchParams({
    ...(kinds === undefined ? {} : { kinds: kinds.join(',') }),
    ...(what === undefined ? {} : { what: what.join(',') }),
    ...(caseId === undefined ? {} : { case_id: caseId }),
  })
  const request = new Request(
    `${url.replace(/\/$/, '')}/beta/casework/stream?${query.toString()}`,
    {
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(after === null ? {} : { 'last-event-id': after }),
      },
      signal,
    },
  )
  const response = await send(request).catch((error: unknown) => {
    throw readSilence(request, error)
  })
  if (response.ok) return response
  const body: unknown = await response.json().catch(() => undefined)
  throw readFailure(request, response, body)
}

interface Frame {
  readonly id: string | null
  readonly event: string
  readonly data: string
}

interface SilenceTimer {
  readonly restart: () => void
  readonly end: () => void
}

/** Calls `onSilence` when it is not restarted within the time. */
function createSilenceTimer(ms: number, onSilence: () => void): SilenceTimer {
  let timer = setTimeout(onSilence, ms)
  return {
    restart() {
      clearTimeout(timer)
      timer = setTimeout(onSilence, ms)
    },
    end: () => clearTimeout(timer),
  }
}

/** The messages as they come; `onBytes` is called whenever something came. */
async function* readFrames(response: Response, onBytes: () => void): AsyncGenerator<Frame> {
  if (response.body === null) return
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      onBytes()
      rest += decoder.decode(value, { stream: true })
      const frames = rest.split('\n\n')
      rest = frames.pop() ?? ''
      for (const frame of frames) yield readFrame(frame)
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

function readFrame(text: string): Frame {
  const read = (name: string): string | null =>
    text
      .split('\n')
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2) ?? null
  return { id: read('id'), event: read('event') ?? '', data: read('data') ?? '' }
}

/** Null for what only the stream itself is about. */
function readChange(
  { event, data }: Frame,
  serial: string | null,
): WatchedChange | WatchedReset | null {
  if (event === 'reset') return { kind: 'reset', serial: serial ?? '' }
  if (event !== 'case' && event !== 'event' && event !== 'report' && event !== 'run') return null
  return { ...JSON.parse(data), serial: serial ?? '' }
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal?.addEventListener('abort', done, { once: true })
  })
}

// A function, since the compiler takes the first look at the signal for the last.
function hasAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true
}
