// The answer of /readyz and /readyz/write: the state of this node, check by check.

import { type Static, Type } from 'typebox'
import type { Readiness, ReadinessFinding } from '../../kernel/readiness.ts'
import { named } from '../../vocabulary/named-schema.ts'

const State = Type.Union([
  Type.Literal('ok'),
  Type.Literal('off'),
  Type.Literal('degraded'),
  Type.Literal('failed'),
])

export const ReadyAnswer = named(
  'Readiness',
  Type.Object({
    status: Type.Union([
      Type.Literal('ready'),
      Type.Literal('degraded'),
      Type.Literal('not_ready'),
    ]),
    checks: Type.Optional(
      Type.Array(Type.Object({ name: Type.String(), state: State, detail: Type.String() }), {
        description: 'Left out where CASEWORK_OPS_PORT gives monitoring a listener of its own.',
      }),
    ),
  }),
)

/** What both pages of readiness are made of. */
export interface ReadinessPage {
  readonly readiness: Readiness
  /** False on a listener that tells no more than a load balancer needs. */
  readonly hasChecks: boolean
}

/** A check that fails the page is `failed`, whatever it is for the other page. */
export async function presentReadiness(
  { readiness, hasChecks }: ReadinessPage,
  isFailure: (finding: ReadinessFinding) => boolean,
): Promise<{ status: 200 | 503; json: Static<typeof ReadyAnswer> }> {
  const checks = await Promise.all(
    readiness.list().map(async ({ name, check }) => {
      const finding = await check()
      const state = isFailure(finding) ? ('failed' as const) : finding.state
      return { name, state, detail: finding.detail }
    }),
  )
  const details = hasChecks ? { checks } : {}
  if (checks.some(({ state }) => state === 'failed')) {
    return { status: 503, json: { status: 'not_ready', ...details } }
  }
  const isDegraded = checks.some(({ state }) => state === 'degraded')
  return { status: 200, json: { status: isDegraded ? 'degraded' : 'ready', ...details } }
}
