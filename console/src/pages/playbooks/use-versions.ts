// Two versions of a playbook, which a page shows beside each other.

import { useQuery } from '@tanstack/react-query'
import { versionQuery } from './data.ts'

/** Either is undefined while it is on its way; `retry` asks for both again. */
export function useVersions(playbookId: string, before: number, after: number) {
  const former = useQuery(versionQuery(playbookId, before))
  const next = useQuery(versionQuery(playbookId, after))
  return {
    before: former.data,
    after: next.data,
    error: former.error ?? next.error,
    retry: () => {
      void former.refetch()
      void next.refetch()
    },
  }
}
