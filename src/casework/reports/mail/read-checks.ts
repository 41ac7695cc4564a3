// From what mailauth tells of a mail to what is recorded.

import type { AuthenticateResult } from 'mailauth'
import type { MailAuthentication, MailCheck } from '../../../vocabulary/mail-authentication.ts'

// A domain name is no longer; anything that is was made up.
const DOMAIN_LENGTH_MAX = 253

/** `hasClient`: whether the address of the sending host is known, without which there is no SPF. */
export function readChecks(result: AuthenticateResult, hasClient: boolean): MailAuthentication {
  const { spf, dkim, dmarc, arc } = result
  const signatures = dkim.results ?? []
  const best =
    signatures.find(({ status }) => status.result === 'pass' && status.aligned !== false) ??
    signatures.find(({ status }) => status.result === 'pass') ??
    signatures[0]
  return {
    spf: hasClient && spf ? checkOf(spf.status.result, spf.domain) : { result: 'skipped' },
    dkim: best === undefined ? { result: 'none' } : checkOf(best.status.result, best.signingDomain),
    dmarc: dmarc
      ? {
          ...checkOf(dmarc.status.result, dmarc.domain),
          ...(typeof dmarc.policy === 'string' ? { policy: dmarc.policy } : {}),
        }
      : { result: 'none' },
    arc: arc
      ? checkOf(arc.status.result, arc.signature ? arc.signature.signingDomain : null)
      : { result: 'none' },
  }
}

function checkOf(result: string, domain: unknown): MailCheck {
  const isDomain = typeof domain === 'string' && domain !== '' && domain.length <= DOMAIN_LENGTH_MAX
  return isDomain
    ? { result, domain: domain.toLowerCase().toWellFormed().replaceAll('\0', '') }
    : { result }
}
