// German for sentences of the server. A file of its own for each kind, since only those who read
// German need them, and only on some pages.

import { useQuery } from '@tanstack/react-query'
import { useLanguage } from './use-text.ts'

/**
 * The words for what the server says, for those who read German; null for all others, and as long
 * as the file is not there: then the server's own sentence stands, which is right, if in English.
 */
export function useGermanWords<Words>(name: string, load: () => Promise<Words>): Words | null {
  const isGerman = useLanguage() === 'de'
  const { data } = useQuery({
    queryKey: ['words', name],
    queryFn: load,
    enabled: isGerman,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
  return isGerman ? (data ?? null) : null
}
