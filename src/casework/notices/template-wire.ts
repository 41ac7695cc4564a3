// Templates of notices on the wire.

import { type Static, Type } from 'typebox'
import { omitNulls } from '../../values/omit-nulls.ts'
import { named } from '../../vocabulary/named-schema.ts'
import { pageOf } from '../../vocabulary/page-wire.ts'
import type { TemplateRecord } from './template-store.ts'

/** Characters of a subject or a body, as it is written. */
export const TEMPLATE_LENGTH_MAX = 20_000

export const Purpose = named(
  'TemplatePurpose',
  Type.Union(
    [
      Type.Literal('receipt'),
      Type.Literal('notice'),
      Type.Literal('reminder'),
      Type.Literal('outcome'),
      Type.Literal('statement_of_reasons'),
      Type.Literal('answer'),
      Type.Literal('digest'),
    ],
    {
      description:
        'receipt: to a reporter, that the report came. notice: to the customer, of abuse. reminder: that the case is still open. outcome: to a reporter, how it ended. statement_of_reasons: to the customer, why something was restricted. answer: a text of a person. digest: notices that the limit of a day held back.',
    },
  ),
)

const Profile = named(
  'TemplateProfile',
  Type.Union([Type.Literal('customer'), Type.Literal('reporter'), Type.Literal('authority')], {
    description:
      'What it may show. customer: the case and its events, without reporters. reporter: what the reporter reported, and the state. authority: the reporters too. Addresses of traps are never shown.',
  }),
)

/** BCP 47, in any case; kept in lower case. */
export const Language = Type.String({
  maxLength: 35,
  pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$',
  description: 'BCP 47, such as de or pt-BR.',
})
export const TemplateName = Type.String({
  maxLength: 50,
  pattern: '^[a-z][a-z0-9_-]*$',
  description: 'The template of a purpose is named like the purpose.',
})

const TEXTS = {
  subject: Type.String({
    minLength: 1,
    maxLength: 500,
    pattern: '\\S',
    description: 'LiquidJS; the result is made one line, and begins with the tag of the case.',
  }),
  body: Type.String({
    minLength: 1,
    maxLength: TEMPLATE_LENGTH_MAX,
    pattern: '\\S',
    description: 'LiquidJS; plain text.',
  }),
}

export const TemplateBody = named(
  'NewTemplate',
  Type.Object(
    {
      ...TEXTS,
      purpose: Type.Optional(Purpose),
      profile: Type.Optional(Profile),
      is_active: Type.Optional(
        Type.Boolean({
          description:
            'False: it is not used, as if there were none in this language. True when left out.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
)

export const Template = named(
  'Template',
  Type.Object({
    name: TemplateName,
    language: Type.String(),
    purpose: Purpose,
    profile: Profile,
    subject: Type.String(),
    body: Type.String(),
    is_active: Type.Boolean(),
    is_shipped: Type.Boolean({ description: 'It came with the program and was not replaced.' }),
    version: Type.Optional(Type.Integer()),
    created_at: Type.Optional(Type.String({ format: 'date-time' })),
    updated_at: Type.Optional(Type.String({ format: 'date-time' })),
  }),
)
export const TemplateList = pageOf(Template)

export function presentTemplate(template: TemplateRecord): Static<typeof Template> {
  return omitNulls<Static<typeof Template>>({
    name: template.name,
    language: template.language,
    purpose: template.purpose,
    profile: template.profile,
    subject: template.subject,
    body: template.body,
    is_active: template.isActive,
    is_shipped: template.version === null,
    version: template.version,
    created_at: template.createdAt?.toISOString() ?? null,
    updated_at: template.updatedAt?.toISOString() ?? null,
  })
}

export const PreviewBody = named(
  'TemplatePreviewRequest',
  Type.Object(
    {
      case_id: Type.String(),
      subject: Type.Optional(TEXTS.subject),
      body: Type.Optional(TEXTS.body),
      profile: Type.Optional(Profile),
      text: Type.Optional(Type.String({ maxLength: 10_000 })),
      reasons: Type.Optional(Type.Record(Type.String(), Type.String({ maxLength: 5_000 }))),
      vars: Type.Optional(Type.Object({}, { additionalProperties: true })),
    },
    {
      additionalProperties: false,
      description: 'Subject, body and profile replace those of the stored template.',
    },
  ),
)

export const Preview = named(
  'TemplatePreview',
  Type.Object({ subject: Type.String(), text: Type.String() }),
)
