// Decides whether the bytes of a raw report contain an erased address, or a name for an export.

import { type ErasedAddresses, openAddresses, type WantedAddresses } from './erased-address.ts'
import { holdsAddress } from './find-erased-addresses.ts'
import { readBytesAsTexts } from './read-bytes-as-texts.ts'

/** Plain values, for a thread. */
export interface RawQuery {
  readonly wanted: WantedAddresses
  readonly name: string | null
}

/** Whether each of these reports contains what is searched. */
export function searchRawBytes(
  reports: readonly Uint8Array[],
  { wanted, name }: RawQuery,
): readonly boolean[] {
  const query = { addresses: openAddresses(wanted), name }
  return reports.map((bytes) => {
    const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    return readBytesAsTexts(whole).some((text) => isInText(text, query, true))
  })
}

/** `isJson`: the text is JSON, where a line break is written as two characters. */
export function isInText(
  text: string,
  { addresses, name }: { readonly addresses: ErasedAddresses; readonly name: string | null },
  isJson: boolean,
): boolean {
  if (holdsAddress(text, addresses, isJson)) return true
  return name !== null && text.toLowerCase().includes(name.toLowerCase())
}
