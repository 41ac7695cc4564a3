// Which templates may go to whom, and what they ask for.

import type { Schemas } from 'casework/client'
import type { Party } from './mail-dialog.tsx'

type Template = Schemas['Template']

export interface TemplateChoice {
  readonly name: string
  readonly languages: readonly string[]
  readonly body: string
}

// A digest is made by the program.
const NEVER: readonly string[] = ['digest']

/** As the interface takes them: a customer sees no reporter, an authority sees everything. */
export function chooseTemplates(
  templates: readonly Template[],
  party: Party,
): readonly TemplateChoice[] {
  const found = new Map<string, Template[]>()
  for (const one of templates) {
    if (!one.is_active || NEVER.includes(one.purpose) || !mayGoTo(party, one.profile)) continue
    found.set(one.name, [...(found.get(one.name) ?? []), one])
  }
  return [...found].map(([name, all]) => ({
    name,
    languages: all.map(({ language }) => language),
    body: all[0]?.body ?? '',
  }))
}

function mayGoTo(party: Party, profile: Template['profile']): boolean {
  if (party === 'other' || profile === 'reporter') return true
  return party === 'customer' && profile === 'customer'
}

export function showsText(template: TemplateChoice | undefined): boolean {
  return template === undefined || /[{%][^}]*\btext\b/.test(template.body)
}

const REASONS_MAX = 20

/** What a statement of reasons asks for. */
export function listReasons(template: TemplateChoice | undefined): readonly string[] {
  const names = template?.body.matchAll(/\breasons\.([a-z_]{1,50})/g) ?? []
  return [...new Set([...names].map(([, name = '']) => name))].slice(0, REASONS_MAX)
}
