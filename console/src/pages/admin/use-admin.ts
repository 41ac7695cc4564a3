// The state of a section as it stands in the URL, and how a section changes it.

import { useNavigate } from '@tanstack/react-router'
import type { AdminSearch } from './admin-search.ts'
import { sectionRoute } from './route.ts'

/** The panel with the form for a new record. */
export const NEW = 'new'

export interface Admin {
  readonly search: AdminSearch
  readonly set: (next: Partial<AdminSearch>, isReplace?: boolean) => void
  readonly open: (id: string) => void
  readonly close: () => void
}

export function useAdmin(): Admin {
  const search = sectionRoute.useSearch()
  const navigate = useNavigate({ from: sectionRoute.fullPath })
  const set: Admin['set'] = (next, isReplace = false) =>
    void navigate({ search: (former) => ({ ...former, ...next }), replace: isReplace })
  return {
    search,
    set,
    open: (id) => set({ open: id, delivery: undefined }),
    close: () => set({ open: undefined, delivery: undefined }),
  }
}
