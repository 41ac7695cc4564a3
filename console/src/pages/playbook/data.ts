// What the page of one playbook asks beside the playbook itself.

import { queryOptions } from '@tanstack/react-query'
import { casework } from '../../data/client.ts'
import { COUNTED_MAX } from '../playbooks/data.ts'

/** How many runs are under way on a version, as a text: "200+" where there are more. */
export function runCountQuery(playbookId: string, version: number) {
  return queryOptions({
    queryKey: ['runs', 'list', 'count', playbookId, version],
    queryFn: async () => {
      const query = {
        playbook_id: playbookId,
        version,
        state: 'active',
        limit: COUNTED_MAX,
      } as const
      const { items, next_cursor: more } = await casework.get('/beta/casework/runs', {
        params: { query },
      })
      return more === '' ? String(items.length) : `${items.length}+`
    },
  })
}
