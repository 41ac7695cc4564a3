// The item of a request target that is spelled so plainly that no router has to decode it.

// The longest domain name (RFC 1035 section 3.1). A longer text is no item; Fastify answers it.
const PLAIN_LENGTH_MAX = 253

// 1 for letters, digits, dot, hyphen, colon and underscore: the characters of items, of which none
// has another meaning in a target.
const PLAIN = new Uint8Array(128)
for (const letter of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-:_') {
  PLAIN[letter.charCodeAt(0)] = 1
}

/**
 * The text after `prefix`, or null when the target has another path, a query or a character that is
 * not plain. The colon of IPv6 may be percent-encoded, which many clients do.
 */
export function readPlainItem(target: string | undefined, prefix: string): string | null {
  if (target === undefined || !target.startsWith(prefix)) return null
  const text = target.slice(prefix.length)
  const plain = text.includes('%3') ? text.replaceAll(/%3a/gi, ':') : text
  const { length } = plain
  if (length === 0 || length > PLAIN_LENGTH_MAX) return null
  for (let at = 0; at < length; at += 1) if (PLAIN[plain.charCodeAt(at)] !== 1) return null
  return plain
}
