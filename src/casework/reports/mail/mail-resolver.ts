// The DNS queries of one mail for SPF, DKIM, DMARC and ARC: limited in number and time, and
// cancelled together.

import { promises as dns } from 'node:dns'
import { settingsNotUsable } from '../../../kernel/errors.ts'

export interface MailResolver {
  /** The interface that mailauth expects: the records of one type, or the resolver's error. */
  readonly resolve: (name: string, type: string) => Promise<string[][] | string[]>
  /** True when a query was answered, also by "no such record". */
  readonly wasAnswered: () => boolean
  readonly cancel: () => void
}

const TRY_TIMEOUT_MS = 1_500
const TRIES = 2
// SPF alone may look up ten terms with some names each (RFC 7208 section 4.6.4). This limit is for
// all four checks together.
const QUESTIONS_MAX = 60
const ABSENT_CODES: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA'])

/**
 * An empty list means the servers of the system. Throws settingsNotUsable when a server is no
 * address.
 */
export function openMailResolver(servers: readonly string[]): MailResolver {
  const resolver = new dns.Resolver({ timeout: TRY_TIMEOUT_MS, tries: TRIES })
  if (servers.length > 0) {
    try {
      resolver.setServers([...servers])
    } catch (error) {
      throw settingsNotUsable([
        `CASEWORK_DNS_SERVERS must list addresses such as 192.0.2.53 or [2001:db8::53]:5353, not ${servers.join(',')} (${String(error)})`,
      ])
    }
  }
  let questions = 0
  let isAnswered = false
  return {
    async resolve(name, type) {
      questions += 1
      if (questions > QUESTIONS_MAX) {
        throw Object.assign(new Error('Too many questions for one mail'), { code: 'EREFUSED' })
      }
      try {
        // mailauth queries A, AAAA, MX, TXT, PTR and CNAME only, and their answers have these
        // types.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        const records = (await resolver.resolve(name, type)) as string[][] | string[]
        isAnswered = true
        return records
      } catch (error) {
        const code =
          typeof error === 'object' && error !== null && 'code' in error ? error.code : ''
        if (ABSENT_CODES.has(String(code))) isAnswered = true
        throw error
      }
    },
    wasAnswered: () => isAnswered,
    cancel: () => resolver.cancel(),
  }
}
