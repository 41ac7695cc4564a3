// Catalogue of the intel area's operating errors. See docs/reference/errors.md.

import { defineErrors, retryAfter } from '../kernel/define-errors.ts'
import { OperatingError } from '../kernel/operating-error.ts'

export const {
  itemNotReadable,
  lookupPartial,
  quickCheckNotReadable,
  tagUnknown,
  pushNotReadable,
  pushHasTooManyRows,
  sourceShrank,
  tooManyPushes,
  changesNotKept,
  tagListGone,
  tagListsBusy,
  rangeNotReadable,
  tooManyRanges,
  sourceUnknown,
  tooManyNetworks,
  entryNotReadable,
  tagShipped,
  tagInUse,
  tooManyTags,
  sourceOfReports,
  sourceHasNoUrl,
  sourceBusy,
  ruleUnknown,
  ruleNotValid,
  ruleIsStale,
  tooManyRules,
  snapshotRangeBeyond,
} = defineErrors({
  /** `meant` is the item that the text names when it is refanged. */
  itemNotReadable: [
    400,
    'INTEL_ITEM_NOT_READABLE',
    (meant: string | null) =>
      meant === null
        ? 'The item is neither an IP address nor a domain name; send one such as 192.0.2.1, 2001:db8::1 or example.com.'
        : `The item is neither an IP address nor a domain name; with ?refang=true it is read as ${meant}.`,
  ],
  /** Names a partial success, which is an answer and no failure. */
  lookupPartial: [
    503,
    'INTEL_LOOKUP_PARTIAL',
    'Not everything about the item could be found out in time; the rest of the answer is complete.',
  ],
  quickCheckNotReadable: [
    400,
    'INTEL_QUICK_CHECK_NOT_READABLE',
    (reason: string) => `A quick check takes a JSON array of 1 to 1000 strings: ${reason}`,
  ],
  tagUnknown: [
    400,
    'INTEL_TAG_UNKNOWN',
    'There is no tag of this name; GET /beta/tags lists all tags.',
  ],
  pushNotReadable: [
    400,
    'INTEL_PUSH_NOT_READABLE',
    (reason: string, cause?: unknown) => ({ text: `No row was stored: ${reason}`, cause }),
  ],
  pushHasTooManyRows: [
    413,
    'INTEL_PUSH_HAS_TOO_MANY_ROWS',
    (rowsMax: number) =>
      `No row was stored: a JSON array may have ${rowsMax} rows; send more rows as application/x-ndjson.`,
  ],
  sourceShrank: [
    409,
    'INTEL_SOURCE_SHRANK',
    (before: number, after: number) =>
      `Nothing was changed: the list has ${after} ${after === 1 ? 'entry' : 'entries'} and had ${before}; if that is right, send it with allowShrink=true.`,
  ],
  tooManyPushes: [
    503,
    'INTEL_TOO_MANY_PUSHES',
    'No row was stored: other large pushes are being read; try again shortly.',
    retryAfter(5),
  ],
  changesNotKept: [
    410,
    'INTEL_CHANGES_NOT_KEPT',
    (after: number, keptAfter: number, newest: number) =>
      `The change log has the changes after ${keptAfter} up to ${newest}, so it cannot continue after ${after}: drop your copy, read the data again and continue after ${newest}.`,
  ],
  tagListGone: [
    410,
    'INTEL_TAG_LIST_GONE',
    'This snapshot has expired: begin again at offset 0 without snapshot.',
  ],
  tagListsBusy: [
    503,
    'INTEL_TAG_LISTS_BUSY',
    'Lists of other tags are being built; try again shortly.',
    retryAfter(5),
  ],
  rangeNotReadable: [400, 'INTEL_RANGE_NOT_READABLE', (reason: string) => reason],
  tooManyRanges: [
    503,
    'INTEL_TOO_MANY_RANGES',
    'There are too many requests for ranges; try again shortly.',
    retryAfter(2),
  ],
  sourceUnknown: [
    404,
    'INTEL_SOURCE_UNKNOWN',
    'There is no source of this kind and name; GET /beta/sources lists all sources.',
  ],
  tooManyNetworks: [
    409,
    'INTEL_TOO_MANY_NETWORKS',
    (networksMax: number) =>
      `Nothing was changed: there would be more than ${networksMax} own address ranges; join neighbouring ranges.`,
  ],
  entryNotReadable: [400, 'INTEL_ENTRY_NOT_READABLE', (reason: string) => reason],
  tagShipped: [
    409,
    'INTEL_TAG_SHIPPED',
    'This tag ships with the program and cannot be deleted; PUT can change it.',
  ],
  tagInUse: [
    409,
    'INTEL_TAG_IN_USE',
    'This tag is in use: let its taggings expire, or delete the sources and sighting rules that set it; GET /beta/tags/{name}/ips lists the items that carry it.',
  ],
  tooManyTags: [
    409,
    'INTEL_TOO_MANY_TAGS',
    (tagsMax: number) => `There are ${tagsMax} tags already; delete an unused one.`,
  ],
  sourceOfReports: [
    409,
    'INTEL_SOURCE_OF_REPORTS',
    'Accepted reports write this source. Close a wrong case as false_positive to withdraw its reports, or switch share_sightings of the tenant off.',
  ],
  sourceHasNoUrl: [
    409,
    'INTEL_SOURCE_HAS_NO_URL',
    'This source has no URL to fetch; set one by PUT /beta/sources/{kind}/{name}.',
  ],
  sourceBusy: [409, 'INTEL_SOURCE_BUSY', 'This source is being fetched now; try again shortly.'],
  ruleUnknown: [
    404,
    'INTEL_RULE_UNKNOWN',
    'There is no sighting rule of this name; GET /beta/sighting-rules lists all.',
  ],
  ruleNotValid: [
    400,
    'INTEL_RULE_NOT_VALID',
    (reason: string) => `The sighting rule is not valid: ${reason}`,
  ],
  ruleIsStale: [
    412,
    'INTEL_RULE_IS_STALE',
    'The sighting rule was changed after the version of If-Match; read it again and repeat the change.',
  ],
  tooManyRules: [
    409,
    'INTEL_TOO_MANY_RULES',
    (rulesMax: number) => `There are ${rulesMax} sighting rules already; delete one of your own.`,
  ],
  snapshotRangeBeyond: [
    416,
    'INTEL_SNAPSHOT_RANGE_BEYOND',
    (byteLength: number) => ({
      text: `The snapshot has ${byteLength} bytes, and the range begins behind them.`,
      headers: { 'content-range': `bytes */${byteLength}` },
    }),
  ],
})

/** Repeats a refusal of another thread. */
export function pushRefused(
  refusal: Pick<OperatingError, 'code' | 'status' | 'publicMessage'>,
): OperatingError {
  return new OperatingError(refusal)
}

/** `covering` are the wider entries of the source, the nearest first. */
export function entryUnknown(subject: string, covering: readonly string[]): OperatingError {
  const [nearest] = covering
  return new OperatingError({
    code: 'INTEL_ENTRY_UNKNOWN',
    status: 404,
    publicMessage:
      nearest === undefined
        ? `This source has no entry ${subject}; GET /beta/explain/{item} names the entries that hold for an item.`
        : `This source has no entry ${subject}; it is covered by the entry ${nearest}. To except it from every list, push an allowance by POST /beta/allowances.`,
  })
}
