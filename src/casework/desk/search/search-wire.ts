// The search on the wire.

import { type Static, Type } from 'typebox'
import { named } from '../../../vocabulary/named-schema.ts'
import { pageOf } from '../../../vocabulary/page-wire.ts'

export const SearchKind = Type.Union([
  Type.Literal('customer'),
  Type.Literal('case'),
  Type.Literal('report'),
  Type.Literal('event'),
])

const SearchItem = named(
  'SearchItem',
  Type.Object({
    kind: SearchKind,
    id: Type.String({ description: 'Of the customer, case, report or event.' }),
    case_id: Type.Optional(Type.String({ description: 'The case of an event, if it is in one.' })),
    title: Type.String({ description: 'One line for a person.' }),
    matched: Type.Object(
      {
        field: Type.String({ description: 'Where it was found, such as ip or comment.' }),
        text: Type.String({ description: 'The value, or the words around it.' }),
      },
      { description: 'Why it is here. The text may be of a stranger.' },
    ),
    at: Type.String({
      format: 'date-time',
      description: 'Of an event its date, else when it was created or received.',
    }),
  }),
)

export const SearchResult = named(
  'SearchResult',
  Type.Object({
    ...pageOf(SearchItem).properties,
    read_as: Type.Object(
      {
        kind: Type.Union(
          (
            ['case_id', 'record_id', 'address', 'range', 'domain', 'email', 'url', 'words'] as const
          ).map((kind) => Type.Literal(kind)),
        ),
        text: Type.String(),
      },
      { description: 'How `q` was understood, in canonical form.' },
    ),
  }),
)

export type FoundItem = Static<typeof SearchItem>
