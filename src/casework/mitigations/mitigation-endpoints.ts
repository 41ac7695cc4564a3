// The endpoints of mitigations: POST and GET …/cases/{caseId}/mitigations, GET
// /beta/casework/mitigations, GET of one, and POST …/execute, …/undo and …/result.

import { type Static, Type } from 'typebox'
import { requireCaller } from '../../access/admit-request.ts'
import { byId, listRoute, showRows } from '../../access/list-route.ts'
import { type Db, inTransaction, type Tx } from '../../kernel/db/database.ts'
import type { PageRequest } from '../../kernel/db/page-request.ts'
import { idempotencyKeyReused } from '../../kernel/errors.ts'
import type { CursorSealer } from '../../kernel/http/cursor.ts'
import { readIdempotencyKey } from '../../kernel/http/read-idempotency-key.ts'
import { defineRoute, type Reply, type Route } from '../../kernel/http/route.ts'
import { isUuid, parseCaseId } from '../../values/uuid.ts'
import type { Caller, TenantScope } from '../../vocabulary/caller.ts'
import { PAGE_PARAMETERS } from '../../vocabulary/page-wire.ts'
import { lockRows } from '../cases/case-locks.ts'
import { requireCase } from '../cases/case-store.ts'
import { caseNotFound } from '../cases/errors.ts'
import { MitigationKindMember } from './adapter-wire.ts'
import { confirmMitigation, executeAgain } from './confirm-mitigation.ts'
import {
  mitigationNotFound,
  mitigationNotPossible,
  mitigationNotValid,
  targetNotOfCase,
} from './errors.ts'
import { readTarget } from './mitigation.ts'
import { listAttempts } from './mitigation-attempt-store.ts'
import {
  findMitigation,
  listMitigations,
  lockMitigation,
  type MitigationFilter,
  type MitigationRecord,
} from './mitigation-store.ts'
import {
  MitigationList,
  MitigationResultBody,
  MitigationStateMember,
  MitigationWithAttempts,
  NewMitigationBody,
  presentMitigation,
  presentMitigationDetail,
} from './mitigation-wire.ts'
import { readValidity } from './read-mitigation.ts'
import {
  type MitigationDeps,
  type MitigationRequest,
  type RequestOutcome,
  requestMitigation,
} from './request-mitigation.ts'
import { undoMitigations } from './undo-mitigations.ts'

export interface MitigationEndpointDeps extends MitigationDeps {
  readonly db: Db
  readonly cursors: CursorSealer
}

const OF_CASE = '/beta/casework/cases/{caseId}/mitigations'
const ALL = '/beta/casework/mitigations'
const ONE = `${ALL}/{mitigationId}`
const READ = { kind: 'scope', scope: 'cases:read' } as const
const EXECUTE = { kind: 'scope', scope: 'mitigations:execute' } as const
const UNDO = { kind: 'scope', scope: 'mitigations:undo' } as const
const CaseParams = Type.Object({ caseId: Type.String() })
const MitigationParams = Type.Object({ mitigationId: Type.String() })
const NO_MITIGATION = { description: 'There is no such mitigation.' }
const WITH_ATTEMPTS = { description: 'The mitigation.', schema: MitigationWithAttempts }

export function createMitigationRoute(deps: MitigationEndpointDeps): Route {
  const { db, clock } = deps
  return defineRoute({
    method: 'POST',
    path: OF_CASE,
    group: 'casework',
    access: EXECUTE,
    operationId: 'createMitigation',
    idempotency: 'own',
    summary: 'Request a mitigation',
    description:
      'The adapter is asked at once by a worker; the state tells whether it is in force. The target must be of the case. With an Idempotency-Key a repeat makes nothing and answers with the same mitigation.',
    params: CaseParams,
    body: NewMitigationBody,
    responses: {
      202: WITH_ATTEMPTS,
      400: { description: 'It is not valid; every fault is named.' },
      404: { description: 'There is no such case.' },
      409: { description: 'The target is not of the case.' },
      422: { description: 'The Idempotency-Key was used for another mitigation.' },
    },
    async handle({ caller, params, body, headers, requestId }) {
      const person = requireCaller(caller)
      const { tenantId, tokenId } = person
      const { id: caseId } = await requireCase(db, { tenantId }, params.caseId)
      const validity = readValidity(body, clock.nowMs())
      if ('reason' in validity) throw mitigationNotValid([validity])
      const key = readIdempotencyKey(headers)
      const request: MitigationRequest = {
        scope: { tenantId },
        caseId,
        runId: null,
        kind: body.kind,
        target: { type: body.target_type, value: body.target, port: body.port ?? null },
        adapter: body.adapter,
        parameters: body.parameters ?? {},
        note: body.note ?? '',
        effectKey: key === null ? null : `${tokenId}:${key}`,
        ...validity,
        allowsOther: body.allow_other === true,
        actor: buildActor(person),
        causeId: requestId,
      }
      const outcome = await inTransaction(db, async (tx) => {
        await lockRows(tx, { tenantId }, [caseId])
        return await requestMitigation(tx, deps, request)
      })
      const mitigation = readAsked(outcome)
      if (!isOfRequest(mitigation, request)) throw idempotencyKeyReused()
      return await showMitigation(db, { tenantId }, mitigation.id, 202)
    },
  })
}

function buildActor({ tokenId, name }: Caller) {
  return { kind: 'token' as const, id: tokenId, name }
}

function readAsked(outcome: RequestOutcome): MitigationRecord {
  if (outcome.kind === 'asked') return outcome.mitigation
  if (outcome.reason === 'case_not_found') throw caseNotFound()
  if (outcome.reason === 'target_not_of_case') throw targetNotOfCase()
  throw mitigationNotValid([{ path: `/${outcome.field}`, reason: outcome.explanation }])
}

/** Whether one that a key had made before is what is asked for now. */
function isOfRequest(one: MitigationRecord, { caseId, kind, adapter, target }: MitigationRequest) {
  const reading = readTarget({ ...target, kind })
  if (reading.kind === 'problem') return false
  const { type, value, port } = reading.target
  const isSame = one.caseId === caseId && one.kind === kind && one.adapter === adapter
  return isSame && one.targetType === type && one.target === value && one.port === port
}

async function showMitigation(
  db: Db,
  scope: TenantScope,
  id: string,
  status: number,
): Promise<Reply> {
  const mitigation = await requireMitigation(db, scope, id)
  const attempts = await listAttempts(db, scope, id)
  return { status, json: presentMitigationDetail(mitigation, attempts) }
}

async function requireMitigation(
  db: Db,
  scope: TenantScope,
  id: string,
): Promise<MitigationRecord> {
  const found = isUuid(id) ? await findMitigation(db, scope, id) : null
  if (found === null) throw mitigationNotFound()
  return found
}

/** For both lists. */
function openMitigations(db: Db, scope: TenantScope, filter: MitigationFilter) {
  return {
    filters: { ...filter },
    find: async (request: PageRequest) =>
      showRows(await listMitigations(db, scope, filter, request), byId, presentMitigation),
  }
}

export function listCaseMitigationsRoute({ db, cursors }: MitigationEndpointDeps): Route {
  return listRoute({
    cursors,
    path: OF_CASE,
    access: READ,
    operationId: 'listCaseMitigations',
    summary: 'List the mitigations of a case',
    description: 'The mitigations of the case, newest first.',
    params: CaseParams,
    query: Type.Object({ ...PAGE_PARAMETERS, state: Type.Optional(MitigationStateMember) }),
    responses: {
      200: { description: 'A page of mitigations.', schema: MitigationList },
      404: { description: 'There is no such case.' },
    },
    list: 'case mitigations',
    sort: 'created_at',
    async open({ caller, params, query: { state } }) {
      const { id: caseId } = await requireCase(db, caller, params.caseId)
      return openMitigations(db, caller, { caseId, state })
    },
  })
}

const ListQuery = Type.Object({
  ...PAGE_PARAMETERS,
  state: Type.Optional(MitigationStateMember),
  kind: Type.Optional(MitigationKindMember),
  target: Type.Optional(Type.String({ description: 'In canonical form.' })),
  adapter: Type.Optional(Type.String()),
  case_id: Type.Optional(Type.String()),
  stuck: Type.Optional(
    Type.Boolean({ description: 'True: those whose removal does not get on by itself.' }),
  ),
})

function readFilter(query: Static<typeof ListQuery>): MitigationFilter {
  const { state, kind, target, adapter, case_id: caseText, stuck: isStuck } = query
  // A text that is no case id has no mitigations.
  const caseId = caseText === undefined ? undefined : (parseCaseId(caseText) ?? '')
  return { caseId, state, kind, target, adapter, isStuck }
}

export function listMitigationsRoute({ db, cursors }: MitigationEndpointDeps): Route {
  return listRoute({
    cursors,
    path: ALL,
    access: READ,
    operationId: 'listMitigations',
    summary: 'List mitigations',
    description: 'The newest first.',
    query: ListQuery,
    responses: { 200: { description: 'A page of mitigations.', schema: MitigationList } },
    list: 'mitigations',
    sort: 'created_at',
    open: ({ caller, query }) => openMitigations(db, caller, readFilter(query)),
  })
}

export function getMitigationRoute({ db }: MitigationEndpointDeps): Route {
  return defineRoute({
    method: 'GET',
    path: ONE,
    group: 'casework',
    access: READ,
    operationId: 'getMitigation',
    summary: 'Get a mitigation',
    description: 'The mitigation with every attempt to carry it out or to take it back.',
    params: MitigationParams,
    responses: { 200: WITH_ATTEMPTS, 404: NO_MITIGATION },
    async handle({ caller, params }) {
      const scope = requireCaller(caller)
      const { id } = await requireMitigation(db, scope, params.mitigationId)
      return await showMitigation(db, scope, id, 200)
    },
  })
}

/** Changes one that exists; false when its state does not allow it. */
async function changeOne(
  { db }: MitigationEndpointDeps,
  scope: TenantScope,
  idText: string,
  change: (tx: Tx, locked: MitigationRecord) => Promise<boolean>,
): Promise<string> {
  const { id } = await requireMitigation(db, scope, idText)
  await inTransaction(db, async (tx) => {
    const locked = await lockMitigation(tx, scope, id)
    if (locked === null) throw mitigationNotFound()
    if (!(await change(tx, locked))) throw mitigationNotPossible(locked.state)
  })
  return id
}

export function undoMitigationRoute(deps: MitigationEndpointDeps): Route {
  return defineRoute({
    method: 'POST',
    path: `${ONE}/undo`,
    group: 'casework',
    access: UNDO,
    operationId: 'undoMitigation',
    idempotency: 'kept',
    summary: 'Undo a mitigation',
    description:
      'The adapter is asked at once by a worker; the state tells what became of it. A removal that did not get on is asked for again. A repeat changes nothing.',
    params: MitigationParams,
    responses: { 202: WITH_ATTEMPTS, 404: NO_MITIGATION },
    async handle({ caller, params, requestId }) {
      const person = requireCaller(caller)
      const { tenantId } = person
      const origin = { actor: buildActor(person), causeId: requestId }
      const id = await changeOne(deps, { tenantId }, params.mitigationId, async (tx, locked) => {
        await undoMitigations(tx, deps, [locked], { ...origin, cause: 'request' })
        return true
      })
      return await showMitigation(deps.db, { tenantId }, id, 202)
    },
  })
}

export function executeMitigationRoute(deps: MitigationEndpointDeps): Route {
  return defineRoute({
    method: 'POST',
    path: `${ONE}/execute`,
    group: 'casework',
    access: EXECUTE,
    operationId: 'executeMitigation',
    idempotency: 'kept',
    summary: 'Retry a mitigation',
    description: 'With the same key. One that is pending is asked for at once.',
    params: MitigationParams,
    responses: {
      202: WITH_ATTEMPTS,
      404: NO_MITIGATION,
      409: { description: 'It is in force, or was.' },
    },
    async handle({ caller, params, requestId }) {
      const person = requireCaller(caller)
      const { tenantId } = person
      const origin = { actor: buildActor(person), causeId: requestId }
      const id = await changeOne(deps, { tenantId }, params.mitigationId, (tx, locked) =>
        executeAgain(tx, deps, locked, origin),
      )
      return await showMitigation(deps.db, { tenantId }, id, 202)
    },
  })
}

export function confirmMitigationRoute(deps: MitigationEndpointDeps): Route {
  return defineRoute({
    method: 'POST',
    path: `${ONE}/result`,
    group: 'casework',
    access: EXECUTE,
    operationId: 'confirmMitigation',
    idempotency: 'kept',
    summary: 'Confirm a mitigation',
    description:
      'By a person who acted (adapter manual), or by an adapter that answered 202. It is about what is asked for at the time: the execution of a pending one, the removal of a removing one. A repeat changes nothing.',
    params: MitigationParams,
    body: MitigationResultBody,
    responses: {
      200: WITH_ATTEMPTS,
      404: NO_MITIGATION,
      409: { description: 'Nothing is asked for, and the result is not the one that it has.' },
    },
    async handle({ caller, params, body, requestId }) {
      const person = requireCaller(caller)
      const { tenantId } = person
      const { result, detail = null, reference = null } = body
      const origin = { actor: buildActor(person), causeId: requestId }
      const id = await changeOne(deps, { tenantId }, params.mitigationId, (tx, locked) =>
        confirmMitigation(tx, deps, locked, { result, detail, reference, ...origin }),
      )
      return await showMitigation(deps.db, { tenantId }, id, 200)
    },
  })
}
