// POST /beta/casework/playbooks/validate: checks a graph as its creation would, and stores nothing.

import { Type } from 'typebox'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import type { AllowList } from '../../kernel/outbound/allow-list.ts'
import type { FieldProblem } from '../../values/field-problem.ts'
import { isJsonObject } from '../../values/json-value.ts'
import { named } from '../../vocabulary/named-schema.ts'
import { ProblemLocations } from '../../vocabulary/problem-wire.ts'
import { playbookNotValid } from './errors.ts'
import { findTargetWarnings } from './find-target-warnings.ts'
import { parseNewGraph } from './new-graph.ts'
import { PlaybookGraphBody, TargetWarnings } from './playbook-wire.ts'

const Validation = named(
  'PlaybookValidation',
  Type.Object({
    valid: Type.Boolean(),
    problems: ProblemLocations,
    warnings: TargetWarnings,
  }),
)

export function validatePlaybookRoute({ allow }: { readonly allow: AllowList }): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/casework/playbooks/validate',
    group: 'casework',
    access: { kind: 'scope', scope: 'playbooks:read' },
    operationId: 'validatePlaybook',
    summary: 'Validate a playbook',
    description:
      'With the same words as a refused creation: every problem is named by its path, its node and its field. For editors, while somebody types.',
    body: PlaybookGraphBody,
    checksOwnBody: true,
    responses: {
      200: { description: 'Whether it is valid, and every problem.', schema: Validation },
      400: { description: 'The body has no `nodes`.' },
    },
    async handle({ body }) {
      if (!isJsonObject(body) || !('nodes' in body)) {
        throw playbookNotValid([{ path: '/nodes', reason: 'is missing' }])
      }
      const problems: FieldProblem[] = []
      const graph = parseNewGraph(body, problems)
      const warnings = findTargetWarnings(graph?.graph.nodes ?? [], allow)
      return {
        status: 200,
        json: { valid: graph !== null, problems, warnings: [...warnings] },
      }
    },
  })
}
