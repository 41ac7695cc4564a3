// Recognises the rows of links at the end of a mail: the company, its sites and its networks.

const NAMED_LINK = /(?:^|[|•·])\s{0,3}[\p{L}][\p{L} &+-]{1,30}\s?<https?:\/\/[^\s<>|]{3,400}>/giu
const PHONE = /(?:^|[\s|:])\+\d{1,3}[\d ()./-]{6,20}(?=$|[\s|])/
const ADDRESS = /(?<!\d)\d{1,3}(?:\.\d{1,3}){3}(?!\d)/
const ROW_LENGTH_MAX = 600
const NAMED_LINKS_MIN = 2

/** `Web<https://…> | Forum<https://…>`, or `Law Firm | www.law.example | +1 555 0100`. */
export function isFooterRow(line: string): boolean {
  if (line.length > ROW_LENGTH_MAX || !/[|•·]/.test(line)) return false
  // A row of a table with an address tells of a machine.
  if (ADDRESS.test(line)) return false
  return (line.match(NAMED_LINK)?.length ?? 0) >= NAMED_LINKS_MIN || PHONE.test(line)
}
