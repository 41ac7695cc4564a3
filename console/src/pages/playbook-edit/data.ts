// What the editor asks the interface.

import { queryOptions } from '@tanstack/react-query'
import type { Schemas } from 'casework/client'
import { casework } from '../../data/client.ts'
import type { GraphNode } from '../../parts/playbook-graph/graph.ts'
import { writeNodes } from '../../parts/playbook-graph/wire-nodes.ts'

export type NodeKind = Awaited<ReturnType<typeof listKinds>>[number]
export type Finding = Schemas['ProblemLocation']
export type Validation = Schemas['PlaybookValidation']
export type Simulation = Schemas['Simulation']

async function listKinds() {
  return (await casework.get('/beta/casework/playbooks/node-kinds')).items
}

/** They change with the program only. */
export const kindsQuery = queryOptions({
  queryKey: ['node-kinds'],
  queryFn: listKinds,
  staleTime: Number.POSITIVE_INFINITY,
})

export function validateQuery(nodes: readonly GraphNode[]) {
  return queryOptions({
    queryKey: ['playbook-validation', nodes],
    queryFn: () =>
      casework.post('/beta/casework/playbooks/validate', { body: { nodes: writeNodes(nodes) } }),
    gcTime: 0,
  })
}

export const caseGroupsQuery = queryOptions({
  queryKey: ['case-groups', 'list', 'names'],
  queryFn: async () =>
    (await casework.get('/beta/casework/case-groups')).items.map(({ name }) => name),
})

export interface SimulationAsked {
  readonly nodes: readonly GraphNode[]
  readonly last: number
  readonly caseGroup: string | null
  readonly assume: Readonly<Record<string, string>>
}

export function simulate({ nodes, last, caseGroup, assume }: SimulationAsked): Promise<Simulation> {
  return casework.post('/beta/casework/playbooks/simulate', {
    body: {
      nodes: writeNodes(nodes),
      last,
      assume,
      ...(caseGroup === null ? {} : { case_group: caseGroup }),
    },
  })
}
