// The two codes of RFC 8628: the long one that the program keeps, and the short one that a person
// types into the page /device.

import { randomInt } from 'node:crypto'

// RFC 8628 section 6.1: no vowels, so that no words come out, and nothing that looks like a digit.
const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ'
// 20^8 = 2.6 × 10^10 codes. With 10,000 open at once and 20 tries, a guess hits one in 130,000.
const LENGTH = 8

/** Such as `WDJB-MJHT`. */
export function createUserCode(): string {
  let code = ''
  for (let i = 0; i < LENGTH; i += 1) code += ALPHABET.charAt(randomInt(ALPHABET.length))
  return `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`
}

/** As people type it: in small letters, without the hyphen, with spaces. */
export function readUserCode(text: string): string {
  const letters = text.toUpperCase().replaceAll(/[^A-Z]/g, '')
  return `${letters.slice(0, LENGTH / 2)}-${letters.slice(LENGTH / 2)}`
}
