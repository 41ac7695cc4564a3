// Text as words are compared: without capitals and accents.

/** One blank between words, in place of line ends and of several. */
export function joinLines(text: string): string {
  return text.replaceAll(/\s{2,}|[^\S ]/g, ' ')
}

/** Lower case without accents; letters of other scripts stay what they are. */
export function foldText(text: string): string {
  if (!/[^ -~\t]/.test(text)) return text.toLowerCase()
  const bare = text
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
  return bare
    .normalize('NFC')
    .replaceAll('ł', 'l')
    .replaceAll('ø', 'o')
    .replaceAll('ı', 'i')
    .replaceAll('’', "'")
}
