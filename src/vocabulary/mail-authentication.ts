// What the transport of a mail can prove of its sender: SPF (RFC 7208), DKIM (RFC 6376), DMARC (RFC
// 9989) and ARC (RFC 8617), in the words of RFC 8601.

import type { JsonObject } from '../values/json-value.ts'

export interface MailCheck {
  /**
   * `pass`, `fail`, `softfail`, `neutral`, `none`, `policy`, `temperror` or `permerror`; `skipped`
   * when what it needs is not known.
   */
  readonly result: string
  /** Whose: of the envelope (SPF), of the signature (DKIM, ARC), of the From header (DMARC). */
  readonly domain?: string
}

export interface MailAuthentication {
  readonly spf: MailCheck
  /**
   * Of the signature that says most: one that passes, and is of the From header's domain if there
   * is one.
   */
  readonly dkim: MailCheck
  /** `policy` is what the domain asks for: `none`, `quarantine`, `reject`. */
  readonly dmarc: MailCheck & { readonly policy?: string }
  readonly arc: MailCheck
}

/** The four words, as they stand in the details of an event. */
export function summariseAuthentication(checks: MailAuthentication): JsonObject {
  return {
    spf: checks.spf.result,
    dkim: checks.dkim.result,
    dmarc: checks.dmarc.result,
    arc: checks.arc.result,
  }
}
