// PUT /beta/tags/{name} (design section 9): operators add their own tags and reword the shipped
// ones. A changed intent changes the verdict on every item that carries the tag, so the caller
// needs the scope to manage sources.

import { type Static, Type } from 'typebox'
import type { AuditLog } from '../../access/audit/audit-log.ts'
import { type Db, inTransaction } from '../../kernel/db/database.ts'
import { requestNotValid } from '../../kernel/errors.ts'
import { answerSuccess } from '../../kernel/http/answer-success.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { FailureEnvelope, successOf } from '../../vocabulary/envelope-wire.ts'
import { tooManyTags } from '../errors.ts'
import { TAGS_MAX, type Tag } from '../facts/tag-catalogue.ts'
import type { IntelIndex } from '../index/intel-index.ts'
import { lockTag, putTag } from './tag-store.ts'
import { NewTag, presentTag, TagRecord } from './tag-wire.ts'

// Shipped tags are named group:what-it-is; one more part is possible.
const TAG_NAME = /^[a-z0-9][a-z0-9-]{0,31}(?::[a-z0-9][a-z0-9-]{0,47}){0,2}$/

export interface PutTagDeps {
  readonly db: Db
  readonly audit: AuditLog
  readonly index: IntelIndex
}

export function putTagRoute({ db, audit, index }: PutTagDeps): Route {
  return defineRoute({
    method: 'PUT',
    path: '/beta/tags/{name}',
    group: 'intel',
    access: { kind: 'scope', scope: 'sources:manage' },
    operationId: 'putTag',
    summary: 'Create or replace a tag',
    description:
      'The whole tag is replaced. Look-ups on this node see a changed intent at once, other nodes within a second. An upgrade of the program keeps your version of a shipped tag.',
    params: Type.Object({
      name: Type.String({
        description: 'Lower-case words joined with hyphens, parts with a colon.',
      }),
    }),
    body: NewTag,
    responses: {
      200: { description: 'The replaced tag.', schema: successOf(TagRecord) },
      201: { description: 'The new tag.', schema: successOf(TagRecord, 201) },
      400: { description: 'The name or a member is not valid.', schema: FailureEnvelope },
      401: { description: 'No valid token.', schema: FailureEnvelope },
      403: { description: 'The token lacks sources:manage.', schema: FailureEnvelope },
      409: { description: 'There are too many tags.', schema: FailureEnvelope },
    },
    async handle({ params, body }) {
      if (!TAG_NAME.test(params.name)) {
        throw requestNotValid('The name of a tag must be like group:what-it-is, in lower case.')
      }
      const tag = toTag(params.name, body)
      const done = await inTransaction(db, async (tx) => {
        const before = await lockTag(tx, tag.name)
        const outcome = await putTag(tx, tag)
        if (outcome === null) throw tooManyTags(TAGS_MAX)
        await audit.record(tx, 'tag.set', { tenantId: null, id: tag.name, before, after: tag })
        return outcome
      })
      // The tag is stored. When reading it back fails, the call has still succeeded and the next
      // poll reads it.
      await index.refreshNow().catch(() => undefined)
      return answerSuccess(presentTag(tag), { status: done === 'created' ? 201 : 200 })
    },
  })
}

function toTag(name: string, body: Static<typeof NewTag>): Tag {
  const { intent, category, description, references = [], timeline = [] } = body
  return { name, intent, category, description, references, timeline }
}
