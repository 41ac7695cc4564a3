// The templates that ship with the program: one for each purpose and language, in
// resources/notices/<language>/<purpose>.liquid. The first line is the subject.

import { readResource } from '../../values/resources.ts'
import { type NoticePurpose, PURPOSES, type RedactionProfile } from './notice.ts'

export const SHIPPED_LANGUAGES = ['en', 'de', 'fr', 'es'] as const

export interface TemplateSettings {
  readonly name: string
  readonly language: string
  readonly purpose: NoticePurpose
  readonly profile: RedactionProfile
  readonly subject: string
  readonly body: string
  readonly isActive: boolean
}

const TO_REPORTERS: ReadonlySet<NoticePurpose> = new Set([
  'receipt',
  'outcome',
  'answer',
  // It shows no case by itself: its notices were redacted for the same recipient.
  'digest',
])

/** Read when they are needed first. */
export const listShippedTemplates: () => readonly TemplateSettings[] = createOnce(() =>
  SHIPPED_LANGUAGES.flatMap((language) => PURPOSES.map((purpose) => read(language, purpose))),
)

export function findShippedTemplate(name: string, language: string): TemplateSettings | null {
  return (
    listShippedTemplates().find((one) => one.name === name && one.language === language) ?? null
  )
}

function read(language: string, purpose: NoticePurpose): TemplateSettings {
  const text = readResource(`notices/${language}/${purpose}.liquid`)
  const end = text.indexOf('\n')
  return {
    name: purpose,
    language,
    purpose,
    profile: TO_REPORTERS.has(purpose) ? 'reporter' : 'customer',
    subject: text.slice(0, end).replace(/^Subject: /, ''),
    body: text.slice(end + 1).trimStart(),
    isActive: true,
  }
}

function createOnce<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
