// Labels that name people instead of machines. `Our customers: 192.0.2.1` is a target; `our
// customers are being phished at …` tells what befell them, and what follows is where.

import type { FoundLabel } from '../occurrences/find-label.ts'

const PEOPLE =
  'customer|client|user|victim|recipient|visitor|member|student|kunde|nutzer|opfer|empfänger|victime|utilisateur|víctima|usuari|cliente|vittim|utent|vítima|slachtoffer|klant|gebruiker|жертв|получател|клиент'
const BEFELL =
  'who|that|which|are|were|is|was|have|has|had|get|gets|got|receives?|received|report|reported|lands?|lose|lost|fall|fell|told|tell|die|der|denen|werden|wurden|sind|haben|erhalten|bekommen|landen|geben|sont|ont|reçoivent|arrivent|son|están|han|fueron|reciben|sono|hanno|ricevono|vengono|são|estão|foram|recebem|worden|zijn|krijgen|hebben|получают|попадают'
const TOLD_OF_PEOPLE = new RegExp(
  `^(?:\\p{L}{1,12} )?\\p{L}{0,12}(?:${PEOPLE})\\p{L}{0,6} {1,3}(?:${BEFELL})(?!\\p{L})`,
  'iu',
)

/**
 * True when a verb behind the label says what happened to people; false for every label of a
 * machine.
 */
export function isSufferer({ label, at }: FoundLabel, text: string): boolean {
  return label === 'target' && TOLD_OF_PEOPLE.test(text.slice(at, at + 80))
}
