// The formats in which a published list may be fetched.

const FETCH_FORMATS = ['plain', 'rbldnsd', 'ndjson'] as const
export type FetchFormat = (typeof FETCH_FORMATS)[number]

export function isFetchFormat(text: string): text is FetchFormat {
  return FETCH_FORMATS.some((format) => format === text)
}
