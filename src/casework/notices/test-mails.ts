// POST /beta/admin/test-mails: one mail through the relay, with a verdict for each step, as
// `casework notice test` does on the machine.

import { type Static, Type } from 'typebox'
import type { AuditLog } from '../../access/audit/audit-log.ts'
import { countTestMail } from '../../access/sign-in/count-attempt.ts'
import type { Clock } from '../../kernel/clock.ts'
import { type Db, inTransaction } from '../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { isEmailAddress } from '../../values/email.ts'
import { named } from '../../vocabulary/named-schema.ts'
import { relayNotSet, testMailNotValid } from './errors.ts'
import type { MailIdentity } from './mail-identity.ts'
import type { RelaySettings } from './relay-options.ts'
import { testRelay } from './test-relay.ts'

export interface TestMailDeps {
  readonly db: Db
  readonly audit: AuditLog
  readonly clock: Clock
  readonly relay: RelaySettings
  /** Null without a relay. */
  readonly mail: MailIdentity | null
}

const NewTestMail = named(
  'NewTestMail',
  Type.Object(
    { to: Type.String({ minLength: 3, maxLength: 254, description: 'The e-mail address.' }) },
    { additionalProperties: false },
  ),
)

const RelayTest = named(
  'RelayTest',
  Type.Object({
    ok: Type.Boolean({ description: 'Whether the relay took the mail.' }),
    steps: Type.Array(
      Type.Object({
        step: Type.Union(
          [
            Type.Literal('dns'),
            Type.Literal('connect'),
            Type.Literal('tls'),
            Type.Literal('login'),
            Type.Literal('sender'),
            Type.Literal('recipient'),
            Type.Literal('content'),
          ],
          { description: 'What was tried.' },
        ),
        state: Type.Union([Type.Literal('ok'), Type.Literal('failed'), Type.Literal('off')], {
          description: '`off`: not used by these settings, or not reached.',
        }),
        detail: Type.String({ description: 'One sentence; of a failure, what the relay said.' }),
      }),
      { description: 'In their order.' },
    ),
  }),
)

export function sendTestMailRoute({ db, audit, clock, relay, mail }: TestMailDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/admin/test-mails',
    group: 'admin',
    access: { kind: 'scope', scope: 'instance:admin' },
    operationId: 'sendTestMail',
    summary: 'Send a test mail',
    description:
      'Sends one mail through the relay and answers when that has taken or refused it. Five are free; each further one waits longer, up to 15 minutes, until a day has passed without one.',
    body: NewTestMail,
    responses: {
      200: { description: 'What each step came to, also when one failed.', schema: RelayTest },
      400: { description: 'It is no e-mail address.' },
      409: { description: 'No relay is set.' },
      429: { description: 'Too many test mails were asked for.' },
    },
    async handle({ body: { to } }): Promise<{ status: 200; json: Static<typeof RelayTest> }> {
      if (!isEmailAddress(to)) throw testMailNotValid()
      if (mail === null) throw relayNotSet()
      // Recorded before the mail goes out: a process that dies in between has sent none unseen.
      await inTransaction(db, async (tx) => {
        await countTestMail(tx, new Date(clock.nowMs()))
        await audit.record(tx, 'test_mail.send', { tenantId: null, id: to })
      })
      const steps = await testRelay(relay, mail, to)
      const ok = steps.every(({ state }) => state !== 'failed')
      return { status: 200, json: { ok, steps: steps.map((one) => ({ ...one })) } }
    },
  })
}
