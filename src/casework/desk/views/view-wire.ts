// Saved views on the wire: a list with its filters and order, kept by name.

import { type Static, Type } from 'typebox'
import { named } from '../../../vocabulary/named-schema.ts'
import { pageOf } from '../../../vocabulary/page-wire.ts'
import type { ViewRecord } from './view-store.ts'

export const ViewList = named(
  'ListOfView',
  Type.Union([Type.Literal('cases'), Type.Literal('events')], {
    description: 'cases: GET /beta/casework/cases. events: GET /beta/casework/events.',
  }),
)

const MEMBERS = {
  name: Type.String({ minLength: 1, maxLength: 100, description: 'For people.' }),
  list: ViewList,
  query: Type.Record(
    Type.String({ maxLength: 64 }),
    Type.Union([Type.String({ maxLength: 2_000 }), Type.Number(), Type.Boolean()]),
    {
      maxProperties: 30,
      description:
        'The query parameters of the list, without a cursor: {"state": "NEW", "sort": "due_at"}.',
    },
  ),
  shared: Type.Boolean({
    description: 'True: every token of the tenant sees it. False: only the token that made it.',
  }),
}

export const NewView = named(
  'NewSavedView',
  Type.Object(
    { ...MEMBERS, shared: Type.Optional(MEMBERS.shared) },
    { additionalProperties: false },
  ),
)

export const ViewChange = named(
  'SavedViewChange',
  Type.Object(
    {
      name: Type.Optional(MEMBERS.name),
      query: Type.Optional(MEMBERS.query),
      shared: Type.Optional(MEMBERS.shared),
    },
    { additionalProperties: false, minProperties: 1 },
  ),
)

export const SavedView = named(
  'SavedView',
  Type.Object({
    id: Type.String({ format: 'uuid', description: 'Id of the view.' }),
    ...MEMBERS,
    path: Type.String({ description: 'The list with these parameters: send GET to it.' }),
    created_at: Type.String({ format: 'date-time', description: 'When it was made.' }),
    created_by: Type.String({ description: 'Id of the token that made it.' }),
    updated_at: Type.String({ format: 'date-time', description: 'When it was last changed.' }),
  }),
)
export const SavedViewList = pageOf(SavedView)

export function presentView(view: ViewRecord): Static<typeof SavedView> {
  const texts = Object.entries(view.query).map(([name, value]) => [name, String(value)])
  const parameters = new URLSearchParams(texts).toString()
  return {
    id: view.id,
    name: view.name,
    list: view.list,
    query: { ...view.query },
    shared: view.isShared,
    path: `/beta/casework/${view.list}${parameters === '' ? '' : `?${parameters}`}`,
    created_at: view.createdAt.toISOString(),
    created_by: view.createdBy,
    updated_at: view.updatedAt.toISOString(),
  }
}
