// Lines that differ in numbers only have the same form. A report is often a log of thousands of
// them: what surrounds an address is described once for each form (occurrence.ts).

// A number of this many digits may be a time in seconds: its first digit is kept.
const TIME_DIGITS = 10
// Digits behind a letter belong to a name (`c2`, `ipv6`, `ssh2`). Every character beyond ASCII
// counts as a letter here, which only makes two forms of one.
const NUMBER = /(?<![A-Za-z\d\u0080-\uffff])\d+/g

/** The lines with every digit of a number as 0, so that columns stay. */
export function listForms(lines: readonly string[]): readonly string[] {
  return lines.map((line) => line.replaceAll(NUMBER, maskNumber))
}

function maskNumber(digits: string): string {
  const zeros = '0'.repeat(digits.length)
  return digits.length < TIME_DIGITS ? zeros : `${digits.charAt(0)}${zeros.slice(1)}`
}
