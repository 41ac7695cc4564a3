// POST /beta/casework/playbooks/{playbookId}/versions/{version}/simulate, and
// POST /beta/casework/playbooks/simulate for a graph that is not stored.

import { type Static, Type } from 'typebox'
import { requireCaller } from '../../../access/admit-request.ts'
import { defineRoute, type Route } from '../../../kernel/http/route.ts'
import { compileFieldCheck } from '../../../kernel/http/validator.ts'
import type { FieldProblem } from '../../../values/field-problem.ts'
import { findUnstorableText, isJsonObject, UNSTORABLE_TEXT } from '../../../values/json-value.ts'
import { parseCaseId } from '../../../values/uuid.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import { listCases } from '../../cases/lists/case-list-store.ts'
import { playbookNotValid, playbookVersionNotFound, simulationNotValid } from '../errors.ts'
import { parseNewGraph } from '../new-graph.ts'
import { parsePlaybookGraph } from '../playbook-graph.ts'
import { findVersion } from '../playbook-store.ts'
import { parseVersionNumber, requirePlaybook } from '../require-playbook.ts'
import { readAssumptions } from './assumptions.ts'
import type { SimulationSubject } from './simulate-case.ts'
import { type AskedCase, type SimulateCasesDeps, simulateCases } from './simulate-cases.ts'
import type { CountSimulation } from './simulation-metrics.ts'
import {
  GraphSimulationRequest,
  presentSimulatedCase,
  presentSummary,
  SIMULATED_CASES,
  Simulation,
  SimulationRequest,
} from './simulation-wire.ts'
import { summariseCases } from './summarise-cases.ts'

type Request = Static<typeof SimulationRequest>

const DESCRIPTION =
  'Works past cases by the real engine, in transactions that are rolled back: nothing is stored, no call is made, no mail is sent. Each case is told visit by visit, with what would have been written and sent. Timers ring at once; a call succeeds, and a run waits at triggers and manual nodes, where `assume` says nothing else. A case that is worked at the moment is skipped. One simulation at a time for each tenant; 20 s in all, and 2 s and 1,000 visits for each case.'

// The answer shows cases and notices, as cases:read does.
const ACCESS = { kind: 'one-of', ways: [['playbooks:simulate', 'cases:read']] } as const

const RESPONSES = {
  200: { description: 'What it would have done, with a summary.', schema: Simulation },
  409: { description: 'Another simulation of the tenant is under way.' },
}

export interface SimulatePlaybookDeps extends SimulateCasesDeps {
  readonly countSimulation: CountSimulation
}

export function simulatePlaybookVersionRoute(deps: SimulatePlaybookDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/casework/playbooks/{playbookId}/versions/{version}/simulate',
    group: 'casework',
    access: ACCESS,
    operationId: 'simulatePlaybookVersion',
    summary: 'Simulate a version of a playbook',
    description: DESCRIPTION,
    params: Type.Object({ playbookId: Type.String(), version: Type.String() }),
    body: SimulationRequest,
    responses: {
      ...RESPONSES,
      400: { description: 'The request, or the stored graph, is not valid.' },
      404: { description: 'There is no such playbook or version.' },
    },
    async handle({ caller, params, body }) {
      const scope = requireCaller(caller)
      const { id: playbookId } = await requirePlaybook(deps.db, scope, params.playbookId)
      const number = parseVersionNumber(params.version)
      const version = await findVersion(deps.db, scope, playbookId, number)
      if (version === null) throw playbookVersionNotFound()
      const parsed = parsePlaybookGraph(version.graph)
      if (parsed.kind === 'invalid') throw playbookNotValid(parsed.problems)
      const subject = { playbookId, version: number, graph: parsed.graph, draft: null }
      return { status: 200, json: await simulate(deps, scope, subject, body) }
    },
  })
}

// Compiled at the first use.
let checkRequest: ReturnType<typeof compileFieldCheck> | null = null

export function simulatePlaybookRoute(deps: SimulatePlaybookDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/casework/playbooks/simulate',
    group: 'casework',
    access: ACCESS,
    operationId: 'simulatePlaybook',
    summary: 'Simulate a playbook',
    description: `${DESCRIPTION} The graph is checked as at its creation.`,
    body: GraphSimulationRequest,
    checksOwnBody: true,
    responses: {
      ...RESPONSES,
      400: { description: 'The graph or the request is not valid; every problem is named.' },
    },
    async handle({ caller, body }) {
      const scope = requireCaller(caller)
      if (!isJsonObject(body)) throw playbookNotValid([{ path: '/', reason: 'must be an object' }])
      const { nodes, ...request } = body
      const problems: FieldProblem[] = []
      const draft = parseNewGraph({ nodes }, problems)
      const parsed = parsePlaybookGraph({ nodes })
      if (draft === null || parsed.kind === 'invalid') throw playbookNotValid(problems)
      checkRequest ??= compileFieldCheck(SimulationRequest)
      const faults = checkRequest(request)
      if (faults.length > 0) throw simulationNotValid(faults)
      const wrong = findUnstorableText(request)
      if (wrong !== null) throw simulationNotValid([{ path: wrong, reason: UNSTORABLE_TEXT }])
      const playbookId = deps.effects.ids.nextUuid()
      const subject = { playbookId, version: 1, graph: parsed.graph, draft }
      return { status: 200, json: await simulate(deps, scope, subject, request) }
    },
  })
}

async function simulate(
  deps: SimulatePlaybookDeps,
  { tenantId }: TenantScope,
  subject: SimulationSubject,
  request: Request,
): Promise<Static<typeof Simulation>> {
  const scope = { tenantId }
  const startedMs = deps.clock.nowMs()
  const problems = findRequestProblems(request)
  const assumptions = readAssumptions(request.assume ?? {}, subject.graph, problems)
  if (problems.length > 0) throw simulationNotValid(problems)
  const asNew = request.as_new ?? true
  const asked = await findAsked(deps, scope, request)
  const cases = await simulateCases(deps, { scope, subject, assumptions, asNew }, asked)
  const durationMs = Math.round(deps.clock.nowMs() - startedMs)
  deps.countSimulation(durationMs / 1_000, cases)
  return {
    as_new: asNew,
    duration_ms: durationMs,
    summary: presentSummary(summariseCases(cases)),
    cases: cases.map(presentSimulatedCase),
  }
}

function findRequestProblems(request: Request): FieldProblem[] {
  const { case_ids: ids, last, case_group: group } = request
  if (ids === undefined) return []
  const problems: FieldProblem[] = []
  if (last !== undefined) {
    problems.push({ path: '/last', reason: 'must not be there with case_ids' })
  }
  if (group !== undefined) {
    problems.push({ path: '/case_group', reason: 'must not be there with case_ids' })
  }
  const different = new Set(ids.map((text) => parseCaseId(text) ?? text))
  if (different.size < ids.length) {
    problems.push({ path: '/case_ids', reason: 'names a case twice' })
  }
  return problems
}

async function findAsked(
  { db }: SimulateCasesDeps,
  scope: TenantScope,
  { case_ids: ids, last = SIMULATED_CASES, case_group: caseGroupId }: Request,
): Promise<readonly AskedCase[]> {
  if (ids !== undefined) return ids.map((text) => ({ text, id: parseCaseId(text) }))
  const filter = { createdAt: {}, ...(caseGroupId === undefined ? {} : { caseGroupId }) }
  const page = { limit: last, order: 'desc', position: null } as const
  const rows = await listCases(db, scope, filter, 'created_at', page)
  return rows.slice(0, last).map(({ id }) => ({ text: id, id }))
}
