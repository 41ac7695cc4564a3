// What the search of the interface finds while a person types into the palette.

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

const LETTERS_MIN = 2
const FOUND_MAX = 8
const PAGES = {
  customer: '/customers',
  case: '/cases',
  report: '/reports',
  event: '/events',
} as const

export function useFoundActs(text: string): readonly Found[] {
  const mayRead = useMay('cases:read')
  const { data } = useQuery({
    queryKey: ['search', text],
    queryFn: () =>
      casework.get('/beta/casework/search', { params: { query: { q: text, limit: FOUND_MAX } } }),
    enabled: mayRead && text.length >= LETTERS_MIN,
    placeholderData: (former) => former,
  })
  if (text.length < LETTERS_MIN) return []
  return (data?.items ?? []).map(({ kind, id, title, matched }) => ({
    id: `${kind} ${id}`,
    kind,
    title,
    matched: matched.text,
    path: `${PAGES[kind]}/${encodeURIComponent(id)}`,
  }))
}
