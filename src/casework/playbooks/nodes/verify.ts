// Verify: looks whether what was reported is still there: a page, a name, a port, or our own
// blocklists. It sends no credentials and follows no redirect, and it asks other systems only where
// the tenant has switched that on (setting verify_targets).

import { type Static, Type } from 'typebox'
import type { OutboundAnswer } from '../../../kernel/outbound/outbound-outcome.ts'
import { parseItem } from '../../../values/item.ts'
import {
  act,
  type CallDeps,
  type CallOutcome,
  type ConfigReading,
  type Due,
  type DueCall,
  defineNodeKind,
  type Refused,
  type SimulatedCall,
} from '../node-kind.ts'
import { mayVerifyTargets } from '../verify-setting-store.ts'
import {
  type ConfigValue,
  createValueReader,
  readValue,
  refuseValue,
  valueOf,
} from './value-config.ts'

const TIMEOUT_MS = 15_000
const READ_BYTES_MAX = 65_536
const TEXT_LENGTH_MAX = 500
const ADDRESSES_MAX = 20
// The page is gone: RFC 9110 sections 15.5.5 and 15.5.11, RFC 7725.
const GONE: readonly number[] = [404, 410, 451]

const VerifyMembers = Type.Object(
  {
    check: Type.Union(
      [Type.Literal('url'), Type.Literal('dns'), Type.Literal('tcp'), Type.Literal('blocklist')],
      {
        description:
          'url: a GET of the first 64 kB, on port 80, 443, 8080 or 8443, or one that CASEWORK_OUTBOUND_ALLOW opens; 2xx is still_abusive, 404, 410 and 451 are clean. dns: a name without address is clean. tcp: an open port is still_abusive, a closed one clean. blocklist: whether our own intel lists the item.',
      },
    ),
    target: valueOf(
      Type.String({ minLength: 1, maxLength: 2_000 }),
      'A URL, a name, an address, or an item, as the check needs it.',
    ),
    port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535, description: 'Of tcp.' })),
    text: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: TEXT_LENGTH_MAX,
        description:
          'Of url: a page with status 2xx is still_abusive only where it has this text, else clean.',
      }),
    ),
    addresses: Type.Optional(
      Type.Array(Type.String(), {
        minItems: 1,
        maxItems: ADDRESSES_MAX,
        description: 'Of dns: still_abusive only where the name has one of them, else clean.',
      }),
    ),
  },
  { additionalProperties: false },
)

type Members = Static<typeof VerifyMembers>

interface VerifyConfig extends Omit<Members, 'target'> {
  readonly value: ConfigValue
}

type Verdict = 'clean' | 'still_abusive' | 'unknown'

export const VERIFY = defineNodeKind({
  kind: 'verify',
  title: 'Verify',
  description:
    'Looks whether what was reported is still there. Other systems are asked only where the tenant setting `verify_targets` is on, and pages only on the ports 80, 443, 8080 and 8443; otherwise, and where no answer can be had, the path is unknown.',
  config: VerifyMembers,
  read: readVerify,
  paths: () => ['clean', 'still_abusive', 'unknown'],
  needsFacts: true,
  decide: act,
  call: verify,
  simulate: showCheck,
  // An answer that cannot be had is an answer too.
  retry: { attempts: 1, seconds: 30, maxSeconds: 30 },
  example: { config: { check: 'url', target: { cel: 'event.url' }, text: 'Sign in' } },
})

const OWN_MEMBERS = [
  ['port', 'tcp'],
  ['text', 'url'],
  ['addresses', 'dns'],
] as const

function readVerify({ target, ...config }: Members, reading: ConfigReading): VerifyConfig | null {
  for (const [member, check] of OWN_MEMBERS) {
    if (config[member] !== undefined && check !== config.check) {
      return reading.refuse(member, `belongs to the check ${check} only`)
    }
  }
  if (config.check === 'tcp' && config.port === undefined) {
    return reading.refuse('port', 'is missing')
  }
  const value = readValue(target, 'target', reading)
  return value && { ...config, value }
}

function showCheck({ config, facts }: Due<VerifyConfig>): SimulatedCall | Refused {
  const { value, ...members } = config
  try {
    const target = createValueReader(facts).readText(value)
    return { kind: 'call', request: { ...members, target } }
  } catch (error) {
    return refuseValue(error)
  }
}

async function verify(deps: CallDeps, due: DueCall<VerifyConfig>): Promise<CallOutcome> {
  const { config, facts, scope } = due
  let target: string
  try {
    target = createValueReader(facts).readText(config.value)
  } catch (error) {
    const refused = refuseValue(error)
    return conclude(due, 'unknown', { ...refused.output, cause: refused.reason })
  }
  if (config.check === 'blocklist') {
    if (parseItem(target) === null) return conclude(due, 'unknown', { cause: 'not_an_item' })
    const { listed } = deps.briefItem(target)
    return conclude(due, listed ? 'still_abusive' : 'clean', { listed })
  }
  if (!(await mayVerifyTargets(deps.db, scope))) {
    return conclude(due, 'unknown', { cause: 'verify_targets_is_off' })
  }
  return config.check === 'url'
    ? await verifyUrl(deps, due, target)
    : await verifyHost(deps, due, target)
}

function conclude(
  { nodeId, config }: DueCall<VerifyConfig>,
  verdict: Verdict,
  seen: object,
): CallOutcome {
  const output = { check: config.check, verdict, ...seen }
  return { kind: 'done', path: verdict, output, vars: { [nodeId]: output } }
}

async function verifyUrl(
  { outbound, allowsPlainHttp }: CallDeps,
  due: DueCall<VerifyConfig>,
  url: string,
): Promise<CallOutcome> {
  const outcome = await outbound.request({
    method: 'GET',
    url,
    headers: { range: `bytes=0-${READ_BYTES_MAX - 1}` },
    purpose: 'playbook-verify',
    timeoutMs: TIMEOUT_MS,
    maxBytes: READ_BYTES_MAX,
    // A page is judged by its begin, also where its server ignores Range.
    longBody: 'cut',
    redirectsMax: 0,
    allowHttp: allowsPlainHttp(url) || isPublicHttp(url),
    signal: due.signal,
  })
  if (outcome.kind !== 'answer') return conclude(due, 'unknown', { cause: outcome.reason })
  const { status } = outcome
  return conclude(due, classifyPage(outcome, due.config.text), { status })
}

// Reported pages are often on plain HTTP. Nothing secret is sent, and the guard checks addresses.
function isPublicHttp(url: string): boolean {
  return URL.parse(url)?.protocol === 'http:'
}

function classifyPage({ status, body }: OutboundAnswer, text: string | undefined): Verdict {
  if (GONE.includes(status)) return 'clean'
  if (status < 200 || status >= 300) return 'unknown'
  return text === undefined || body.toString('utf8').includes(text) ? 'still_abusive' : 'clean'
}

async function verifyHost(
  { outbound }: CallDeps,
  due: DueCall<VerifyConfig>,
  host: string,
): Promise<CallOutcome> {
  const { check, port, addresses } = due.config
  const outcome = await outbound.probe({
    host,
    port: check === 'tcp' ? (port ?? null) : null,
    timeoutMs: TIMEOUT_MS,
    signal: due.signal,
  })
  switch (outcome.kind) {
    case 'nameless':
    case 'closed':
      return conclude(due, 'clean', { found: outcome.kind })
    case 'open':
      return conclude(due, 'still_abusive', { found: outcome.kind })
    case 'addresses': {
      const isThere =
        addresses === undefined || outcome.addresses.some((one) => addresses.includes(one))
      return conclude(due, isThere ? 'still_abusive' : 'clean', { found: outcome.addresses })
    }
    case 'refused':
    case 'failed':
      return conclude(due, 'unknown', { cause: outcome.reason })
  }
}
