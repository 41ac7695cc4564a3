// The limits of one report. Real mail stays far below them (median 15 kB, 95 % under 451 kB,
// largest 3.8 MB). A report over a limit is quarantined with a sentence that names the limit.

export interface ReadingLimits {
  readonly messageBytesMax: number
  /** Leaves and multiparts together, those of enclosed mails included. */
  readonly partsMax: number
  /** Multiparts within multiparts. */
  readonly depthMax: number
  /** Of one header block, be it the mail's, a part's or an enclosed mail's. */
  readonly headerBytesMax: number
  readonly headersMax: number
  /** Mails within mails (message/rfc822). */
  readonly enclosedDepthMax: number
  /** Of one header field; more are left unread. */
  readonly addressesMax: number
  /**
   * Of one value: more of it is not decoded from encoded words (RFC 2047) nor read as addresses.
   */
  readonly headerValueLengthMax: number
  /** Notes on what was broken. */
  readonly defectsMax: number
  /**
   * Characters read out of one part, for the readers of free text, which take some microseconds a
   * word; the rest is left out.
   */
  readonly textLengthMax: number
  /** A line of text; what is longer is continued on a next one. */
  readonly lineLengthMax: number
  /** Characters read out of all parts together. */
  readonly textsLengthMax: number
  /** Lines of all parts together. */
  readonly linesMax: number
  /** Attached texts and enclosed mails that are read. */
  readonly textsMax: number
  readonly archive: ArchiveLimits
}

export interface ArchiveLimits {
  readonly entriesMax: number
  /** Of all entries of an archive together. */
  readonly unpackedBytesMax: number
  /** Unpacked to packed size, of one entry. Real tables and XML stay below 40. */
  readonly ratioMax: number
  /**
   * Below this size the ratio is not checked: a short file of one repeated row is no zip bomb.
   */
  readonly ratioFreeBytes: number
}

export const READING_LIMITS: ReadingLimits = {
  messageBytesMax: 25 * 1024 * 1024,
  partsMax: 1_000,
  depthMax: 20,
  headerBytesMax: 256 * 1024,
  headersMax: 1_000,
  enclosedDepthMax: 5,
  addressesMax: 100,
  headerValueLengthMax: 16 * 1024,
  defectsMax: 20,
  textLengthMax: 512 * 1024,
  lineLengthMax: 16 * 1024,
  textsLengthMax: 1024 * 1024,
  linesMax: 20_000,
  textsMax: 50,
  archive: {
    entriesMax: 1_000,
    unpackedBytesMax: 50 * 1024 * 1024,
    ratioMax: 100,
    ratioFreeBytes: 1024 * 1024,
  },
}
