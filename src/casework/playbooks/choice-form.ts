// The form of a manual node: the fields that a person fills in, and the check of what was sent.

import { type Static, Type } from 'typebox'
import type { FieldProblem } from '../../values/field-problem.ts'
import { addProblem, isStorableText, joinPointer } from '../../values/json-value.ts'
import type { ConfigReading } from './node-kind.ts'

const FIELDS_MAX = 30
const OPTIONS_MAX = 100
const TEXT_LENGTH_MAX = 4_000
const LABEL_LENGTH_MAX = 200
// A quarter of what a token may keep in its vars.
const FORM_BYTES_MAX = 16_384
const FIELD_NAME = /^[a-z][a-z0-9_]{0,63}$/
const TYPES = ['text', 'number', 'boolean', 'date', 'choice', 'choices'] as const

const Label = Type.String({ minLength: 1, maxLength: LABEL_LENGTH_MAX })

export const FormMember = Type.Array(
  Type.Object(
    {
      name: Type.String({
        description: 'The name of the value: lower-case letters, digits and underscores.',
      }),
      type: Type.Union(
        TYPES.map((type) => Type.Literal(type)),
        {
          description:
            'text of at most 4,000 characters; number; boolean; date such as 2027-01-31; choice of one option; choices of any of them.',
        },
      ),
      label: Type.Optional(
        Type.String({
          ...Label,
          description: 'For people; the name when left out.',
        }),
      ),
      required: Type.Optional(
        Type.Union([Type.Boolean(), Type.Array(Type.String(), { minItems: 1 })], {
          default: false,
          description: 'Whether it must be filled in, or for which paths.',
        }),
      ),
      options: Type.Optional(
        Type.Array(
          Type.Object(
            { value: Label, label: Type.Optional(Label) },
            { additionalProperties: false },
          ),
          {
            minItems: 1,
            maxItems: OPTIONS_MAX,
            description: 'What choice and choices offer, with a label for people.',
          },
        ),
      ),
    },
    { additionalProperties: false },
  ),
  {
    maxItems: FIELDS_MAX,
    description:
      'Fields that go along with the choice of a path. `POST …/decisions` takes their values.',
  },
)

export interface FormField {
  readonly name: string
  readonly type: (typeof TYPES)[number]
  readonly label: string
  /** The paths that need it. */
  readonly requiredFor: readonly string[]
  /** Empty but for choice and choices. */
  readonly options: readonly { readonly value: string; readonly label: string }[]
}

/** By name: every field of the form, and null for one that was left empty. */
export type FormValues = Readonly<Record<string, FormValue>>
type FormValue = string | number | boolean | readonly string[] | null

/** Null when a problem was told. */
export function readForm(
  given: Static<typeof FormMember>,
  paths: readonly string[],
  reading: ConfigReading,
): readonly FormField[] | null {
  const fields: FormField[] = []
  for (const [at, entry] of given.entries()) {
    const place = `form/${at}`
    if (fields.some((field) => field.name === entry.name)) {
      return reading.refuse(`${place}/name`, 'is the name of another field too')
    }
    const field = readField(entry, place, paths, reading)
    if (field === null) return null
    fields.push(field)
  }
  return fields
}

function readField(
  { name, type, label = name, required = false, options = [] }: Static<typeof FormMember>[number],
  place: string,
  paths: readonly string[],
  { refuse }: ConfigReading,
): FormField | null {
  if (!FIELD_NAME.test(name)) {
    return refuse(
      `${place}/name`,
      'must be 1 to 64 lower-case letters, digits and underscores, a letter first',
    )
  }
  const requiredFor = listRequired(required, paths)
  const unknown = requiredFor.findIndex((path) => !paths.includes(path))
  if (unknown !== -1) return refuse(`${place}/required/${unknown}`, 'is no path of this node')
  const needsOptions = type === 'choice' || type === 'choices'
  if (needsOptions !== options.length > 0) {
    return refuse(
      `${place}/options`,
      needsOptions ? 'are missing' : 'belong to choice and choices only',
    )
  }
  const values = options.map(({ value }) => value)
  const twice = values.findIndex((value, index) => values.indexOf(value) < index)
  if (twice !== -1) return refuse(`${place}/options/${twice}/value`, 'is there twice')
  const labelled = options.map((one) => ({ value: one.value, label: one.label ?? one.value }))
  return { name, type, label, requiredFor, options: labelled }
}

function listRequired(
  required: boolean | readonly string[],
  paths: readonly string[],
): readonly string[] {
  if (typeof required !== 'boolean') return required
  return required ? paths : []
}

export type FormCheck =
  | { readonly kind: 'valid'; readonly values: FormValues }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] }

/**
 * Checks what was sent with the choice of a path; problems are placed below `/form`. Null, an empty
 * text and an empty list are a field that was left empty.
 */
export function checkForm(
  fields: readonly FormField[],
  path: string,
  given: Readonly<Record<string, unknown>>,
): FormCheck {
  const problems: FieldProblem[] = []
  for (const name of Object.keys(given)) {
    if (fields.some((field) => field.name === name)) continue
    addProblem(problems, joinPointer('/form', name), 'is no field of this form')
  }
  const values: Record<string, FormValue> = {}
  for (const field of fields) {
    const value = Object.hasOwn(given, field.name) ? given[field.name] : null
    const isEmpty = value === null || value === '' || (Array.isArray(value) && value.length === 0)
    const read = isEmpty ? null : readFieldValue(field, value)
    if (isReason(read)) {
      addProblem(problems, `/form/${field.name}`, read.reason)
    } else if (read === null && field.requiredFor.includes(path)) {
      addProblem(problems, `/form/${field.name}`, 'is missing')
    } else values[field.name] = read
  }
  if (problems.length > 0) return { kind: 'invalid', problems }
  if (Buffer.byteLength(JSON.stringify(values)) <= FORM_BYTES_MAX) return { kind: 'valid', values }
  const reason = `must be at most ${FORM_BYTES_MAX} bytes of JSON`
  return { kind: 'invalid', problems: [{ path: '/form', reason }] }
}

/** Why a value does not fit its field. */
interface Reason {
  readonly reason: string
}

function isReason(read: FormValue | Reason): read is Reason {
  return typeof read === 'object' && read !== null && 'reason' in read
}

function readFieldValue({ type, options }: FormField, value: unknown): FormValue | Reason {
  const isOption = (one: unknown) => options.some((option) => option.value === one)
  switch (type) {
    case 'text':
      if (typeof value !== 'string') return { reason: 'must be a text' }
      if (value.length > TEXT_LENGTH_MAX) {
        return { reason: `must have at most ${TEXT_LENGTH_MAX} characters` }
      }
      return isStorableText(value) ? value : { reason: 'has U+0000 or a lone surrogate' }
    case 'number':
      return typeof value === 'number' ? value : { reason: 'must be a number' }
    case 'boolean':
      return typeof value === 'boolean' ? value : { reason: 'must be true or false' }
    case 'date':
      return typeof value === 'string' && isDate(value)
        ? value
        : { reason: 'must be a date such as 2027-01-31' }
    case 'choice':
      return typeof value === 'string' && isOption(value)
        ? value
        : { reason: 'must be one of the options' }
    case 'choices': {
      if (!Array.isArray(value) || !value.every(isOption)) {
        return { reason: 'must be a list of options' }
      }
      const texts = value.map(String)
      return new Set(texts).size === texts.length ? texts : { reason: 'has an option twice' }
    }
  }
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const at = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}
