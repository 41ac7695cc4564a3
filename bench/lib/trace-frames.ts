// The processor time of script, style and layout in each frame of a trace of Chromium. Frames begin
// at the marks `frame` of the page.

interface TraceEvent {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  /** Microseconds. */
  readonly ts: number
  readonly dur?: number
  /** Of processor time; left out where the platform has no clock of it. */
  readonly tdur?: number
}

// What the main thread does for a page, but not how it is painted. An event in another one is part
// of it: a layout that a script forces, a collection of garbage.
const WORK: ReadonlySet<string> = new Set([
  'EvaluateScript',
  'EventDispatch',
  'FireAnimationFrame',
  'FireIdleCallback',
  'FunctionCall',
  'Layout',
  'MajorGC',
  'MinorGC',
  'RunMicrotasks',
  'TimerFire',
  'UpdateLayoutTree',
])

function parseTrace(text: string): { readonly traceEvents: readonly TraceEvent[] } {
  return JSON.parse(text)
}

/** Milliseconds, in the order of the frames. Throws when the trace has no frame. */
export function readFrames(trace: string): readonly number[] {
  const { traceEvents } = parseTrace(trace)
  const marks = traceEvents.filter(({ name }) => name === 'frame')
  const [first] = marks
  if (first === undefined) throw new Error('the trace has no frame')
  const events = traceEvents
    .filter(({ ph, name, pid, tid }) => {
      const isOfPage = pid === first.pid && tid === first.tid
      return isOfPage && ph === 'X' && WORK.has(name)
    })
    .toSorted((one, other) => one.ts - other.ts)
  const starts = marks.map(({ ts }) => ts).toSorted((one, other) => one - other)
  const frames = starts.map(() => 0)
  let frame = -1
  let endedAt = 0
  for (const { ts, dur = 0, tdur = dur } of events) {
    if (ts < endedAt) continue
    endedAt = ts + dur
    // The callback that makes the mark begins before it: what ends after a mark is of its frame.
    while ((starts[frame + 1] ?? Number.POSITIVE_INFINITY) <= endedAt) frame += 1
    if (frame >= 0) frames[frame] = (frames[frame] ?? 0) + tdur / 1_000
  }
  return frames
}
