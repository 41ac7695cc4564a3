// What the pages of playbooks ask the interface.

import { queryOptions } from '@tanstack/react-query'
import type { Schemas } from 'casework/client'
import { casework } from '../../data/client.ts'
import { readNodes } from '../../parts/playbook-graph/wire-nodes.ts'

export type Playbook = Schemas['Playbook']
export type VersionState = Schemas['PlaybookVersionState']
export type ImportResult = Awaited<ReturnType<typeof importTemplate>>

// A tenant has some ten playbooks; a page of the interface has at most a thousand.
const PLAYBOOKS_MAX = 1_000

export const playbooksQuery = queryOptions({
  queryKey: ['playbooks', 'list'],
  queryFn: async () => {
    const query = { limit: PLAYBOOKS_MAX }
    const { items } = await casework.get('/beta/casework/playbooks', { params: { query } })
    return items
  },
})

export const templatesQuery = queryOptions({
  queryKey: ['playbook-templates', 'list'],
  queryFn: async () => (await casework.get('/beta/casework/playbook-templates')).items,
  staleTime: Number.POSITIVE_INFINITY,
})

export function playbookQuery(playbookId: string) {
  return queryOptions({
    queryKey: ['playbooks', playbookId],
    queryFn: () =>
      casework.get('/beta/casework/playbooks/{playbookId}', { params: { path: { playbookId } } }),
  })
}

/** A version is written once and never changed; only its state is. */
export function versionQuery(playbookId: string, version: number) {
  return queryOptions({
    queryKey: ['playbooks', playbookId, 'versions', version],
    queryFn: async () => {
      const path = { playbookId, version: String(version) }
      const found = await casework.get('/beta/casework/playbooks/{playbookId}/versions/{version}', {
        params: { path },
      })
      return { ...found, nodes: readNodes(found.nodes) }
    },
  })
}

export function importTemplate(template: string, name: string, isDryRun = false) {
  return casework.post('/beta/casework/playbooks/import', {
    params: { query: { dry_run: isDryRun } },
    body: { template, name },
  })
}

/** A document of YAML or JSON, which is YAML too. */
export function importText(text: string, isDryRun = false): Promise<ImportResult> {
  return casework.post('/beta/casework/playbooks/import', {
    params: { query: { dry_run: isDryRun } },
    headers: { 'content-type': 'application/yaml' },
    body: text,
    bodySerializer: (body: unknown) => String(body),
  })
}

export async function exportVersion(
  playbookId: string,
  version: number,
  format: 'json' | 'yaml',
): Promise<string> {
  const path = { playbookId, version: String(version) }
  const answer: unknown = await casework.get(
    '/beta/casework/playbooks/{playbookId}/versions/{version}/export',
    { params: { path, query: { format } } },
  )
  return typeof answer === 'string' ? answer : `${JSON.stringify(answer, null, 2)}\n`
}

/** The case groups whose cases are worked by the playbook. */
export function groupsOfQuery(playbookId: string) {
  return queryOptions({
    queryKey: ['case-groups', 'list', 'playbook', playbookId],
    queryFn: async () => {
      const { items } = await casework.get('/beta/casework/case-groups')
      return items.filter((group) => group.playbook_id === playbookId).map(({ name }) => name)
    },
  })
}

// So many are counted; beyond that the console says "200+".
export const COUNTED_MAX = 200

function listRuns(query: {
  readonly state: 'failed' | 'active' | 'paused'
  readonly waits_for?: 'agent'
}) {
  return casework.get('/beta/casework/runs', {
    params: { query: { ...query, limit: COUNTED_MAX } },
  })
}

/** Runs that failed, and runs that wait for an agent, over all playbooks. */
export const attentionQuery = queryOptions({
  queryKey: ['runs', 'list', 'attention'],
  queryFn: async () => {
    const [failed, waiting, paused] = await Promise.all([
      listRuns({ state: 'failed' }),
      listRuns({ state: 'active', waits_for: 'agent' }),
      listRuns({ state: 'paused' }),
    ])
    return { failed: failed.items, waiting: waiting.items, paused: paused.items }
  },
})
