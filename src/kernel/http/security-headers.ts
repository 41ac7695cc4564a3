// Headers of every answer that keep a browser from doing more with it than read it. A page that is
// shown to people gives a policy of its own in place of this one (RFC 9110; OWASP REST security).

export const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
} as const

/** Names and values in turn, the form that costs Node the least. */
export const SECURITY_HEADER_LIST: readonly string[] = Object.entries(SECURITY_HEADERS).flat()
