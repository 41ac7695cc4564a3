// A half-written text that survives a reload, kept in this browser until it is sent or emptied.
// Each tenant has its own: the same form of another tenant begins without it.

import { useCallback, useEffect, useState } from 'react'
import { DRAFT_PREFIX } from '../data/browser-memory.ts'
import { useSession } from '../data/session.ts'

// Longer than a playbook of 500 nodes; storage of a browser holds some 5 MB in all.
const LENGTH_MAX = 1_000_000

type Hear = (name: string, text: string) => void
const listeners = new Set<Hear>()

/** `const [text, setText, forget] = useDraft(`comment ${caseId}`)`. */
export function useDraft(
  key: string,
): readonly [text: string, set: (text: string) => void, forget: () => void] {
  const { tenant_id: tenantId } = useSession()
  const name = nameOf(tenantId, key)
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({})
  const show = useCallback<Hear>(
    (shown, next) => setTexts((former) => ({ ...former, [shown]: next })),
    [],
  )
  useEffect(() => {
    listeners.add(show)
    return () => {
      listeners.delete(show)
    }
  }, [show])
  const set = useCallback(
    (next: string) => {
      show(name, next)
      write(name, next)
    },
    [name, show],
  )
  return [texts[name] ?? read(name), set, useCallback(() => set(''), [set])]
}

/** Leaves a text for another page to begin with; a page that is shown goes on with it. */
export function keepDraft(tenantId: string, key: string, text: string): void {
  const name = nameOf(tenantId, key)
  write(name, text)
  for (const listener of listeners) listener(name, text)
}

/** For the text of a field that is gone by the time that it was sent. */
export function forgetDraft(tenantId: string, key: string): void {
  keepDraft(tenantId, key, '')
}

function nameOf(tenantId: string, key: string): string {
  return `${DRAFT_PREFIX}${tenantId} ${key}`
}

function write(name: string, text: string): void {
  try {
    if (text === '') localStorage.removeItem(name)
    else localStorage.setItem(name, text.slice(0, LENGTH_MAX))
  } catch {
    // A full or closed storage keeps nothing; the text stays on the page.
  }
}

function read(name: string): string {
  try {
    return localStorage.getItem(name) ?? ''
  } catch {
    return ''
  }
}
