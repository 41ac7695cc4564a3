// Webhook: sends one signed message to a URL (Standard Webhooks), about the case and the run.

import { type Static, Type } from 'typebox'
import { isSigningSecret, signMessage } from '../../../kernel/outbound/sign-message.ts'
import { omitNulls } from '../../../values/omit-nulls.ts'
import type { Facts } from '../case-facts.ts'
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
import { classifyAnswer } from './classify-answer.ts'
import { createTemplateView, type JsonTemplate, readJsonTemplate } from './request-template.ts'
import { maskSecret, openSecrets, SecretName } from './secret-config.ts'
import { createValueReader, refuseValue } from './value-config.ts'

const TIMEOUT_MS = 20_000
const ANSWER_BYTES_MAX = 65_536
const MEMBERS_MAX = 50
const BODY_BYTES_MAX = 65_536
const TYPE = 'playbook.message'

const WebhookConfig = Type.Object(
  {
    url: Type.String({
      minLength: 1,
      maxLength: 2_000,
      description: 'An https URL of a public address, or one that CASEWORK_OUTBOUND_ALLOW opens.',
    }),
    secret: SecretName,
    type: Type.Optional(
      Type.String({
        pattern: '^[a-z][a-z0-9_]*(?:\\.[a-z0-9_]+)*$',
        maxLength: 100,
        default: TYPE,
        description: 'The type of the message, of words with full stops.',
      }),
    ),
    data: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        maxProperties: MEMBERS_MAX,
        description:
          'Sent as data.values. A value may be {"cel": "…"}, and strings may have templates as those of api_caller.',
      }),
    ),
  },
  { additionalProperties: false },
)

interface WebhookMessage {
  readonly url: string
  readonly secret: string
  readonly type: string
  readonly data: JsonTemplate
}

export const WEBHOOK = defineNodeKind({
  kind: 'webhook',
  title: 'Webhook',
  description:
    'Sends a message about the case and the run to a URL, signed by Standard Webhooks with a secret of the tenant (`whsec_…`). `webhook-id` is the key of the visit, so that a repeated message counts once. Answers are judged as those of api_caller.',
  config: WebhookConfig,
  read: readMessage,
  paths: () => ['next', 'error'],
  needsFacts: true,
  decide: act,
  call: sendMessage,
  targetUrl: ({ url }) => url,
  simulate: showMessage,
  example: {
    config: {
      url: 'https://hooks.example/casework',
      secret: 'hook-key',
      type: 'case.escalated',
      data: { severity: { cel: 'case.severity' } },
    },
  },
})

function readMessage(
  { url, secret, type = TYPE, data = {} }: Static<typeof WebhookConfig>,
  reading: ConfigReading,
): WebhookMessage | null {
  const parsed = URL.parse(url)
  if (parsed === null || !['https:', 'http:'].includes(parsed.protocol)) {
    return reading.refuse('url', 'must be an absolute https URL')
  }
  const values = readJsonTemplate(data, ['data'], reading)
  return values && { url, secret, type, data: values }
}

async function sendMessage(deps: CallDeps, due: DueCall<WebhookMessage>): Promise<CallOutcome> {
  const { config, scope, key, signal } = due
  const reference = { secret: config.secret }
  const secrets = await openSecrets(deps, scope, [reference])
  if (secrets.kind === 'refused') return secrets
  const secret = secrets.complete(reference)
  if (!isSigningSecret(secret)) {
    return { kind: 'refused', reason: 'secret_cannot_sign', output: { secret: config.secret } }
  }
  const atMs = deps.clock.nowMs()
  const message = writeMessage(due, atMs)
  if (message.kind === 'refused') return message
  const { body } = message
  const isTooLarge = Buffer.byteLength(body) > BODY_BYTES_MAX
  if (isTooLarge) return { kind: 'refused', reason: 'message_too_large' }
  const outcome = await deps.outbound.request({
    method: 'POST',
    url: config.url,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Casework',
      ...signMessage({ id: key, atMs, body }, [secret]),
    },
    body,
    purpose: 'playbook-webhook',
    timeoutMs: TIMEOUT_MS,
    maxBytes: ANSWER_BYTES_MAX,
    redirectsMax: 0,
    allowHttp: deps.allowsPlainHttp(config.url),
    signal,
  })
  return classifyAnswer(outcome, atMs, ({ status }) => ({ kind: 'done', output: { status } }))
}

type WrittenMessage = { readonly kind: 'written'; readonly body: string } | Refused

function writeMessage(
  { config, scope, caseId, runId, nodeId, facts }: Due<WebhookMessage>,
  atMs: number,
): WrittenMessage {
  try {
    const values = config.data.build(createTemplateView(facts), createValueReader(facts))
    const body = JSON.stringify({
      type: config.type,
      timestamp: new Date(atMs).toISOString(),
      data: {
        tenant_id: scope.tenantId,
        case: describeCase(caseId, facts),
        run: { id: runId, playbook_id: facts.run.playbook_id, node: nodeId },
        values,
      },
    })
    return { kind: 'written', body }
  } catch (error) {
    return refuseValue(error)
  }
}

function showMessage(due: Due<WebhookMessage>): SimulatedCall | Refused {
  const message = writeMessage(due, due.now.getTime())
  if (message.kind === 'refused') return message
  const { url, secret } = due.config
  const signedWith = maskSecret({ secret })
  return { kind: 'call', request: { url, signed_with: signedWith, body: JSON.parse(message.body) } }
}

// As messages of subscriptions have it: no addresses of people and no free texts.
function describeCase(id: string, { case: row }: Facts): object {
  return omitNulls({
    id,
    state: row.state,
    severity: row.severity === '' ? null : row.severity,
    case_group: row.case_group,
    customer_id: row.customer_id,
    contract_id: row.contract_id === '' ? null : row.contract_id,
    event_count: Number(row.event_count),
    event_types: row.event_types,
    waiting_on: row.waiting_on,
  })
}
