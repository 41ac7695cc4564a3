// PUT /beta/contacts: abuse contacts of ranges and domains, each kept under its source (an
// addition, see docs/interface-gaps/sources.md).

import { Type } from 'typebox'
import type { Db } from '../../kernel/db/database.ts'
import { answerSuccess } from '../../kernel/http/answer-success.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { FailureEnvelope, successOf } from '../../vocabulary/envelope-wire.ts'
import { asPushBody, JSON_BYTES_MAX, PUSH_REFUSALS } from '../sources/push/push-body.ts'
import { ARRAY_ROWS_MAX } from '../sources/push/push-reader.ts'
import { PushResult } from '../sources/push/push-wire.ts'
import type { ReadPushBody } from '../sources/push/read-push.ts'
import { ContactRowBody } from './abuse-contact-wire.ts'
import { putStagedContacts } from './contact-store.ts'

interface PutContactsDeps {
  readonly db: Db
  readonly readPush: ReadPushBody
  /** Reads the imported contacts anew. */
  readonly refreshContacts: () => Promise<void>
}

export function putContactsRoute({ db, readPush, refreshContacts }: PutContactsDeps): Route {
  return defineRoute({
    method: 'PUT',
    path: '/beta/contacts',
    group: 'intel',
    access: { kind: 'scope', scope: 'sources:manage' },
    operationId: 'putContacts',
    summary: 'Set abuse contacts',
    description:
      'A JSON array of up to 10,000 rows (8 MiB). Rows are independent. All accepted rows are durable before the answer, as one change. A repeated call changes nothing. 400 only when the body cannot be read; then no row is stored.',
    body: Type.Array(ContactRowBody, { maxItems: ARRAY_ROWS_MAX }),
    checksOwnBody: true,
    // JSON is parsed where its rows are read.
    bodyKind: 'bytes',
    bodyLimit: JSON_BYTES_MAX,
    responses: {
      200: { description: 'The accepted and rejected rows.', schema: successOf(PushResult) },
      ...PUSH_REFUSALS,
      403: { description: 'The token lacks sources:manage.', schema: FailureEnvelope },
    },
    async handle({ body }) {
      const { accepted, rejected, contacts } = await readPush(asPushBody(body), {
        kind: 'contacts',
      })
      await putStagedContacts(db, contacts)
      // The rows are durable. When reading them back fails, the call has still succeeded and the
      // next poll reads them.
      await refreshContacts().catch(() => undefined)
      const result = { accepted, rejected }
      return answerSuccess(result)
    },
  })
}
