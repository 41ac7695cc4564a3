// What the search of the interface finds while a person types. Until the answer to the newest
// letters is there, the former one stays as far as it fits them, so that nothing flickers and nobody
// goes to what an older text found.

import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { casework } from '../data/client.ts'
import { useMay } from '../data/session.ts'

export interface Found {
  readonly id: string
  readonly kind: keyof typeof PAGES
  readonly title: string
  /** The words for which it was found. */
  readonly matched: string
  readonly path: string
}

const TYPING_MS = 150
const LETTERS_MIN = 2
const FOUND_MAX = 8
const PAGES = {
  customer: '/customers',
  case: '/cases',
  report: '/reports',
  event: '/events',
} as const

/** `text` is what the box says at the moment. */
export function useFoundActs(text: string): readonly Found[] {
  const mayRead = useMay('cases:read')
  const asked = text.trim()
  const [settled] = useDebouncedValue(asked, TYPING_MS)
  const { data, isPlaceholderData } = useQuery({
    queryKey: ['search', settled],
    queryFn: () =>
      casework.get('/beta/casework/search', {
        params: { query: { q: settled, limit: FOUND_MAX } },
      }),
    enabled: mayRead && settled.length >= LETTERS_MIN,
    placeholderData: (former) => former,
  })
  if (asked.length < LETTERS_MIN) return []
  const found = (data?.items ?? []).map(({ kind, id, title, matched }) => ({
    id: `${kind} ${id}`,
    kind,
    title,
    matched: matched.text,
    path: `${PAGES[kind]}/${encodeURIComponent(id)}`,
  }))
  const isNewest = settled === asked && !isPlaceholderData
  return isNewest ? found : found.filter((one) => isFitting(one, asked))
}

function isFitting({ title, matched }: Found, asked: string): boolean {
  return `${title} ${matched}`.toLowerCase().includes(asked.toLowerCase())
}
