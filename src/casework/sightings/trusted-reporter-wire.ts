// A reporter that the tenant trusts (an addition to the case operations).

import { type Static, Type } from 'typebox'
import { named } from '../../vocabulary/named-schema.ts'
import { pageOf } from '../../vocabulary/page-wire.ts'
import type { TrustedReporterRecord } from './trusted-reporter-store.ts'

export const TrustedReporter = named(
  'TrustedReporter',
  Type.Object({
    reporter: Type.String({
      description:
        'An e-mail address, or a domain with everything below it. It counts for a mail whose domain DKIM or DMARC proved.',
    }),
    note: Type.Optional(Type.String()),
    created_at: Type.String({ format: 'date-time' }),
    created_by: Type.String({ description: 'Id of the token.' }),
  }),
)
export const TrustedReporterPage = pageOf(TrustedReporter)

export const NewTrustedReporter = named(
  'NewTrustedReporter',
  Type.Object(
    { note: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })) },
    { additionalProperties: false },
  ),
)

export function presentTrustedReporter({
  reporter,
  note,
  createdAt,
  createdBy,
}: TrustedReporterRecord): Static<typeof TrustedReporter> {
  return {
    reporter,
    ...(note === null ? {} : { note }),
    created_at: createdAt.toISOString(),
    created_by: createdBy,
  }
}
