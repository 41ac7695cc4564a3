// The text of mails about accounts, in English and German. Plain text: a link, what it is for, and
// how long it is good.

import type { MailLanguage } from '../../vocabulary/mail-language.ts'
import type { AccountMail } from './account-mail-store.ts'

export interface AccountMailParts {
  readonly kind: AccountMail['kind']
  readonly language: MailLanguage
  readonly name: string
  readonly link: string
  readonly expiresAt: Date
  /** Of the tenant of an invitation. */
  readonly tenantName: string | null
}

export interface WrittenMail {
  readonly subject: string
  readonly text: string
}

export function writeAccountMail(parts: AccountMailParts): WrittenMail {
  const { kind, language } = parts
  const name = oneLine(parts.name)
  const tenant = oneLine(parts.tenantName ?? '')
  const until = `${parts.expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const { subject, lines } = TEXTS[language][kind]({ name, tenant, until, link: parts.link })
  return { subject, text: `${lines.join('\n\n')}\n` }
}

/** A name is written by people, and a line of its own could pass for a part of our text. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').trim()
}

interface Values {
  readonly name: string
  readonly tenant: string
  readonly until: string
  readonly link: string
}

type Write = (values: Values) => { readonly subject: string; readonly lines: readonly string[] }

const TEXTS: Readonly<Record<MailLanguage, Readonly<Record<AccountMail['kind'], Write>>>> = {
  en: {
    invitation: ({ name, tenant, until, link }) => ({
      subject: `Invitation to work for ${tenant}`,
      lines: [
        `Hello ${name},`,
        `you are invited to work for ${tenant} in Casework. Open this link to accept. It is good once, until ${until}.`,
        link,
        'If you did not expect this mail, do nothing: nobody comes in without the link.',
      ],
    }),
    reset: ({ name, until, link }) => ({
      subject: 'A new password for Casework',
      lines: [
        `Hello ${name},`,
        `somebody, most likely you, asked for a new password for your account. Choose it by this link. It is good once, until ${until}.`,
        link,
        'If it was not you, do nothing: your password stays as it is.',
      ],
    }),
  },
  de: {
    invitation: ({ name, tenant, until, link }) => ({
      subject: `Einladung zur Arbeit für ${tenant}`,
      lines: [
        `Guten Tag ${name},`,
        `Sie sind eingeladen, in Casework für ${tenant} zu arbeiten. Öffnen Sie diesen Link, um anzunehmen. Er gilt einmal und bis ${until}.`,
        link,
        'Wenn Sie diese Mail nicht erwartet haben, tun Sie nichts: Ohne den Link kommt niemand hinein.',
      ],
    }),
    reset: ({ name, until, link }) => ({
      subject: 'Ein neues Passwort für Casework',
      lines: [
        `Guten Tag ${name},`,
        `jemand, wahrscheinlich Sie, hat ein neues Passwort für Ihr Konto verlangt. Wählen Sie es mit diesem Link. Er gilt einmal und bis ${until}.`,
        link,
        'Wenn Sie es nicht waren, tun Sie nichts: Ihr Passwort bleibt, wie es ist.',
      ],
    }),
  },
}
