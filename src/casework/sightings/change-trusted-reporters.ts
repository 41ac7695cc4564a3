// PUT and DELETE /beta/casework/trusted-reporters/{reporter} (design section 4.6). The reports that
// are there already are weighed again.

import { Type } from 'typebox'
import { requireCaller } from '../../access/admit-request.ts'
import type { AuditLog } from '../../access/audit/audit-log.ts'
import { lockTenant } from '../../access/tenant-store.ts'
import type { Clock } from '../../kernel/clock.ts'
import { type Db, inTransaction } from '../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { parseDomain, registrableDomain } from '../../values/domain.ts'
import { isEmailAddress } from '../../values/email.ts'
import {
  tooManyTrustedReporters,
  trustedReporterNotFound,
  trustedReporterNotValid,
} from './errors.ts'
import { noteItemsSince } from './sighting-change-store.ts'
import {
  deleteTrustedReporter,
  lockTrustedReporter,
  putTrustedReporter,
  TRUSTED_REPORTERS_MAX,
} from './trusted-reporter-store.ts'
import {
  NewTrustedReporter,
  presentTrustedReporter,
  TrustedReporter,
} from './trusted-reporter-wire.ts'

export interface TrustedReporterDeps {
  readonly db: Db
  readonly audit: AuditLog
  readonly clock: Clock
  readonly lookBackDays: number
}

const PATH = '/beta/casework/trusted-reporters/{reporter}'
const ACCESS = { kind: 'scope', scope: 'tenant:admin' } as const
const PARAMS = Type.Object({ reporter: Type.String() })

export function putTrustedReporterRoute(deps: TrustedReporterDeps): Route {
  return defineRoute({
    method: 'PUT',
    path: PATH,
    group: 'casework',
    access: ACCESS,
    operationId: 'putTrustedReporter',
    summary: 'Trust a reporter',
    description:
      'Its reports count in look-ups at once, and for more than suspicious, where DKIM or DMARC proves its domain. A domain stands for everything below it.',
    params: PARAMS,
    body: NewTrustedReporter,
    responses: {
      200: { description: 'The reporter.', schema: TrustedReporter },
      400: { description: 'It is neither an address nor a registrable domain.' },
      409: { description: 'There are too many trusted reporters.' },
    },
    async handle({ caller, params, body }) {
      const { tenantId, tokenId } = requireCaller(caller)
      const reporter = readReporter(params.reporter)
      if (reporter === null) throw trustedReporterNotValid()
      const createdAt = new Date(deps.clock.nowMs())
      const record = { reporter, note: body.note ?? null, createdAt, createdBy: tokenId }
      const stored = await inTransaction(deps.db, async (tx) => {
        // One at a time, or two at once could pass the bound.
        await lockTenant(tx, tenantId)
        const before = await lockTrustedReporter(tx, { tenantId }, reporter)
        const done = await putTrustedReporter(tx, { tenantId }, record)
        if (done === null) return null
        await noteItemsSince(tx, { tenantId }, lookBackStart(deps))
        await deps.audit.record(tx, 'trusted_reporter.set', {
          tenantId,
          id: reporter,
          before: before === null ? null : presentTrustedReporter(before),
          after: presentTrustedReporter(done),
        })
        return done
      })
      if (stored === null) throw tooManyTrustedReporters(TRUSTED_REPORTERS_MAX)
      return { status: 200, json: presentTrustedReporter(stored) }
    },
  })
}

export function deleteTrustedReporterRoute(deps: TrustedReporterDeps): Route {
  return defineRoute({
    method: 'DELETE',
    path: PATH,
    group: 'casework',
    access: ACCESS,
    operationId: 'deleteTrustedReporter',
    summary: 'Stop trusting a reporter',
    description: 'Later reports of this reporter need others beside them again.',
    params: PARAMS,
    responses: {
      204: { description: 'The reporter is off the list, and its reports are weighed again.' },
      404: { description: 'The reporter is not on the list.' },
    },
    async handle({ caller, params }) {
      const { tenantId } = requireCaller(caller)
      const reporter = readReporter(params.reporter)
      const isGone = await inTransaction(deps.db, async (tx) => {
        if (reporter === null) return false
        const before = await lockTrustedReporter(tx, { tenantId }, reporter)
        if (before === null) return false
        await deleteTrustedReporter(tx, { tenantId }, reporter)
        await noteItemsSince(tx, { tenantId }, lookBackStart(deps))
        await deps.audit.record(tx, 'trusted_reporter.delete', {
          tenantId,
          id: reporter,
          before: presentTrustedReporter(before),
        })
        return true
      })
      if (!isGone) throw trustedReporterNotFound()
      return { status: 204 }
    },
  })
}

function lookBackStart({ clock, lookBackDays }: TrustedReporterDeps): Date {
  return new Date(clock.nowMs() - lookBackDays * 86_400_000)
}

// A public suffix such as co.uk would trust everybody below it.
function readReporter(text: string): string | null {
  if (text.includes('@')) return isEmailAddress(text) ? text.toLowerCase() : null
  const domain = parseDomain(text)
  return domain === null || registrableDomain(domain) === null ? null : domain
}
