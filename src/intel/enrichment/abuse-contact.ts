// Whom to tell about abuse of an item: from imported contacts, then from memory, then from the
// configured DNS zone, then from RDAP (design 4.4, interface 2.3 `abuseContact`). Without any of
// these nothing is asked and the member is left out.

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
  /** When the status was decided last; null when it never was. */
  readonly lastVerification: Date | null
}

export interface AbuseContactOptions {
  readonly directory: ContactDirectory
  /**
   * Who is asked, in this order, with the words that `/readyz` says of each. None: nobody is asked.
   */
  readonly answerers: readonly NamedAnswerer[]
  /** Told each e-mail address that is shown, for its test. */
  readonly onShown?: (email: string) => void
}

export interface NamedAnswerer extends ContactAnswerer {
  /** Completes "asked for the rest: …". */
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
    // A contact of a domain is not guessed (RFC 2142 names abuse@): an address nobody gave may
    // reach the wrong person.
    if (answerers.length === 0 || item.kind === 'domain') {
      return directory.size() === 0 ? OFF : ABSENT
    }
    const remembered = recall(answerers, item)
    return remembered === null ? null : toOutcome(remembered)
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
 * What memory says without asking: a contact that any of them remembers, else their verdict if all
 * have one.
 */
function recall(answerers: readonly ContactAnswerer[], item: AddressItem): Answer<string> | null {
  const answers = answerers.map((answerer) => answerer.find(item))
  const known = answers.filter((answer) => answer !== null)
  const found = known.find((answer) => answer.kind === 'found')
  if (found !== undefined) return found
  return known.length === answers.length ? sumUp(known) : null
}

async function askInTurn(
  answerers: readonly ContactAnswerer[],
  item: AddressItem,
): Promise<Answer<string>> {
  const answers: Answer<string>[] = []
  for (const answerer of answerers) {
    // The next is only told what is looked up when the one before knows nothing.
    // oxlint-disable-next-line eslint/no-await-in-loop
    const answer = await answerer.ask(item)
    if (answer.kind === 'found') return answer
    answers.push(answer)
  }
  return sumUp(answers)
}

// "There is none" needs the word of all of them.
function sumUp(answers: readonly Answer<string>[]): Answer<string> {
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
