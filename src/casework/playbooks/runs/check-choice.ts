// Whether a caller may choose a path of a waiting node, and whether the choice needs a second
// person. Pure; accept-trigger.ts writes what it says.

import type { FieldProblem } from '../../../values/field-problem.ts'
import { ROLE_SCOPES, type Scope } from '../../../vocabulary/scopes.ts'
import {
  type ChoiceDemands,
  type ChoiceMemo,
  type FirstDecision,
  readChoiceMemo,
} from '../choice-demands.ts'
import { checkForm, type FormValues } from '../choice-form.ts'

export interface SentChoice {
  readonly path: string
  /** Null where the caller sends none. */
  readonly form: Readonly<Record<string, unknown>> | null
  /** `token:<id>`. */
  readonly by: string
  readonly at: Date
}

export type ChoiceCheck =
  /** The token is to move; `form` is kept for the history. */
  | { readonly kind: 'chosen'; readonly memo: ChoiceMemo; readonly form: FormValues | null }
  /** A second person must choose the same. */
  | { readonly kind: 'first'; readonly memo: ChoiceMemo; readonly form: FormValues | null }
  /** The caller has said the same already. */
  | { readonly kind: 'repeated' }
  | { readonly kind: 'form_not_valid'; readonly problems: readonly FieldProblem[] }

/** The first scope of the role that the caller lacks; null when it may choose. */
export function findMissingScope(
  { role }: ChoiceDemands,
  scopes: ReadonlySet<Scope>,
): Scope | null {
  if (role === null) return null
  return ROLE_SCOPES[role].find((scope) => !scopes.has(scope)) ?? null
}

export function checkChoice(
  { form: fields, isFourEyes }: ChoiceDemands,
  memo: object | null,
  choice: SentChoice,
): ChoiceCheck {
  const { first, ...kept } = readChoiceMemo(memo)
  // Who sends no form agrees with that of the first.
  const isSecond = isFourEyes && first !== undefined && first.path === choice.path
  const given = choice.form ?? (isSecond ? first.form : {})
  const checked = checkForm(fields, choice.path, given)
  if (checked.kind === 'invalid') return { kind: 'form_not_valid', problems: checked.problems }
  const { values } = checked
  const form = fields.length === 0 ? null : values
  const chosen = form === null ? kept : { ...kept, form }
  if (!isFourEyes) return { kind: 'chosen', memo: chosen, form }
  if (isSecond && isSameForm(first.form, values)) {
    if (first.by === choice.by) return { kind: 'repeated' }
    return { kind: 'chosen', memo: { ...chosen, first }, form }
  }
  const { path, by, at } = choice
  const next: FirstDecision = { path, by, at: at.toISOString(), form: values }
  return { kind: 'first', memo: { ...kept, first: next }, form }
}

/** Both were checked by the same fields, so their members have one order. */
function isSameForm(a: FormValues, b: FormValues): boolean {
  const names = new Set([...Object.keys(a), ...Object.keys(b)])
  return [...names].every((name) => JSON.stringify(a[name]) === JSON.stringify(b[name]))
}
