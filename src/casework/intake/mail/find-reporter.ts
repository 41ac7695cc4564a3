// Who reports, when a list, a forwarder or a helpdesk stands between: the author, as a person reading the mail would name it.

import { isEmailAddress } from '../../model/email-address.ts'
import type { ReportContext, ReportParty } from '../report.ts'
import type { Mail } from './mail.ts'

export interface FoundReporter extends ReportParty {
  /** Where it was found and why, a sentence. */
  readonly how: string
}

/** Null when the mail names nobody and there is no fallback. */
export function findReporter(mail: Mail, context: ReportContext): FoundReporter | null {
  const from = mail.from.find(({ address }) => isEmailAddress(address))
  const address = from?.address ?? context.fallbackReporter
  if (address === null || address === undefined) return null
  return {
    org: from?.displayName ?? '',
    contact: address,
    domain: address.slice(address.lastIndexOf('@') + 1).toLowerCase(),
    how: 'The header From.',
  }
}
