// POST /beta/admin/users: invites a person into a tenant, with roles there. The person accepts with
// a link that is good once, within a week. An account may exist already, since people work for
// several tenants: the answer is the same, so that a tenant learns nothing of the others.

import type { Static } from 'typebox'
import type { Clock } from '../../kernel/clock.ts'
import { type Db, inTransaction, type Tx } from '../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import type { IdSource } from '../../kernel/ids.ts'
import { isLooseEmailAddress } from '../../values/email.ts'
import type { Caller } from '../../vocabulary/caller.ts'
import type { MailLanguage } from '../../vocabulary/mail-language.ts'
import { insertAccountMail } from '../account-mail/account-mail-store.ts'
import { administeredTenant, chooseTenant } from '../admin-scope.ts'
import { requireCaller } from '../admit-request.ts'
import type { AuditLog } from '../audit/audit-log.ts'
import { mailNotSetUp } from '../sign-in/errors.ts'
import { makeLink } from '../sign-in/make-link.ts'
import { findTenant } from '../tenant-store.ts'
import { assertHolds } from '../token-grant.ts'
import { userNotValid, userTaken } from './errors.ts'
import { keepRoles } from './keep-roles.ts'
import { requireVisible } from './load-user.ts'
import { ensureUser, findUser, insertMembership, type UserRecord } from './user-store.ts'
import { Invitation, InvitedUser, presentUser } from './user-wire.ts'

export interface InviteDeps {
  readonly db: Db
  readonly clock: Clock
  readonly ids: IdSource
  readonly audit: AuditLog
  readonly sendsMail: boolean
  /** The address at which people open the program. */
  readonly readPublicUrl: () => string
}

export function inviteUserRoute(deps: InviteDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/admin/users',
    group: 'admin',
    access: { kind: 'scope', scope: 'users:manage' },
    operationId: 'inviteUser',
    summary: 'Invite a user',
    description:
      'Invites a person into a tenant. The answer is the only place that shows the link, which is good once and for seven days.',
    body: Invitation,
    idempotency: 'sealed',
    responses: {
      201: { description: 'The user, with the link.', schema: InvitedUser },
      409: {
        description: 'The tenant has a user of this address already, or this server sends no mail.',
      },
    },
    async handle({ caller: presented, body }) {
      const caller = requireCaller(presented)
      const isMailed = body.send_mail === true
      if (isMailed && !deps.sendsMail) throw mailNotSetUp()
      return await inTransaction(deps.db, async (tx) => {
        const tenantId = await readTenant(tx, caller, body)
        const { user, link } = await invite(tx, deps, { ...body, tenantId })
        if (isMailed) await queueMail(tx, deps, user, { tenantId, language: body.language })
        const shown = requireVisible(caller, user)
        const json = {
          ...presentUser(shown, administeredTenant(caller)),
          link: isMailed ? null : link.url,
          link_expires_at: link.expiresAt.toISOString(),
        }
        return { status: 201, json }
      })
    },
  })
}

/**
 * The tenant of a sound invitation that the caller may make, whose roles stay until the transaction
 * ends. Throws 400 and 403.
 */
async function readTenant(
  tx: Tx,
  caller: Caller,
  { email, roles, tenant_id: named }: Static<typeof Invitation>,
): Promise<string> {
  const tenantId = chooseTenant(caller, named)
  const { scopes, problems: ofRoles } = await keepRoles(tx, { tenantId, roles })
  const problems = [...ofRoles]
  if (!isLooseEmailAddress(email.trim())) {
    problems.push({ path: '/email', reason: 'must be an e-mail address' })
  }
  if (problems.length > 0) throw userNotValid(problems)
  assertHolds(caller, scopes)
  if ((await findTenant(tx, tenantId)) === null) {
    throw userNotValid([{ path: '/tenant_id', reason: 'is no tenant of this instance' }])
  }
  return tenantId
}

async function invite(
  tx: Tx,
  { ids, clock, audit, readPublicUrl }: InviteDeps,
  given: Pick<Static<typeof Invitation>, 'email' | 'name' | 'roles'> & {
    readonly tenantId: string
  },
) {
  const { email, name, roles, tenantId } = given
  const id = `usr_${ids.nextUuid().replaceAll('-', '')}`
  const userId = await ensureUser(tx, { id, email, name })
  const membership = { tenantId, roles, isAccepted: false, invitedName: name }
  if (!(await insertMembership(tx, userId, membership))) throw userTaken()
  const link = await makeLink(
    tx,
    { kind: 'invitation', userId, tenantId },
    { publicUrl: readPublicUrl(), nowMs: clock.nowMs() },
  )
  const after = { email, name, roles }
  await audit.record(tx, 'user.invite', { tenantId, id: userId, after })
  return { user: await findUser(tx, userId), link }
}

/** The mail makes a link of its own when it is sent, which replaces the one of the invitation. */
async function queueMail(
  tx: Tx,
  { ids, clock }: Pick<InviteDeps, 'clock' | 'ids'>,
  user: UserRecord | null,
  {
    tenantId,
    language = 'en',
  }: { readonly tenantId: string; readonly language?: MailLanguage | undefined },
): Promise<void> {
  const id = ids.nextUuid()
  const userId = user?.id ?? null
  const mail = { id, kind: 'invitation', userId, invitedTo: tenantId, language } as const
  await insertAccountMail(tx, mail, new Date(clock.nowMs()))
}
