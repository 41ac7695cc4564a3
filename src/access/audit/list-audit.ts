// GET /beta/admin/audit: the entries of one chain of the audit log, the newest first.

import { Type } from 'typebox'
import type { Db } from '../../kernel/db/database.ts'
import { cursorNotValid } from '../../kernel/errors.ts'
import type { CursorSealer } from '../../kernel/http/cursor.ts'
import { readTimeRange } from '../../kernel/http/read-filters.ts'
import type { Route } from '../../kernel/http/route.ts'
import type { SecretCipher } from '../../kernel/secrets/secret-cipher.ts'
import { AUDIT_ACTS, OBJECT_KINDS, readObjectKind } from '../../vocabulary/audit-acts.ts'
import { PAGE_PARAMETERS, timeParameter } from '../../vocabulary/page-wire.ts'
import { findActorNames } from '../groups/actor-name-store.ts'
import { listRoute, showRows } from '../list-route.ts'
import { INSTANCE_CHAIN } from './audit-entry.ts'
import { listAuditKeys } from './audit-key-store.ts'
import { listEntries } from './audit-store.ts'
import { Act, AuditEntryPage, ObjectKind, presentEntry } from './audit-wire.ts'
import { chooseChain } from './choose-chain.ts'

export interface ReadAuditDeps {
  readonly db: Db
  readonly cursors: CursorSealer
  readonly secrets: SecretCipher
}

export function listAuditRoute({ db, cursors, secrets }: ReadAuditDeps): Route {
  return listRoute({
    cursors,
    path: '/beta/admin/audit',
    group: 'admin',
    access: { kind: 'scope', scope: 'audit:read' },
    operationId: 'listAuditEntries',
    summary: 'List the audit log',
    description:
      'Who changed what in the settings, tokens, rules, playbooks and owners of a tenant, and who took data out of it. Names, addresses and values are shown while they are kept.',
    query: Type.Object({
      tenant_id: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 64,
          description:
            'Whose chain; that of the caller when left out. Another one, and * for the chain of the instance, needs instance:admin.',
        }),
      ),
      act: Type.Optional(Act),
      object_kind: Type.Optional(ObjectKind),
      object_id: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 400,
          description: 'Id of the object; an address finds its keyed name.',
        }),
      ),
      actor_id: Type.Optional(
        Type.String({ minLength: 1, maxLength: 200, description: 'Id of the actor.' }),
      ),
      request_id: Type.Optional(
        Type.String({ minLength: 1, maxLength: 200, description: 'X-Request-Id of a request.' }),
      ),
      at_after: timeParameter('Done at or after this time.'),
      at_before: timeParameter('Done before this time.'),
      ...PAGE_PARAMETERS,
    }),
    responses: { 200: { description: 'A page of entries.', schema: AuditEntryPage } },
    list: 'audit',
    sort: 'seq',
    open({ caller, query }) {
      const chain = chooseChain(caller, query.tenant_id)
      const { act, object_kind: kind, object_id: objectId, actor_id: actorId } = query
      const { request_id: requestId } = query
      const { after: from, before } = readTimeRange('at', query.at_after, query.at_before)
      return {
        filters: { act, kind, objectId, actorId, requestId, from, before },
        tenantId: chain,
        async find({ limit, order, position }) {
          const afterSeq = position === null ? null : Number(position[0])
          if (afterSeq !== null && !Number.isSafeInteger(afterSeq)) throw cursorNotValid()
          const rows = await listEntries(db, {
            chain,
            acts: listActs(act, kind),
            objectIds: objectId === undefined ? null : await listNames(db, secrets, objectId),
            actorId: actorId ?? null,
            requestId: requestId ?? null,
            from: from === undefined ? null : new Date(from),
            before: before === undefined ? null : new Date(before),
            order,
            afterSeq,
            limit: limit + 1,
          })
          const named = rows.flatMap((row) => [row.actor.id, row.objectId])
          const names = await findActorNames(db, chain === INSTANCE_CHAIN ? null : chain, named)
          return showRows(
            rows,
            ({ seq }) => [String(seq)],
            (row) => presentEntry(row, names),
          )
        },
      }
    },
  })
}

function listActs(act: string | undefined, kind: string | undefined): readonly string[] | null {
  if (act === undefined && kind === undefined) return null
  return AUDIT_ACTS.filter(
    (one) =>
      (act === undefined || one === act) && (kind === undefined || readObjectKind(one) === kind),
  )
}

/** The id itself, and its keyed names: the chain has these of ids that name people. */
async function listNames(db: Db, secrets: SecretCipher, id: string): Promise<readonly string[]> {
  const keys = await listAuditKeys(db, secrets)
  const names = keys.flatMap(({ key }) =>
    key === null ? [] : OBJECT_KINDS.map((kind) => key.nameObject(kind, id.toLowerCase())),
  )
  return [id, ...names]
}
