// The kinds of mail that report nothing, each with the name of the rule that recognises it, and the
// place in the mail of the words by which it did.

import type { ReadableText } from '../../mail/mail.ts'
import type { Finding } from '../../reading.ts'
import { foldText } from '../../words/fold-text.ts'

/** By the kind, as a reason says it: `an automatic reply`. */
export const VERDICT_RULES = {
  'a lure for the reader': 'lure',
  'a newsletter or an advertisement': 'advertisement',
  'a notice of a closed ticket': 'closed-ticket',
  'a notice of a mail system': 'mail-system',
  'a notice of an end': 'end-of-matter',
  'a notice of maintenance': 'maintenance',
  'a pointer to a report that lies elsewhere': 'report-elsewhere',
  'a request for a reward': 'reward',
  'a request to be removed or unblocked': 'removal-request',
  'a survey': 'survey',
  'a word of thanks': 'thanks',
  'about a payment': 'payment',
  'about mail that does not arrive': 'undelivered-mail',
  'an acknowledgement of receipt': 'acknowledgement',
  'an answer to a notice': 'answer-to-notice',
  'an answer to an earlier report': 'answer-to-report',
  'an automatic reply': 'automatic-reply',
  empty: 'empty-mail',
  'no complaint': 'no-complaint',
  'the digest of a mailing list': 'list-digest',
  'the status of a matter': 'status-of-matter',
  'the withdrawal of a report': 'withdrawal',
} as const

export type RefusalKind = keyof typeof VERDICT_RULES

type Place = Pick<Finding, 'part' | 'line' | 'excerpt'>

const LINES_SEARCHED_MAX = 2_000
const EXCERPT_LENGTH_MAX = 200

/** The line of the mail that holds the folded words, as the mail has it; null when none does. */
export function locateWords(
  texts: readonly ReadableText[],
  words: string,
  isSubject: boolean,
): Place | null {
  if (words === '') return null
  for (const { part, kind, lines } of texts) {
    if ((kind === 'subject') !== isSubject) continue
    for (const [index, line] of lines.slice(0, LINES_SEARCHED_MAX).entries()) {
      const at = foldText(line).indexOf(words)
      if (at === -1) continue
      // Folding changes the length of few letters, so the place is near.
      const from = line.length <= EXCERPT_LENGTH_MAX ? 0 : Math.max(0, at - 80)
      return { part, line: index + 1, excerpt: line.slice(from, from + EXCERPT_LENGTH_MAX).trim() }
    }
  }
  return null
}
