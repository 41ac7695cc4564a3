// A time as people say it ("3 minutes ago"), exact on hover and for screen readers, in the zone that
// the person chose. All of a page move on together, once every half minute.

import { useSyncExternalStore } from 'react'
import { useFormat } from '../messages/use-format.ts'
import { useText } from '../messages/use-text.ts'
import { messages } from './messages.ts'

const TICK_MS = 30_000

export interface SinceProps {
  /** ISO 8601, as the interface gives it; null is "never". */
  readonly at: string | null | undefined
  /** "3 min" in the place of "3 minutes ago", for narrow columns. */
  readonly isShort?: boolean
}

export function Since({ at, isShort = false }: SinceProps) {
  const t = useText(messages)
  const format = useFormat()
  const nowMs = useNow()
  if (at === null || at === undefined) return <span className="dim">{t('never')}</span>
  const time = new Date(at)
  // What happened after the last tick is now, not in some seconds.
  const aheadMs = time.getTime() - nowMs
  const fromMs = aheadMs > 0 && aheadMs < TICK_MS ? time.getTime() : nowMs
  const said = isShort ? format.short(time, fromMs) : format.relative(time, fromMs)
  return (
    <time dateTime={at} title={format.exact(time)} className="since">
      {said}
    </time>
  )
}

const listeners = new Set<() => void>()
let nowMs = Date.now()
let timer: ReturnType<typeof setInterval> | undefined

/** The time of now, renewed every half minute. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, readNow)
}

/** Nothing renews it on a page without times, such as a long form: the next page does. */
function readNow(): number {
  if (timer === undefined && Date.now() - nowMs > TICK_MS) nowMs = Date.now()
  return nowMs
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(tick, TICK_MS)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

function tick(): void {
  nowMs = Date.now()
  for (const listener of listeners) listener()
}
