// POST /beta/session/password/forgotten: a person asks for a link for a new password by mail. The
// answer, its statements and so its time are the same for an address with and without an account.

import { Type } from 'typebox'
import type { Clock } from '../../kernel/clock.ts'
import { type Db, inTransaction } from '../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import type { IdSource } from '../../kernel/ids.ts'
import { MAIL_LANGUAGES } from '../../vocabulary/mail-language.ts'
import { named } from '../../vocabulary/named-schema.ts'
import { findAccountOf, insertAccountMail } from '../account-mail/account-mail-store.ts'
import { assertOwnOrigin, type PublicUrl } from '../sessions/check-origin.ts'
import { listMailKeys } from './back-off.ts'
import { takeAttempt } from './back-off-store.ts'
import { mailNotSetUp, mailsTooMany } from './errors.ts'

export interface AskForPasswordDeps {
  readonly db: Db
  readonly clock: Clock
  readonly ids: IdSource
  readonly publicUrl: PublicUrl
  readonly sendsMail: boolean
}

const ForgottenPassword = named(
  'ForgottenPassword',
  Type.Object(
    {
      email: Type.String({ minLength: 1, maxLength: 254 }),
      language: Type.Optional(
        Type.Union(
          MAIL_LANGUAGES.map((one) => Type.Literal(one)),
          { description: 'Of the mail; en when left out.' },
        ),
      ),
    },
    { additionalProperties: false },
  ),
)

export function askForPasswordRoute(deps: AskForPasswordDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/session/password/forgotten',
    group: 'admin',
    access: { kind: 'public' },
    operationId: 'askForPassword',
    summary: 'Ask for a new password by mail',
    description:
      'Sends a link for a new password to the address, if somebody who works here has it. The answer does not say whether.',
    body: ForgottenPassword,
    responses: {
      202: { description: 'If there is such a person, the mail is on its way.' },
      403: { description: 'The request comes from another site.' },
      409: { description: 'This server sends no mail.' },
      429: { description: 'Too many mails were asked for.' },
    },
    async handle({ body, headers, remoteAddress }) {
      assertOwnOrigin(deps.publicUrl, headers)
      if (!deps.sendsMail) throw mailNotSetUp()
      const { email, language = 'en' } = body
      const now = new Date(deps.clock.nowMs())
      await inTransaction(deps.db, async (tx) => {
        const waitSeconds = await takeAttempt(tx, listMailKeys({ email, remoteAddress }), now)
        if (waitSeconds > 0) throw mailsTooMany(waitSeconds)
        const userId = await findAccountOf(tx, email)
        const id = deps.ids.nextUuid()
        await insertAccountMail(tx, { id, kind: 'reset', userId, invitedTo: null, language }, now)
      })
      return { status: 202 }
    },
  })
}
