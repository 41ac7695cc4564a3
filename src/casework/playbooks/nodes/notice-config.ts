// What the nodes that send a notice have in common in their config: the template, its language, the
// contact, and the text and values that the playbook adds.

import { Type } from 'typebox'
import { isEmailAddress } from '../../../values/email.ts'
import { isStorableText } from '../../../values/json-value.ts'
import type { NoticeRequest } from '../../notices/queue-notice.ts'
import { Language, TemplateName } from '../../notices/template-wire.ts'
import type { ConfigReading } from '../node-kind.ts'
import { nameOf } from './reference-config.ts'
import {
  type ConfigValue,
  readValue,
  type ValueReader,
  ValueTrouble,
  valueOf,
} from './value-config.ts'

const TEXT_LENGTH_MAX = 10_000
const VARS_MAX = 50
// A rendered mail has at most 100,000 characters.
const VARS_BYTES_MAX = 16_384
const CONTACT_PURPOSE_LENGTH_MAX = 50
const LANGUAGE = /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,4}$/

export function templateOf(description: string) {
  return nameOf('template', { ...TemplateName, description })
}

export const NOTICE_MEMBERS = {
  language: Type.Optional(
    valueOf(Language, 'BCP 47, such as de. When left out, that of the contact, else English.'),
  ),
  text: Type.Optional(
    valueOf(Type.String({ maxLength: TEXT_LENGTH_MAX }), 'Shown where the template has `text`.'),
  ),
  urgent: Type.Optional(
    Type.Boolean({ description: 'True: the limit of a day does not hold it back.' }),
  ),
  evidence: Type.Optional(
    Type.Boolean({
      description: 'True: what the reports enclose goes along, redacted by the profile.',
    }),
  ),
  vars: Type.Optional(
    Type.Record(
      Type.String({ pattern: '^[a-z][a-z0-9_]{0,49}$' }),
      valueOf(Type.Union([Type.String(), Type.Number(), Type.Boolean()]), 'A value.'),
      {
        maxProperties: VARS_MAX,
        description: 'Shown where the template has `vars.<name>`. No other vars are shown.',
      },
    ),
  ),
}

/** A party by its word, or an address. */
export const RecipientText = Type.String({ minLength: 3, maxLength: 254 })

export const ContactPurposeMember = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: CONTACT_PURPOSE_LENGTH_MAX,
    description: 'Which contact of the customer: abuse when left out.',
  }),
)

/** A notice as a node asks for it; the rest is that of the effect. */
export type NoticePlan = Pick<
  NoticeRequest,
  | 'template'
  | 'party'
  | 'recipient'
  | 'language'
  | 'contactPurpose'
  | 'text'
  | 'reasons'
  | 'vars'
  | 'isUrgent'
  | 'hasEvidence'
>

/** The part of a plan that NOTICE_MEMBERS give. Throws ValueTrouble. */
export type PlanContent = (
  values: ValueReader,
) => Pick<NoticePlan, 'language' | 'text' | 'vars' | 'isUrgent' | 'hasEvidence'>

type Given = { readonly [Name in keyof typeof NOTICE_MEMBERS]?: unknown }

/** Null when there is a problem, which is told. */
export function readNoticeContent(
  { language, text, vars, urgent, evidence }: Given,
  reading: ConfigReading,
): PlanContent | null {
  if (typeof text === 'string' && !isStorableText(text)) {
    return reading.refuse('text', 'has U+0000 or a lone surrogate')
  }
  const languageValue = findValue(language, 'language', reading)
  const textValue = findValue(text, 'text', reading)
  const varValues = readValues(vars, 'vars', reading)
  if (languageValue === 'refused' || textValue === 'refused' || varValues === null) return null
  return (values) => ({
    language: languageValue === null ? null : readLanguage(values.readText(languageValue)),
    text: textValue === null ? '' : readStorable(values.readText(textValue)),
    vars: readBounded(values, varValues),
    isUrgent: urgent === true,
    hasEvidence: evidence === true,
  })
}

/** Null for a member that is left out. */
export function findValue(
  given: unknown,
  field: string,
  reading: ConfigReading,
): ConfigValue | null | 'refused' {
  if (given === undefined) return null
  return readValue(given, field, reading) ?? 'refused'
}

/** Values by name; null when one is refused. */
function readValues(
  given: unknown,
  field: string,
  reading: ConfigReading,
): readonly (readonly [string, ConfigValue])[] | null {
  const values: (readonly [string, ConfigValue])[] = []
  for (const [name, one] of Object.entries(given ?? {})) {
    const value = readValue(one, [field, name], reading)
    if (value === null) return null
    values.push([name, value])
  }
  return values
}

function readBounded(
  values: ValueReader,
  named: readonly (readonly [string, ConfigValue])[],
): Readonly<Record<string, unknown>> {
  const vars = Object.fromEntries(named.map(([name, value]) => [name, values.read(value)]))
  if (Buffer.byteLength(JSON.stringify(vars)) <= VARS_BYTES_MAX) return vars
  throw new ValueTrouble(`the vars are larger than ${VARS_BYTES_MAX} bytes`)
}

function readLanguage(text: string): string | null {
  if (text === '') return null
  if (LANGUAGE.test(text)) return text
  throw new ValueTrouble('the expression gives no language')
}

export function readStorable(text: string): string {
  if (text.length > TEXT_LENGTH_MAX) {
    throw new ValueTrouble(`the expression gives more than ${TEXT_LENGTH_MAX} characters`)
  }
  return text.replaceAll('\0', '').toWellFormed()
}

/** Null when it is neither one of the words nor an address, which is told. */
export function readRecipient(
  given: unknown,
  words: readonly string[],
  reading: ConfigReading,
): ConfigValue | null {
  if (typeof given === 'string' && !words.includes(given) && !isEmailAddress(given)) {
    return reading.refuse('to', `must be ${words.join(', ')}, or an address`)
  }
  return readValue(given, 'to', reading)
}

export function choosePartyOf(recipient: string): Pick<NoticePlan, 'party' | 'recipient'> {
  return recipient === 'customer' || recipient === 'reporter'
    ? { party: recipient }
    : { party: 'other', recipient }
}
