// E-mail addresses as the interface means them: the `local@domain` of RFC 5321 in its unquoted
// form, without a display name.

// RFC 5321 section 4.5.3.1: 64 octets before the at sign, 254 in a path without its angle brackets.
const LENGTH_MAX = 254
const LOCAL_LENGTH_MAX = 64

const LOCAL = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const DOMAIN =
  /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$/

/**
 * True for an address that can be stored and shown as it is; quoted local parts, address literals
 * and Unicode are not taken.
 */
export function isEmailAddress(text: string): boolean {
  if (text.length > LENGTH_MAX) return false
  const at = text.lastIndexOf('@')
  if (at < 1 || at > LOCAL_LENGTH_MAX) return false
  return LOCAL.test(text.slice(0, at)) && DOMAIN.test(text.slice(at + 1))
}
