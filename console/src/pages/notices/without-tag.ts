// The subject of a mail without the tag of its case, where the case stands beside it.

/** Each subject begins with `[C-…]`, which would fill a column. */
export function withoutTag(subject: string): string {
  return subject.replace(/^\[C-[0-9A-F-]{36}\]\s*/i, '')
}
