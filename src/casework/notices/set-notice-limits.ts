// GET and PUT /beta/casework/notice-limits: how many notices go to one recipient a day, and when
// the digest takes up what is above that.

import { type Static, Type } from 'typebox'
import { requireCaller } from '../../access/admit-request.ts'
import type { AuditLog } from '../../access/audit/audit-log.ts'
import { type Db, inTransaction } from '../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { named } from '../../vocabulary/named-schema.ts'
import { noticeLimitsNotValid } from './errors.ts'
import { type NoticeLimits, type PurposeLimit, SHIPPED_LIMITS } from './notice-limits.ts'
import {
  findNoticeLimits,
  isTimeZone,
  lockNoticeLimits,
  putNoticeLimits,
} from './notice-limits-store.ts'

const PATH = '/beta/casework/notice-limits'

const LIMIT_MAX = 1_000
const Limit = named(
  'NoticeLimit',
  Type.Object(
    {
      case_day: Type.Integer({
        minimum: 0,
        maximum: LIMIT_MAX,
        description: 'About one case within 24 hours. 0: all of them wait for the digest.',
      }),
      recipient_day: Type.Integer({
        minimum: 0,
        maximum: LIMIT_MAX,
        description: 'About all cases within 24 hours.',
      }),
    },
    { additionalProperties: false },
  ),
)
const Limits = Type.Object(
  {
    notice: Type.Optional(Limit),
    reminder: Type.Optional(Limit),
    receipt: Type.Optional(Limit),
    outcome: Type.Optional(Limit),
  },
  {
    additionalProperties: false,
    description:
      'By purpose, for each recipient address, and for each customer whichever of its contacts has the notice. A purpose that is left out is not limited. Statements of reasons and answers never are.',
  },
)
const NoticeLimitsBody = named(
  'NoticeLimits',
  Type.Object(
    {
      is_on: Type.Boolean({ description: 'False: nothing is held for a digest.' }),
      limits: Limits,
      digest: Type.Object(
        {
          hour: Type.Integer({ minimum: 0, maximum: 23 }),
          time_zone: Type.String({
            minLength: 1,
            maxLength: 64,
            description: 'Of the IANA database, such as Europe/Berlin.',
          }),
        },
        {
          additionalProperties: false,
          description:
            'Each day at this hour one mail takes up the notices that a limit held for a recipient.',
        },
      ),
    },
    { additionalProperties: false },
  ),
)

function present({
  isOn,
  limits,
  digestHour,
  timeZone,
}: NoticeLimits): Static<typeof NoticeLimitsBody> {
  const shown = Object.entries(limits).map(([purpose, { caseDay, recipientDay }]) => [
    purpose,
    { case_day: caseDay, recipient_day: recipientDay },
  ])
  return {
    is_on: isOn,
    limits: Object.fromEntries(shown),
    digest: { hour: digestHour, time_zone: timeZone },
  }
}

function read({ is_on: isOn, limits, digest }: Static<typeof NoticeLimitsBody>): NoticeLimits {
  const given = Object.entries(limits).map(([purpose, one]): [string, PurposeLimit] => [
    purpose,
    { caseDay: one.case_day, recipientDay: one.recipient_day },
  ])
  return {
    isOn,
    limits: Object.fromEntries(given),
    digestHour: digest.hour,
    timeZone: digest.time_zone,
  }
}

export function getNoticeLimitsRoute({ db }: { readonly db: Db }): Route {
  return defineRoute({
    method: 'GET',
    path: PATH,
    group: 'casework',
    access: { kind: 'scope', scope: 'playbooks:read' },
    operationId: 'getNoticeLimits',
    summary: 'Get the notice limits',
    description: 'Those that the program ships with, until the tenant sets its own.',
    responses: { 200: { description: 'The limits.', schema: NoticeLimitsBody } },
    async handle({ caller }) {
      const found = await findNoticeLimits(db, requireCaller(caller))
      return { status: 200, json: present(found ?? SHIPPED_LIMITS) }
    },
  })
}

export interface SetNoticeLimitsDeps {
  readonly db: Db
  readonly audit: AuditLog
}

export function putNoticeLimitsRoute({ db, audit }: SetNoticeLimitsDeps): Route {
  return defineRoute({
    method: 'PUT',
    path: PATH,
    group: 'casework',
    access: { kind: 'scope', scope: 'playbooks:write' },
    operationId: 'putNoticeLimits',
    summary: 'Set the notice limits',
    description:
      'For notices that are made from now on. What is held already waits for its digest.',
    body: NoticeLimitsBody,
    responses: {
      200: { description: 'The limits.', schema: NoticeLimitsBody },
      400: { description: 'The time zone is not known.' },
    },
    async handle({ caller, body }) {
      const scope = requireCaller(caller)
      const limits = read(body)
      if (!(await isTimeZone(db, limits.timeZone))) {
        const reason = 'is no time zone of the IANA database'
        throw noticeLimitsNotValid([{ path: '/digest/time_zone', reason }])
      }
      await inTransaction(db, async (tx) => {
        const before = await lockNoticeLimits(tx, scope)
        await putNoticeLimits(tx, scope, limits)
        await audit.record(tx, 'notice_limits.set', {
          tenantId: scope.tenantId,
          id: 'notice-limits',
          before: present(before ?? SHIPPED_LIMITS),
          after: present(limits),
        })
      })
      return { status: 200, json: present(limits) }
    },
  })
}
