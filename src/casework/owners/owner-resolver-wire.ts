// The settings of a tenant's owner resolver: the operator's own service that names the owner of an
// address, domain or account (docs/guides/customers.md).

import { type Static, Type } from 'typebox'
import { omitNulls } from '../../values/omit-nulls.ts'
import { named } from '../../vocabulary/named-schema.ts'
import type { OwnerResolverRecord } from './owner-resolver-store.ts'

const Url = Type.String({
  minLength: 1,
  maxLength: 2_000,
  description:
    'Questions are sent to it by POST. https, or http to a host and port that CASEWORK_OUTBOUND_ALLOW names.',
})
const HeaderName = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'A header of every request, such as authorization.',
})

export const OwnerResolverAnswer = named(
  'OwnerResolver',
  Type.Object({
    url: Type.String(),
    header_name: Type.Optional(Type.String()),
    has_header_value: Type.Boolean({ description: 'The value itself is never shown.' }),
    timeout_ms: Type.Integer(),
    cache_seconds: Type.Integer(),
    updated_at: Type.String({ format: 'date-time' }),
    failures: Type.Integer({ description: 'Questions in a row without an answer.' }),
    failed_at: Type.Optional(Type.String({ format: 'date-time' })),
    failure: Type.Optional(Type.String({ description: 'Why the last of them failed.' })),
  }),
)

export function presentOwnerResolver(
  resolver: OwnerResolverRecord,
): Static<typeof OwnerResolverAnswer> {
  return omitNulls<Static<typeof OwnerResolverAnswer>>({
    url: resolver.url,
    header_name: resolver.headerName,
    has_header_value: resolver.headerValue !== null,
    timeout_ms: resolver.timeoutMs,
    cache_seconds: resolver.cacheSeconds,
    updated_at: resolver.updatedAt.toISOString(),
    failures: resolver.failures,
    failed_at: resolver.failedAt?.toISOString() ?? null,
    failure: resolver.failure,
  })
}

export const OwnerResolverBody = named(
  'NewOwnerResolver',
  Type.Object(
    {
      url: Url,
      header_name: Type.Optional(HeaderName),
      header_value: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 4_000,
          description:
            'A secret. When left out, the stored one stays, as long as the origin of the URL and the header are the same.',
        }),
      ),
      timeout_ms: Type.Optional(
        Type.Integer({
          minimum: 100,
          // Single pushes wait for the answer, and only a limited number can wait.
          maximum: 5_000,
          description: 'Time limit of a request; 2000 when left out.',
        }),
      ),
      cache_seconds: Type.Optional(
        Type.Integer({
          minimum: 60,
          maximum: 2_592_000,
          description:
            'How long an answer is kept; 3600 when left out, and at most 300 for an answer without an owner.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
)
