// The text of a search field that stands in the URL. Typing is written there when it has stood still;
// what the URL says otherwise (Back, a link, another search) is written into the field.

import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'

export interface TypedSearch {
  /** As it stands in the URL; empty when there is none. */
  readonly inUrl: string
  /** What of a typed text is searched for; empty for nothing. */
  readonly read: (typed: string) => string
  readonly write: (text: string) => void
  readonly stillMs: number
}

/** `const [typed, type] = useTypedSearch({…})`: the value of the field, and what it calls. */
export function useTypedSearch({
  inUrl,
  read,
  write,
  stillMs,
}: TypedSearch): readonly [typed: string, type: (text: string) => void] {
  const [typed, setTyped] = useState(inUrl)
  const [seen, setSeen] = useState(inUrl)
  // A text that this field wrote comes back from the URL while the next letter is typed already.
  const [written, setWritten] = useState(inUrl)
  if (inUrl !== seen) {
    setSeen(inUrl)
    if (inUrl !== written) {
      setWritten(inUrl)
      setTyped(inUrl)
    }
  }
  const settle = useDebouncedCallback((text: string) => {
    const next = read(text)
    setWritten(next)
    write(next)
  }, stillMs)
  const type = (text: string): void => {
    setTyped(text)
    settle(text)
  }
  return [typed, type]
}
