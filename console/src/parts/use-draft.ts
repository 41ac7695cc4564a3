// A half-written text that survives a reload, kept in this browser until it is sent or emptied.

import { useCallback, useState } from 'react'
import { DRAFT_PREFIX } from '../data/browser-memory.ts'

// Longer than a playbook of 500 nodes; storage of a browser holds some 5 MB in all.
const LENGTH_MAX = 1_000_000

/** `const [text, setText, forget] = useDraft(`comment ${caseId}`)`. */
export function useDraft(
  key: string,
): readonly [text: string, set: (text: string) => void, forget: () => void] {
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({})
  const set = useCallback(
    (next: string) => {
      setTexts((former) => ({ ...former, [key]: next }))
      try {
        if (next === '') localStorage.removeItem(DRAFT_PREFIX + key)
        else localStorage.setItem(DRAFT_PREFIX + key, next.slice(0, LENGTH_MAX))
      } catch {
        // A full or closed storage keeps nothing; the text stays on the page.
      }
    },
    [key],
  )
  return [texts[key] ?? readDraft(key), set, useCallback(() => set(''), [set])]
}

/** Leaves a text for another page to begin with. */
export function keepDraft(key: string, text: string): void {
  try {
    localStorage.setItem(DRAFT_PREFIX + key, text.slice(0, LENGTH_MAX))
  } catch {
    // A full or closed storage keeps nothing.
  }
}

function readDraft(key: string): string {
  try {
    return localStorage.getItem(DRAFT_PREFIX + key) ?? ''
  } catch {
    return ''
  }
}
