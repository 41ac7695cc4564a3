// The keyboard map. Pages add their keys with `useKeys`, and `?` shows all that are live. A key is
// written as `j`, `?`, `Enter`, `g c` (one after the other) or `mod+k` (Ctrl, or Command on a Mac).

import { useEffect, useRef, useSyncExternalStore } from 'react'
import { readPreferences } from '../settings/preferences.ts'

export interface Key {
  readonly keys: string
  readonly title: string
  readonly run: () => void
}

export interface KeyGroup {
  readonly title: string
  readonly keys: readonly Key[]
}

const SEQUENCE_MS = 1_200

let groups: readonly KeyGroup[] = []
const listeners = new Set<() => void>()
let pending = ''
let pendingAtMs = 0

/** Live while the component is mounted. The keys of the component that came last win. */
export function useKeys(title: string, keys: readonly Key[]): void {
  const latest = useRef(keys)
  useEffect(() => {
    latest.current = keys
  })
  const names = keys.map((key) => `${key.keys}\n${key.title}`).join('\n\n')
  useEffect(() => {
    const group: KeyGroup = {
      title,
      keys: names
        .split('\n\n')
        .filter((line) => line !== '')
        .map((line, index) => {
          const [name = '', said = ''] = line.split('\n')
          return { keys: name, title: said, run: () => latest.current[index]?.run() }
        }),
    }
    set([...groups, group])
    return () => set(groups.filter((one) => one !== group))
  }, [title, names])
}

export function useKeyGroups(): readonly KeyGroup[] {
  return useSyncExternalStore(subscribe, () => groups)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function set(next: readonly KeyGroup[]): void {
  groups = next
  for (const listener of listeners) listener()
}

function nameOf(event: KeyboardEvent): string {
  const mod = event.ctrlKey || event.metaKey ? 'mod+' : ''
  return mod + (event.key.length === 1 && mod !== '' ? event.key.toLowerCase() : event.key)
}

// A ticked box of a row keeps the focus, and the keys of its list go on.
const TYPED_INTO = 'input:not([role="grid"] [type="checkbox"]), textarea, select, [role="textbox"]'

function isTyping(event: KeyboardEvent): boolean {
  const { target } = event
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || target.matches(TYPED_INTO)
}

/** A dialog or menu has its own keys. */
function isInOverlay(): boolean {
  return document.querySelector('[role="dialog"], [role="menu"]') !== null
}

/** Enter and Space belong to what has the focus, when that acts on them itself. */
function belongsToControl({ key, target }: KeyboardEvent): boolean {
  if (key !== 'Enter' && key !== ' ') return false
  return target instanceof HTMLElement && target.matches('a, button, summary, [role="button"]')
}

function find(keys: string): Key | undefined {
  return groups
    .toReversed()
    .flatMap((group) => group.keys)
    .find((key) => key.keys === keys)
}

window.addEventListener('keydown', (event) => {
  const name = nameOf(event)
  const isModified = name.startsWith('mod+')
  if (event.defaultPrevented || event.altKey || event.isComposing) return
  if (!isModified && (isTyping(event) || isInOverlay() || belongsToControl(event))) return
  if (!isModified && name.length === 1 && readPreferences().keys === 'off') return
  const isSequence = pending !== '' && performance.now() - pendingAtMs < SEQUENCE_MS
  const key = (isSequence ? find(`${pending} ${name}`) : undefined) ?? find(name)
  pending = ''
  if (key !== undefined) {
    event.preventDefault()
    key.run()
    return
  }
  const isStart = groups.some((group) => group.keys.some((one) => one.keys.startsWith(`${name} `)))
  if (isStart) {
    pending = name
    pendingAtMs = performance.now()
  }
})
