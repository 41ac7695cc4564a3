// What an item is, as far as a page needs it: an address with its neighbourhood, or a domain with its
// parents. The interface has read the item before; texts that it refuses do not come here.

export type ItemKind = 'ipv4' | 'ipv6' | 'domain'

export function kindOf(canonical: string): ItemKind {
  if (canonical.includes(':')) return 'ipv6'
  return /^\d+(?:\.\d+){3}$/.test(canonical) ? 'ipv4' : 'domain'
}

/** Whether a person asked about a range: `198.51.100.0/24`. */
export function isRangeText(text: string): boolean {
  return /^[\da-f.:]+\/\d{1,3}$/i.test(text.trim())
}

/** The /24 or /48 around an address; null for a domain. */
export function neighbourhoodOf(canonical: string): string | null {
  switch (kindOf(canonical)) {
    case 'ipv4':
      return `${canonical.split('.').slice(0, 3).join('.')}.0/24`
    case 'ipv6': {
      const [first = '0', second = '0', third = '0'] = wordsOf(canonical)
      return `${first}:${second}:${third}::/48`
    }
    case 'domain':
      return null
  }
}

/**
 * The place of an address in its neighbourhood: the last byte of IPv4; of IPv6 the byte behind the
 * /48, so that each place is a /56.
 */
export function placeOf(address: string): number {
  if (kindOf(address) === 'ipv4') return Number(address.split('.')[3] ?? 0)
  return Number.parseInt(wordsOf(address)[3] ?? '0', 16) >> 8
}

/** The eight words of an IPv6 address, without leading zeros. */
function wordsOf(address: string): readonly string[] {
  const [head = '', tail] = address.split('::')
  const before = head === '' ? [] : head.split(':')
  if (tail === undefined) return before
  const after = tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0')
  return [...before, ...zeros, ...after]
}

const PARENTS_MAX = 8

/** The names above a domain, the nearest first, down to two labels. */
export function parentsOf(domain: string): readonly string[] {
  const labels = domain.split('.')
  const count = Math.max(0, labels.length - 2)
  return Array.from({ length: Math.min(count, PARENTS_MAX) }, (_, above) =>
    labels.slice(above + 1).join('.'),
  )
}
