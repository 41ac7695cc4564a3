// The code of a login as the program shows it: eight letters with a hyphen between.

const HALF = 4

/** Of whatever a person typed: small letters, spaces, no hyphen. */
export function writeUserCode(text: string): string {
  const letters = text
    .toUpperCase()
    .replaceAll(/[^A-Z]/g, '')
    .slice(0, 2 * HALF)
  return letters.length <= HALF ? letters : `${letters.slice(0, HALF)}-${letters.slice(HALF)}`
}
