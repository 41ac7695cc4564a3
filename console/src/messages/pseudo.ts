// The pseudo-locale (`?locale=pseudo`): every text of a catalogue gets accents, brackets and a third
// more length. What shows without them stands outside the catalogues; what is cut has no room for
// German.

const PLAIN = 'aceinouyACEINOUY'
const ACCENTED = 'áçéíñóúýÁÇÉÍÑÓÚÝ'

/** Keeps the arguments and plurals of an ICU message as they are. */
export function pseudoOf(message: string): string {
  let depth = 0
  let letters = 0
  let text = ''
  for (const character of message) {
    if (character === '{') depth += 1
    if (character === '}') depth -= 1
    const at = PLAIN.indexOf(character)
    if (depth === 0 && character !== '}') letters += 1
    text += depth === 0 && at >= 0 ? ACCENTED.charAt(at) : character
  }
  return `[${text}${'·'.repeat(Math.ceil(letters / 3))}]`
}
