// A privacy export on the wire: the data of a tenant about a person
// (docs/guides/retention-and-erasure.md).

import { type Static, Type } from 'typebox'
import { named } from '../../../vocabulary/named-schema.ts'
import type { ExportPart as CollectedPart } from './collect-export.ts'

export const ExportBody = named(
  'PrivacyExportRequest',
  Type.Object(
    {
      address: Type.String({ minLength: 3, maxLength: 254, description: 'The e-mail address.' }),
      name: Type.Optional(
        Type.String({
          minLength: 3,
          maxLength: 200,
          pattern: '\\S',
          description: 'A name: rows that contain it are exported too, in upper or lower case.',
        }),
      ),
      cursor: Type.Optional(
        Type.String({ maxLength: 2_048, description: '`next_cursor` of the part before.' }),
      ),
    },
    { additionalProperties: false },
  ),
)

const ExportItem = named(
  'PrivacyExportItem',
  Type.Object({
    table: Type.String({ description: 'The table of the row: event, case_comment, report_raw …' }),
    found_in: Type.Array(Type.String(), {
      description: 'The members that contain the address or the name.',
    }),
    record: Type.Object(
      {},
      {
        additionalProperties: true,
        description:
          'The row; its lists leave out addresses of other people. For settings, only the members that were found. For a raw report, its bytes in base64.',
      },
    ),
  }),
)

export const ExportPart = named(
  'PrivacyExport',
  Type.Object({
    items: Type.Array(ExportItem),
    unsearched_reports: Type.Optional(
      Type.Array(Type.String({ format: 'uuid' }), {
        description:
          'Ids of reports whose bytes were too costly to search: they may contain the address or the name. Absent when there are none.',
      }),
    ),
    next_cursor: Type.String({
      description:
        'Send it with the same address and name for the next part; empty at the end. A part without items may be followed by a part with items.',
    }),
  }),
)

export function presentExportPart(
  { rows, unsearched }: Pick<CollectedPart, 'rows' | 'unsearched'>,
  nextCursor: string,
): Static<typeof ExportPart> {
  return {
    items: rows.map(({ table, foundIn, record }) => ({ table, found_in: [...foundIn], record })),
    ...(unsearched.length === 0 ? {} : { unsearched_reports: [...unsearched] }),
    next_cursor: nextCursor,
  }
}
