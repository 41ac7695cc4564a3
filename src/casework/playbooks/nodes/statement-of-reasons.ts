// Statement of Reasons: tells the customer which restriction was set and why, with the content that
// Regulation (EU) 2022/2065 article 17 paragraph 3 asks for.

import { type Static, Type } from 'typebox'
import { act, type ConfigReading, defineNodeKind } from '../node-kind.ts'
import {
  ContactPurposeMember,
  choosePartyOf,
  findValue,
  NOTICE_MEMBERS,
  RecipientText,
  readNoticeContent,
  readRecipient,
  readStorable,
  templateOf,
} from './notice-config.ts'
import { type NoticeNode, sendNotices } from './send-notice.ts'
import { type ConfigValue, type ValueReader, ValueTrouble, valueOf } from './value-config.ts'

const REASON_LENGTH_MAX = 5_000
const Reason = Type.String({ minLength: 1, maxLength: REASON_LENGTH_MAX, pattern: '\\S' })

// As the article lists them; the template shows them as `reasons.<member>`.
const REASON_MEMBERS = {
  restriction: valueOf(Reason, 'Point a: what was restricted, and how.'),
  scope: Type.Optional(valueOf(Reason, 'Point a: where the restriction holds.')),
  duration: Type.Optional(valueOf(Reason, 'Point a: how long it holds.')),
  facts: valueOf(Reason, 'Point b: the facts and circumstances.'),
  based_on: Type.Optional(
    Type.Union([Type.Literal('report'), Type.Literal('own_investigation')], {
      description: 'Point b: whether somebody reported it.',
    }),
  ),
  automated_detection: valueOf(Type.Boolean(), 'Point c: whether a program found the content.'),
  automated_decision: valueOf(Type.Boolean(), 'Point c: whether a program took the decision.'),
  ground_kind: valueOf(
    Type.Union([Type.Literal('legal'), Type.Literal('contractual')]),
    'legal: point d, illegal content. contractual: point e, against our terms.',
  ),
  ground: valueOf(Reason, 'Points d and e: the law or the clause, and why it applies.'),
  redress: Type.Optional(
    valueOf(
      Reason,
      'Point f: how to contest. When left out, the template names our examination, out-of-court settlement and courts.',
    ),
  ),
}

const StatementConfig = Type.Object(
  {
    ...REASON_MEMBERS,
    to: Type.Optional(
      valueOf(RecipientText, '`customer`, its contact, when left out. Else an address.'),
    ),
    template: Type.Optional(
      templateOf('The name of a template of notices; `statement_of_reasons` when left out.'),
    ),
    contact_purpose: ContactPurposeMember,
    ...NOTICE_MEMBERS,
  },
  { additionalProperties: false },
)

export const STATEMENT_OF_REASONS = defineNodeKind({
  kind: 'statement_of_reasons',
  title: 'Statement of Reasons',
  description:
    'Sends the customer a statement of reasons for a restriction (Digital Services Act, article 17): the restriction, facts, ground, use of automated means, and redress.',
  config: StatementConfig,
  read: readStatement,
  paths: () => ['sent', 'error'],
  needsFacts: true,
  watchesCases: true,
  decide: act,
  apply: sendNotices,
  example: {
    config: {
      restriction: 'The page was taken down.',
      facts: { cel: '"Reported as " + event.event_type' },
      based_on: 'report',
      automated_detection: false,
      automated_decision: false,
      ground_kind: 'contractual',
      ground: 'Section 4 of our terms forbids phishing.',
    },
  },
})

function readStatement(
  config: Static<typeof StatementConfig>,
  reading: ConfigReading,
): NoticeNode | null {
  const { to = 'customer', template = 'statement_of_reasons' } = config
  const recipient = readRecipient(to, ['customer'], reading)
  const content = readNoticeContent(config, reading)
  const reasons: [string, ConfigValue][] = []
  for (const name of Object.keys(REASON_MEMBERS)) {
    const value = findValue(Reflect.get(config, name), name, reading)
    if (value === 'refused') return null
    if (value !== null) reasons.push([name, value])
  }
  if (recipient === null || content === null) return null
  return {
    noticesMax: 1,
    bounceSeconds: null,
    plan(values) {
      const party = choosePartyOf(values.readText(recipient))
      if (party.party === 'reporter') throw new ValueTrouble('a reporter gets no statement')
      return [
        {
          template,
          contactPurpose: config.contact_purpose ?? null,
          ...party,
          ...content(values),
          reasons: Object.fromEntries(
            reasons.map(([name, value]) => [name, readReason(values, name, value)]),
          ),
        },
      ]
    },
  }
}

const GROUND_KINDS: ReadonlySet<string> = new Set(['legal', 'contractual'])

function readReason(values: ValueReader, name: string, value: ConfigValue): string | boolean {
  if (!name.startsWith('automated_')) {
    const text = readStorable(values.readText(value))
    if (text.trim() === '') throw new ValueTrouble(`${name} is empty`)
    if (name !== 'ground_kind' || GROUND_KINDS.has(text)) return text
    throw new ValueTrouble('ground_kind is neither legal nor contractual')
  }
  const given = values.read(value)
  if (typeof given === 'boolean') return given
  throw new ValueTrouble(`${name} is neither true nor false`)
}
