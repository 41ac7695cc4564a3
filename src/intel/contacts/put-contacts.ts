// PUT /beta/contacts: abuse contacts of ranges and domains, each kept under its source (an
// addition, see docs/interface-gaps/sources.md).

import { Type } from 'typebox'
import type { Intel } from '../../app/open-intel.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { FailureEnvelope, successOf } from '../../vocabulary/envelope-wire.ts'
import { asPushBody, JSON_BYTES_MAX, PUSH_REFUSALS } from '../sources/push/push-body.ts'
import { ARRAY_ROWS_MAX } from '../sources/push/push-reader.ts'
import { PushResult } from '../sources/push/push-result-wire.ts'
import { readPush } from '../sources/push/read-push.ts'
import { ContactRowBody } from './abuse-contact-wire.ts'
import { putStagedContacts } from './contact-store.ts'

export function putContactsRoute(intel: Intel): Route {
  const { enrichment, foundation } = intel
  return defineRoute({
    method: 'PUT',
    path: '/beta/contacts',
    group: 'intel',
    access: { kind: 'scope', scope: 'sources:manage' },
    operationId: 'putContacts',
    summary: 'Keep abuse contacts of address ranges and domains',
    description:
      'A JSON array of up to 10,000 rows (8 MiB). Rows are independent; all that are accepted are durable, and one change, before the answer. A repeated call changes nothing. 400 only when the body cannot be read; then nothing was kept.',
    body: Type.Array(ContactRowBody, { maxItems: ARRAY_ROWS_MAX }),
    checksOwnBody: true,
    // JSON is parsed where its rows are read.
    bodyKind: 'bytes',
    bodyLimit: JSON_BYTES_MAX,
    responses: {
      200: { description: 'What was taken and what was not.', schema: successOf(PushResult) },
      ...PUSH_REFUSALS,
      403: { description: 'The token lacks sources:manage.', schema: FailureEnvelope },
    },
    async handle({ body }) {
      const { accepted, rejected, contacts } = await readPush(intel, asPushBody(body), {
        kind: 'contacts',
      })
      await putStagedContacts(foundation.database.kysely, contacts)
      // The rows are durable: trouble with reading them back is no failure of the call, and the
      // poll tries again.
      await enrichment.refreshContacts().catch(() => undefined)
      const result = { accepted, rejected }
      return { status: 200, json: { status: 'success', statusCode: 200, result } }
    },
  })
}
