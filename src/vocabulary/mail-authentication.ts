// The results of sender authentication of a mail: SPF (RFC 7208), DKIM (RFC 6376), DMARC (RFC 9989)
// and ARC (RFC 8617), in the words of RFC 8601.

import type { JsonObject } from '../values/json-value.ts'

export interface MailCheck {
  /**
   * `pass`, `fail`, `softfail`, `neutral`, `none`, `policy`, `temperror` or `permerror`; `skipped`
   * when its input is not known.
   */
  readonly result: string
  /**
   * The domain of the envelope (SPF), of the signature (DKIM, ARC) or of the From header (DMARC).
   */
  readonly domain?: string
}

export interface MailAuthentication {
  readonly spf: MailCheck
  /**
   * The result of the strongest signature: one that passes, preferably of the domain of the From
   * header.
   */
  readonly dkim: MailCheck
  /** `policy` is the policy of the domain: `none`, `quarantine`, `reject`. */
  readonly dmarc: MailCheck & { readonly policy?: string }
  readonly arc: MailCheck
}

/** The four results, as the details of an event have them. */
export function summariseAuthentication(checks: MailAuthentication): JsonObject {
  return {
    spf: checks.spf.result,
    dkim: checks.dkim.result,
    dmarc: checks.dmarc.result,
    arc: checks.arc.result,
  }
}
