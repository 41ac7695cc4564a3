// DELETE /beta/sources/{kind}/{name}/entries/{entry}: takes one address, range or domain off a
// source (an addition, see docs/interface-gaps/sources.md). The slash of a range is sent as %2F or
// as it is, since many proxies refuse %2F.

import { type Static, Type } from 'typebox'
import type { AuditLog } from '../../../access/audit/audit-log.ts'
import { defineRoute, type Route } from '../../../kernel/http/route.ts'
import { IPV4_BITS, IPV6_BITS } from '../../../values/address.ts'
import { parentDomains } from '../../../values/domain.ts'
import {
  IPV4_PREFIX_MIN,
  IPV6_PREFIX_MIN,
  ipv4Range,
  ipv6Range,
  parseSubject,
  type Subject,
} from '../../../values/range.ts'
import { FailureEnvelope, successOf } from '../../../vocabulary/envelope-wire.ts'
import { entryNotReadable, entryUnknown, sourceOfReports, sourceUnknown } from '../../errors.ts'
import { isReportSource } from '../../facts/sighting-rules.ts'
import { STATEMENT_SOURCE_KINDS } from '../../facts/source-kinds.ts'
import { findSource, type KnownSource, nameSource } from '../source-store.ts'
import { DelistResult } from './entry-wire.ts'
import type { EntriesDeps } from './list-entries.ts'

const SOURCE_PARAMS = { kind: Type.String(), name: Type.String() }

interface DeleteEntryDeps extends EntriesDeps {
  readonly audit: AuditLog
}

export function deleteEntryRoutes(deps: DeleteEntryDeps): readonly Route[] {
  return [
    defineRoute({
      ...routeOf('/beta/sources/{kind}/{name}/entries/{entry}', 'deleteEntry', 'Delist one entry'),
      params: Type.Object({
        ...SOURCE_PARAMS,
        entry: Type.String({ description: 'Address, range (with %2F) or domain.' }),
      }),
      handle: ({ params }) => delist(deps, params, params.entry),
    }),
    defineRoute({
      ...routeOf(
        '/beta/sources/{kind}/{name}/entries/{address}/{prefixLength}',
        'deleteEntryBySegments',
        'Delist one range, its slash not encoded',
      ),
      params: Type.Object({
        ...SOURCE_PARAMS,
        address: Type.String({ description: 'The first address of the range.' }),
        prefixLength: Type.String({ description: 'Such as 24.' }),
      }),
      handle: ({ params }) => delist(deps, params, `${params.address}/${params.prefixLength}`),
    }),
  ]
}

function routeOf(path: string, operationId: string, summary: string) {
  return {
    method: 'DELETE',
    path,
    group: 'intel',
    access: { kind: 'scope', scope: 'sources:manage' },
    operationId,
    summary,
    description:
      'Removes what the source has about exactly this address, range or domain; wider entries stay, and 404 names the one that covers it. Look-ups see it at once. If the source is fetched by URL, the next fetch brings the entry back while the publisher lists it: push an allowance for the item, which wins over every list.',
    responses: {
      200: { description: 'The entry is removed.', schema: successOf(DelistResult) },
      400: { description: 'No address, range or domain.', schema: FailureEnvelope },
      401: { description: 'No valid token.', schema: FailureEnvelope },
      403: { description: 'The token lacks sources:manage.', schema: FailureEnvelope },
      404: { description: 'No such source, or no such entry.', schema: FailureEnvelope },
      409: { description: 'Accepted reports write the source.', schema: FailureEnvelope },
    },
  } as const
}

async function delist(
  { db, audit, entriesOf }: DeleteEntryDeps,
  wanted: { readonly kind: string; readonly name: string },
  text: string,
) {
  const parsed = parseSubject(text)
  if (parsed.kind === 'refused') throw entryNotReadable(parsed.reason)
  const { subject } = parsed
  const source = await findSource(db, wanted)
  if (source === null) throw sourceUnknown()
  if (isReportSource(source)) throw sourceOfReports()
  const store = entriesOf(source.kind)
  const removed = await store.delist(source, subject, async (tx, entries) => {
    const id = nameSource(source)
    const before = { item: subject.text, entries }
    await audit.record(tx, 'source_entry.delete', { tenantId: null, id, before })
  })
  if (removed === 0) {
    const covering = await store.findAmong(source, listCovering(subject))
    throw entryUnknown(subject.text, covering)
  }
  const fetched = source.fetch !== null
  const result: Static<typeof DelistResult> = {
    item: subject.text,
    removed,
    fetched,
    note: describeReturn(source, fetched),
  }
  return { status: 200, json: { status: 'success', statusCode: 200, result } }
}

const ALLOWANCE =
  'POST /beta/allowances with this item keeps it off every list, also when it is listed again.'

function describeReturn({ kind }: KnownSource, isFetched: boolean): string {
  const returns = isFetched
    ? 'The next fetch brings it back if the publisher still has it.'
    : 'It comes back when it is pushed again, or with a whole list that has it.'
  return kind === STATEMENT_SOURCE_KINDS.listing ? `${returns} ${ALLOWANCE}` : returns
}

/** The subjects that are wider than this one and hold it, the nearest first. */
function listCovering(subject: Subject): readonly string[] {
  switch (subject.kind) {
    case 'ipv4':
      return lengths(IPV4_BITS, IPV4_PREFIX_MIN).map(
        (length) => ipv4Range(subject.value, length).text,
      )
    case 'ipv4-range':
      return lengths(subject.prefixLength, IPV4_PREFIX_MIN).map(
        (length) => ipv4Range(subject.first, length).text,
      )
    case 'ipv6':
      return lengths(IPV6_BITS, IPV6_PREFIX_MIN).map(
        (length) => ipv6Range(subject.words, length).text,
      )
    case 'ipv6-range':
      return lengths(subject.prefixLength, IPV6_PREFIX_MIN).map(
        (length) => ipv6Range(subject.first, length).text,
      )
    case 'domain':
      return parentDomains(subject.text).slice(1)
  }
}

/** From one less than `bits` down to `min`. */
function lengths(bits: number, min: number): readonly number[] {
  return Array.from({ length: Math.max(bits - min, 0) }, (_, at) => bits - 1 - at)
}
