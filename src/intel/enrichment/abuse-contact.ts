// Finds the abuse contact of an item: in the imported contacts, then in the cache, then in the
// configured DNS zone, then by RDAP (design 4.4, interface 2.3 `abuseContact`). Without any of
// these no question is sent and the member is left out.

import type { ReadinessFinding } from '../../kernel/readiness.ts'
import { type AddressItem } from '../../values/address.ts'
import type { Item } from '../../values/item.ts'
import type { ContactDirectory } from '../contacts/contact-directory.ts'
import type { ContactStatus } from '../contacts/verification/classify-check.ts'
import { ABSENT, type Answer } from '../dns/dns-answer.ts'
import { type Enricher, OFF, type Outcome } from './enrichment-outcome.ts'
import type { ContactAnswerer } from './zone-contacts.ts'

export interface AbuseContact {
  readonly email: string
  readonly status: ContactStatus
  /** Time of the last decision on the status; null before the first. */
  readonly lastVerification: Date | null
}

export interface AbuseContactOptions {
  readonly directory: ContactDirectory
  /** The services to ask, in this order. May be empty. */
  readonly answerers: readonly NamedAnswerer[]
  /** Called with each e-mail address that is shown, so that it is tested. */
  readonly onShown?: (email: string) => void
}

export interface NamedAnswerer extends ContactAnswerer {
  /** The name of the service in `/readyz`: completes "asked for the rest: …". */
  readonly description: string
}

export interface AbuseContacts extends Enricher<AbuseContact> {
  readonly check: () => ReadinessFinding
}

export function createAbuseContacts(options: AbuseContactOptions): AbuseContacts {
  const { directory, answerers, onShown } = options
  const show = (email: string): Outcome<AbuseContact> => {
    onShown?.(email)
    const verdict = directory.findVerdict(email)
    return {
      kind: 'found',
      value: {
        email,
        status: verdict?.status ?? 'UNKNOWN',
        lastVerification: verdict?.lastVerification ?? null,
      },
    }
  }
  const toOutcome = (answer: Answer<string>): Outcome<AbuseContact> =>
    answer.kind === 'found' ? show(answer.value) : answer
  const answerNow = (item: Item): Outcome<AbuseContact> | null => {
    const email = directory.find(item)
    if (email !== null) return show(email)
    // The contact of a domain is not guessed (RFC 2142 names abuse@): such an address may reach the
    // wrong person.
    if (answerers.length === 0 || item.kind === 'domain') {
      return directory.size() === 0 ? OFF : ABSENT
    }
    const cached = findCached(answerers, item)
    return cached === null ? null : toOutcome(cached)
  }
  return {
    answerNow,
    async ask(item) {
      const known = answerNow(item)
      if (known !== null || item.kind === 'domain') return known ?? OFF
      return toOutcome(await askInTurn(answerers, item))
    },
    whenLate: () => ({ kind: 'failed', reason: 'timeout' }),
    check: () => describeState(directory, answerers),
    close: async () => undefined,
  }
}

/**
 * The answer from the caches alone: a contact that one service has cached, else the common answer
 * when all have one cached, else null.
 */
function findCached(
  answerers: readonly ContactAnswerer[],
  item: AddressItem,
): Answer<string> | null {
  const answers = answerers.map((answerer) => answerer.find(item))
  const known = answers.filter((answer) => answer !== null)
  const found = known.find((answer) => answer.kind === 'found')
  if (found !== undefined) return found
  return known.length === answers.length ? combineAnswers(known) : null
}

async function askInTurn(
  answerers: readonly ContactAnswerer[],
  item: AddressItem,
): Promise<Answer<string>> {
  const answers: Answer<string>[] = []
  for (const answerer of answerers) {
    // The next service learns of the look-up only when the one before has no contact.
    // oxlint-disable-next-line eslint/no-await-in-loop
    const answer = await answerer.ask(item)
    if (answer.kind === 'found') return answer
    answers.push(answer)
  }
  return combineAnswers(answers)
}

// "There is none" needs an answer of all services.
function combineAnswers(answers: readonly Answer<string>[]): Answer<string> {
  return answers.find((answer) => answer.kind === 'failed') ?? ABSENT
}

function describeState(
  directory: ContactDirectory,
  answerers: readonly NamedAnswerer[],
): ReadinessFinding {
  const imported = directory.size()
  if (directory.isFull()) {
    return {
      state: 'degraded',
      detail: `Only ${imported} of the imported abuse contacts are used, the most that a node holds; merge ranges with the same contact.`,
    }
  }
  if (answerers.length === 0 && imported === 0) {
    return {
      state: 'off',
      detail:
        'No abuse contacts are imported and nobody is asked for them, so look-ups leave abuseContact out; send some to PUT /beta/contacts, or set CASEWORK_CONTACT_DNS_ZONE or CASEWORK_CONTACT_RDAP.',
    }
  }
  const asked = answerers.map(({ description }) => description).join(', then ')
  const rest = asked === '' ? '' : `; asked for the rest: ${asked}`
  return { state: 'ok', detail: `Imported abuse contacts: ${imported}${rest}.` }
}
