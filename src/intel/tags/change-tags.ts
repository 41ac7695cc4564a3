// PUT and DELETE /beta/tags/{name} (design section 9): an operator's own tags beside the shipped
// ones, and his own wording of those. A change of an intent moves the verdict of everything that
// carries the tag, so it asks for the scope to manage sources.

import { type Static, Type } from 'typebox'
import type { Intel } from '../../app/open-intel.ts'
import { requestNotValid } from '../../kernel/errors.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { FailureEnvelope, successOf } from '../../vocabulary/envelope-wire.ts'
import { tagInUse, tagShipped, tagUnknown, tooManyTags } from '../errors.ts'
import { TAGS_MAX, type Tag } from '../facts/tag-catalogue.ts'
import { presentTag } from './present-tag.ts'
import { readShippedTags } from './shipped-tags.ts'
import { putTag, removeTag } from './tag-store.ts'
import { NewTag, TagRecord } from './tag-wire.ts'

// As the shipped ones are named: a group and what it is, with room for one more step.
const TAG_NAME = /^[a-z0-9][a-z0-9-]{0,31}(?::[a-z0-9][a-z0-9-]{0,47}){0,2}$/
const ACCESS = { kind: 'scope', scope: 'sources:manage' } as const
const PATH = '/beta/tags/{name}'
const Params = Type.Object({
  name: Type.String({ description: 'Lower-case words joined with hyphens, parts with a colon.' }),
})
const NO_SCOPE = {
  401: { description: 'No valid token.', schema: FailureEnvelope },
  403: { description: 'The token lacks sources:manage.', schema: FailureEnvelope },
} as const

export function changeTagRoutes(intel: Intel): readonly Route[] {
  return [putTagRoute(intel), deleteTagRoute(intel)]
}

function putTagRoute({ foundation, index }: Intel): Route {
  return defineRoute({
    method: 'PUT',
    path: PATH,
    group: 'intel',
    access: ACCESS,
    operationId: 'putTag',
    summary: 'Make a tag of your own, or change the wording of one',
    description:
      'The whole tag is replaced. Look-ups see a changed intent at once here, and within a second on other nodes. A shipped tag that was changed is left alone by newer programs.',
    params: Params,
    body: NewTag,
    responses: {
      200: { description: 'The tag as it is now.', schema: successOf(TagRecord) },
      201: { description: 'The tag, which is new.', schema: successOf(TagRecord) },
      400: { description: 'Something in it cannot be taken.', schema: FailureEnvelope },
      ...NO_SCOPE,
      409: { description: 'There are too many tags.', schema: FailureEnvelope },
    },
    async handle({ params, body }) {
      if (!TAG_NAME.test(params.name)) {
        throw requestNotValid('The name of a tag must be like group:what-it-is, in lower case.')
      }
      const tag = toTag(params.name, body)
      const done = await putTag(foundation.database.kysely, tag)
      if (done === null) throw tooManyTags(TAGS_MAX)
      // The tag is kept: trouble with reading it back is no failure of the call, and the poll tries
      // again.
      await index.refreshNow().catch(() => undefined)
      const json = { status: 'success', statusCode: 200, result: presentTag(tag) }
      return { status: done === 'made' ? 201 : 200, json }
    },
  })
}

function deleteTagRoute({ foundation, index }: Intel): Route {
  return defineRoute({
    method: 'DELETE',
    path: PATH,
    group: 'intel',
    access: ACCESS,
    operationId: 'deleteTag',
    summary: 'Delete a tag of your own',
    description: 'Only one that nothing carries any more. Shipped tags stay.',
    params: Params,
    responses: {
      204: { description: 'It is gone.' },
      400: { description: 'There is no tag of this name.', schema: FailureEnvelope },
      ...NO_SCOPE,
      409: { description: 'It ships with the program, or is in use.', schema: FailureEnvelope },
    },
    async handle({ params }) {
      const { name } = params
      if (readShippedTags().some((shipped) => shipped.name === name)) throw tagShipped()
      const { database, clock } = foundation
      const done = await removeTag(database.kysely, name, clock.nowMs())
      if (done === 'absent') throw tagUnknown()
      if (done === 'in-use') throw tagInUse()
      await index.refreshNow().catch(() => undefined)
      return { status: 204 }
    },
  })
}

function toTag(name: string, body: Static<typeof NewTag>): Tag {
  const { intent, category, description, references = [], timeline = [] } = body
  return { name, intent, category, description, references, timeline }
}
