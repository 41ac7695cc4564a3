// Renders a notice: the template of its name and language, over what its profile may show, and then
// without any address of a reporter or a trap that came in by a text of somebody.

import type { Db } from '../../kernel/db/database.ts'
import type { FieldProblem } from '../../values/field-problem.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { buildView, listAddresses, type NoticeContent, removeAddresses } from './build-view.ts'
import type { NoticeParty, NoticePurpose, RedactionProfile } from './notice.ts'
import { findTraps, listShownEvents, type ShownCase } from './notice-view-store.ts'
import { renderTemplate, SUBJECT_LENGTH_MAX, TEXT_LENGTH_MAX } from './template-engine.ts'
import { findTemplate } from './template-store.ts'
import { type ParsedTemplate, readTemplate, type TemplateText } from './template-variables.ts'

export interface ChosenTemplate extends TemplateText {
  readonly name: string
  readonly language: string
  readonly purpose: NoticePurpose
  readonly profile: RedactionProfile
}

const FALLBACK_LANGUAGE = 'en'

/**
 * The active template of this name in the language, else in the language without its region, else
 * in English; null when there is none.
 */
export async function chooseTemplate(
  db: Db,
  scope: TenantScope,
  name: string,
  language: string,
): Promise<ChosenTemplate | null> {
  const wanted = language.toLowerCase()
  for (const one of new Set([wanted, wanted.replace(/-.*$/, ''), FALLBACK_LANGUAGE])) {
    // At most three.
    // oxlint-disable-next-line eslint/no-await-in-loop
    const found = await findTemplate(db, scope, name, one)
    if (found?.isActive === true) return found
  }
  return null
}

export interface RenderRequest {
  readonly template: TemplateText & { readonly profile: RedactionProfile }
  /** Null for a digest. */
  readonly case: ShownCase | null
  readonly party: NoticeParty
  readonly recipient: string | null
  readonly content: NoticeContent
}

export type RenderedNotice =
  | { readonly kind: 'rendered'; readonly subject: string; readonly text: string }
  | { readonly kind: 'trouble'; readonly problems: readonly FieldProblem[] }

export async function renderNotice(
  db: Db,
  scope: TenantScope,
  { template, case: one, party, recipient, content }: RenderRequest,
): Promise<RenderedNotice> {
  const problems: FieldProblem[] = []
  const parsed = readOnce(template, problems)
  if (parsed === null) return { kind: 'trouble', problems }
  const reporter = party === 'reporter' ? recipient : null
  const events = one === null ? [] : await listShownEvents(db, scope, one.id, reporter)
  const view = buildView(template.profile, one, events, content)
  const subject = renderTemplate(parsed.subject, view, TEXT_LENGTH_MAX)
  const body = renderTemplate(parsed.body, view, TEXT_LENGTH_MAX)
  if (subject.kind === 'trouble') problems.push({ path: '/subject', reason: subject.reason })
  if (body.kind === 'trouble') problems.push({ path: '/body', reason: body.reason })
  if (subject.kind === 'trouble' || body.kind === 'trouble') return { kind: 'trouble', problems }
  const hidden = await findHidden(db, scope, `${subject.text}\n${body.text}`, {
    reporters:
      template.profile === 'authority'
        ? []
        : [...(one?.eventReporters ?? []), ...events.map(({ senderEmail }) => senderEmail)],
    recipient,
  })
  return {
    kind: 'rendered',
    subject: cleanLine(removeAddresses(subject.text, hidden)),
    text: cleanText(removeAddresses(body.text, hidden)),
  }
}

// To read a template takes 0.6 to 4.5 ms, to render it 0.2 ms; a batch of notices has few.
const READ_MAX = 200
const read = new Map<string, ParsedTemplate>()

function readOnce(
  template: RenderRequest['template'],
  problems: FieldProblem[],
): ParsedTemplate | null {
  const key = JSON.stringify([template.profile, template.subject, template.body])
  const known = read.get(key)
  if (known !== undefined) return known
  const parsed = readTemplate(template, template.profile, problems)
  if (parsed === null) return null
  if (read.size >= READ_MAX) read.clear()
  read.set(key, parsed)
  return parsed
}

/** A trap is never shown; a reporter is shown to authorities and to himself. */
async function findHidden(
  db: Db,
  scope: TenantScope,
  text: string,
  { reporters, recipient }: { reporters: readonly string[]; recipient: string | null },
): Promise<ReadonlySet<string>> {
  const addresses = listAddresses(text)
  const traps = await findTraps(db, scope, addresses)
  const hidden = new Set(reporters.map((one) => one.toLowerCase()))
  if (recipient !== null) hidden.delete(recipient.toLowerCase())
  return new Set(addresses.filter((one) => traps.has(one) || hidden.has(one)))
}

/** A header of one line, whatever the values held. */
export function cleanLine(text: string): string {
  const line = text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
  return Array.from(line).slice(0, SUBJECT_LENGTH_MAX).join('')
}

// Line ends and tabs stay; three empty lines are the traces of blocks of the template.
function cleanText(text: string): string {
  return text
    .replaceAll(/\r\n?|[\u2028\u2029]/g, '\n')
    .replaceAll(/[^\P{Cc}\n\t]|[\u202A-\u202E\u2066-\u2069]/gu, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}
