// The audit log on the wire: an entry of a chain with what is still known beside it, and the report
// of a verification (docs/guides/audit-log.md).

import { type Static, Type } from 'typebox'
import { AUDIT_ACTS, OBJECT_KINDS, readObjectKind } from '../../vocabulary/audit-acts.ts'
import { named } from '../../vocabulary/named-schema.ts'
import { pageOf } from '../../vocabulary/page-wire.ts'
import type { DetailedEntry } from './audit-store.ts'
import type { ChainReport } from './verify-chain.ts'

export const Act = Type.Union(
  AUDIT_ACTS.map((act) => Type.Literal(act)),
  { description: 'Kind of the object and verb.' },
)
export const ObjectKind = Type.Union(
  OBJECT_KINDS.map((kind) => Type.Literal(kind)),
  { description: 'Kind of the object.' },
)

const Name = Type.Optional(
  Type.String({
    description:
      'As it was then, or else as it is now; `former user` of a person who is gone. Absent once an erasure or retention has removed it.',
  }),
)
const Value = Type.Optional(
  Type.Unknown({ description: 'Only the members that changed. Never a secret.' }),
)
const Digest = Type.Optional(Type.String({ description: 'Keyed digest, in hexadecimal.' }))

const AuditEntry = named(
  'AuditEntry',
  Type.Object({
    tenant_id: Type.String({ description: 'Whose chain it is; * for the chain of the instance.' }),
    seq: Type.Integer({ description: 'Number in the chain, from 1.' }),
    at: Type.String({ format: 'date-time', description: 'When it was done.' }),
    act: Type.String({ description: 'Kind of the object and verb, such as token.create.' }),
    object: Type.Object(
      {
        kind: Type.String({ description: 'Kind of the object.' }),
        id: Type.String({
          description: 'Its id. An id that names a person is replaced by a keyed name.',
        }),
        name: Name,
      },
      { description: 'What it was done to.' },
    ),
    actor: Type.Object(
      {
        kind: Type.String({
          description:
            'user for a person who signed in; token; local for the administrator of the machine; program for a job.',
        }),
        id: Type.String({ description: 'Id of the user or token, or name of the job.' }),
        name: Name,
      },
      { description: 'Who did it.' },
    ),
    address: Type.Optional(Type.String({ description: 'The network address of the caller.' })),
    request_id: Type.Optional(Type.String({ description: 'X-Request-Id of its request.' })),
    before: Value,
    after: Value,
    values: Type.Union([Type.Literal('kept'), Type.Literal('changed'), Type.Literal('absent')], {
      description:
        'kept: as they were written. changed: an erasure replaced an address in them. absent: there are none.',
    }),
    key_id: Type.Optional(Type.String({ description: 'Id of the key of the digests.' })),
    digests: Type.Object(
      { before: Digest, after: Digest, origin: Digest },
      { description: 'Of the values, and of names and address; they are part of the hash.' },
    ),
    hash: Type.String({ description: 'SHA-256 of the entry and of the hash before it.' }),
  }),
)
export const AuditEntryPage = pageOf(AuditEntry)

/** `names` stand in where the log has none: an erasure has taken it, or it was never noted. */
export function presentEntry(
  entry: DetailedEntry,
  names: ReadonlyMap<string, string>,
): Static<typeof AuditEntry> {
  const { chain, seq, at, act, objectId, actor, requestId, keyId, digests, detail, hash } = entry
  return {
    tenant_id: chain,
    seq,
    at: at.toISOString(),
    act,
    object: {
      kind: readObjectKind(act),
      id: objectId,
      ...keep('name', detail?.objectName ?? names.get(objectId)),
    },
    actor: { ...actor, ...keep('name', detail?.actorName ?? names.get(actor.id)) },
    ...keep('address', detail?.address),
    ...keep('request_id', requestId),
    ...keep('before', detail?.before),
    ...keep('after', detail?.after),
    values: nameState(detail),
    ...keep('key_id', keyId),
    digests: {
      ...keep('before', digests.before),
      ...keep('after', digests.after),
      ...keep('origin', digests.origin),
    },
    hash,
  }
}

function nameState(detail: DetailedEntry['detail']): 'kept' | 'changed' | 'absent' {
  if (detail === null) return 'absent'
  return detail.erasedAt === null ? 'kept' : 'changed'
}

/** The member, unless it has no value. */
function keep<Name extends string, Value>(
  name: Name,
  value: Value | null | undefined,
): { readonly [Member in Name]?: Value } {
  // A computed name loses its type.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (value === null || value === undefined ? {} : { [name]: value }) as {
    readonly [Member in Name]?: Value
  }
}

const HEAD = '^[0-9]{1,15}:[0-9a-f]{64}$'

export const AuditVerification = named(
  'AuditVerification',
  Type.Object(
    {
      tenant_id: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 64,
          description:
            'Whose chain; that of the caller when left out. Another one, and * for the chain of the instance, needs instance:admin.',
        }),
      ),
      expect_head: Type.Optional(
        Type.String({
          pattern: HEAD,
          description: 'A head that was kept elsewhere, as number, colon and hash.',
        }),
      ),
      cursor: Type.Optional(
        Type.String({ maxLength: 2_048, description: '`next_cursor` of the part before.' }),
      ),
    },
    { additionalProperties: false },
  ),
)

export const AuditReport = named(
  'AuditReport',
  Type.Object({
    tenant_id: Type.String({ description: 'Whose chain it is; * for the chain of the instance.' }),
    intact: Type.Boolean({ description: 'False when this part has a fault.' }),
    head: Type.String({
      description: 'The last entry of this part: number, colon and hash. Keep it elsewhere.',
    }),
    first_seq: Type.Integer({ description: 'Greater than 1 when retention removed entries.' }),
    entries: Type.Integer({ description: 'Entries of this part.' }),
    signed_seq: Type.Integer({ description: 'The last entry that a signed checkpoint covers.' }),
    values: Type.Object(
      {
        intact: Type.Integer({ description: 'Entries whose values are those that were written.' }),
        erased: Type.Integer({ description: 'Entries in which an erasure changed values.' }),
        absent: Type.Integer({ description: 'Entries without values, or of a key not held here.' }),
      },
      { description: 'What stands beside the chain, by its state.' },
    ),
    faults: Type.Array(
      Type.Object({
        kind: Type.Union(
          [
            Type.Literal('entry'),
            Type.Literal('missing'),
            Type.Literal('checkpoint'),
            Type.Literal('key'),
            Type.Literal('value'),
            Type.Literal('head'),
          ],
          {
            description:
              'entry: changed or swapped. missing: deleted. checkpoint: absent or wrong. key: signed with a key that is not held here. value: changed beside the chain. head: the end is not where it must be.',
          },
        ),
        seq: Type.Integer({ description: 'Where in the chain.' }),
        detail: Type.String({ description: 'In words.' }),
      }),
      { description: 'The first 100.' },
    ),
    fault_count: Type.Integer({ description: 'All of them.' }),
    next_cursor: Type.String({
      description: 'Send it with the same members for the next part; empty at the end.',
    }),
  }),
)

export function presentReport(report: ChainReport, nextCursor: string): Static<typeof AuditReport> {
  const { chain, head, firstSeq, entries, signedSeq, values, faults, faultCount } = report
  return {
    tenant_id: chain,
    intact: faultCount === 0,
    head: `${head.seq}:${head.hash}`,
    first_seq: firstSeq,
    entries,
    signed_seq: signedSeq,
    values: { ...values },
    faults: faults.map((fault) => ({ ...fault })),
    fault_count: faultCount,
    next_cursor: nextCursor,
  }
}
