// Browser and system of a user agent, in words; null for what is neither.

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Edg\/(\d+)/, 'Edge'],
  [/Firefox\/(\d+)/, 'Firefox'],
  [/Chrom(?:e|ium)\/(\d+)/, 'Chrome'],
  [/Version\/(\d+).* Safari/, 'Safari'],
]
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
]

export function nameBrowser(userAgent: string | null): string | null {
  if (userAgent === null) return null
  const browser = BROWSERS.find(([pattern]) => pattern.test(userAgent))
  if (browser === undefined) return userAgent.slice(0, 40)
  const version = browser[0].exec(userAgent)?.[1] ?? ''
  const system = SYSTEMS.find(([pattern]) => pattern.test(userAgent))
  return [`${browser[1]} ${version}`.trim(), system?.[1]].filter(Boolean).join(' · ')
}
