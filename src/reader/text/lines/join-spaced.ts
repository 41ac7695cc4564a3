// Joins names whose reporter put a blank before each dot, so that nobody opens them by accident.

import { readHost } from './scan-line.ts'

const MAYBE_SPACED = /[a-z\d] (?:\. ?[a-z\d]|\/ ?\w)/i
// `login . bad . example`, `panel .bad .example`; a blank behind a dot alone ends a sentence.
const CHAIN =
  /(?<![\p{L}\d._@/-])(https?:\/\/)?([a-z\d-]{1,63}(?:(?: ?\.| \. )[a-z\d-]{1,63}){1,8})(?![\p{L}\d_@-])/giu
const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/
// `evil [ . ] example / path`; without such blanks the stroke may part two names.
const SPACED_OUT = /\S [[({] ?\. ?[\])}] \S/
const STROKE_APART = /(https?:\/\/[^\s/<>"']{1,253}) \/ (?=[\w-]{1,100}(?:[/\s]|$))/gi
const PATH_APART = /(https?:\/\/[^\s/<>"']{1,253}) (?=\/\w)/gi

/**
 * `clean` is the line after `refang`. A name is joined where a bracket, a scheme, several such dots
 * or a line of its own show that it is meant as one.
 */
export function joinSpaced(raw: string, clean: string): string {
  if (!MAYBE_SPACED.test(clean)) return clean
  const isDefanged = raw !== clean
  const joined = clean.replaceAll(
    CHAIN,
    (text: string, scheme: string | undefined, chain: string, at: number) => {
      const isMeant =
        isDefanged || scheme !== undefined || isSpelt(chain) || isOwnLine(clean, at, text.length)
      return isMeant ? `${scheme ?? ''}${joinChain(chain)}` : text
    },
  )
  if (!isDefanged) return joined
  const stroked = SPACED_OUT.test(raw) ? joined.replaceAll(STROKE_APART, '$1/') : joined
  return stroked.replaceAll(PATH_APART, '$1')
}

/** `bad . example . com`: two such dots and no capital letter of a new sentence. */
function isSpelt(chain: string): boolean {
  return chain.split(' . ').length > 2 && chain === chain.toLowerCase()
}

function isOwnLine(line: string, at: number, length: number): boolean {
  const [before, behind] = [line.slice(0, at), line.slice(at + length)]
  return /^(?:[^:]{0,40}:)?[\s>*•"'-]*$/.test(before) && /^(?:\/\S*)?[\s"']*$/.test(behind)
}

function joinChain(chain: string): string {
  const name = chain.replaceAll(' ', '')
  if (name.length === chain.length) return chain
  if (IPV4.test(name)) return name
  // What stands before the first blank may be a name already: `bad.example . it was`.
  const [first = ''] = chain.split(' ', 1)
  return readHost(first) === null && readHost(name) !== null ? name : chain
}
