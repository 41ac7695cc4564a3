// Catalogue of the intel area's operating errors. See docs/reference/errors.md.

import { OperatingError } from '../kernel/operating-error.ts'

/** `meant` is the item that the text names when it is refanged. */
export function itemNotReadable(meant: string | null): OperatingError {
  return new OperatingError({
    code: 'INTEL_ITEM_NOT_READABLE',
    status: 400,
    publicMessage:
      meant === null
        ? 'The item is neither an IP address nor a domain name; send one such as 192.0.2.1, 2001:db8::1 or example.com.'
        : `The item is neither an IP address nor a domain name; with ?refang=true it is read as ${meant}.`,
  })
}

/** Names a partial success, which is an answer and no failure. */
export function lookupPartial(): OperatingError {
  return new OperatingError({
    code: 'INTEL_LOOKUP_PARTIAL',
    status: 503,
    publicMessage:
      'Not everything about the item could be found out in time; the rest of the answer is complete.',
  })
}

export function quickCheckNotReadable(reason: string): OperatingError {
  return new OperatingError({
    code: 'INTEL_QUICK_CHECK_NOT_READABLE',
    status: 400,
    publicMessage: `A quick check takes a JSON array of 1 to 1000 strings: ${reason}`,
  })
}

export function tagUnknown(): OperatingError {
  return new OperatingError({
    code: 'INTEL_TAG_UNKNOWN',
    status: 400,
    publicMessage: 'There is no tag of this name; GET /beta/tags lists all tags.',
  })
}

export function pushNotReadable(reason: string, cause?: unknown): OperatingError {
  return new OperatingError({
    code: 'INTEL_PUSH_NOT_READABLE',
    status: 400,
    publicMessage: `No row was stored: ${reason}`,
    cause,
  })
}

export function pushHasTooManyRows(rowsMax: number): OperatingError {
  return new OperatingError({
    code: 'INTEL_PUSH_HAS_TOO_MANY_ROWS',
    status: 413,
    publicMessage: `No row was stored: a JSON array may have ${rowsMax} rows; send more rows as application/x-ndjson.`,
  })
}

/** Repeats a refusal of another thread. */
export function pushRefused(
  refusal: Pick<OperatingError, 'code' | 'status' | 'publicMessage'>,
): OperatingError {
  return new OperatingError(refusal)
}

export function sourceShrank(before: number, after: number): OperatingError {
  return new OperatingError({
    code: 'INTEL_SOURCE_SHRANK',
    status: 409,
    publicMessage: `Nothing was changed: the list has ${after} ${after === 1 ? 'entry' : 'entries'} and had ${before}; if that is right, send it with allowShrink=true.`,
  })
}

export function tooManyPushes(): OperatingError {
  return new OperatingError({
    code: 'INTEL_TOO_MANY_PUSHES',
    status: 503,
    publicMessage: 'No row was stored: other large pushes are being read; try again shortly.',
    headers: { 'retry-after': '5' },
  })
}

export function changesNotKept(after: number, keptAfter: number, newest: number): OperatingError {
  return new OperatingError({
    code: 'INTEL_CHANGES_NOT_KEPT',
    status: 410,
    publicMessage: `The change log has the changes after ${keptAfter} up to ${newest}, so it cannot continue after ${after}: drop your copy, read the data again and continue after ${newest}.`,
  })
}

export function tagListGone(): OperatingError {
  return new OperatingError({
    code: 'INTEL_TAG_LIST_GONE',
    status: 410,
    publicMessage: 'This snapshot has expired: begin again at offset 0 without snapshot.',
  })
}

export function tagListsBusy(): OperatingError {
  return new OperatingError({
    code: 'INTEL_TAG_LISTS_BUSY',
    status: 503,
    publicMessage: 'Lists of other tags are being built; try again shortly.',
    headers: { 'retry-after': '5' },
  })
}

export function rangeNotReadable(reason: string): OperatingError {
  return new OperatingError({
    code: 'INTEL_RANGE_NOT_READABLE',
    status: 400,
    publicMessage: reason,
  })
}

export function tooManyRanges(): OperatingError {
  return new OperatingError({
    code: 'INTEL_TOO_MANY_RANGES',
    status: 503,
    publicMessage: 'There are too many requests for ranges; try again shortly.',
    headers: { 'retry-after': '2' },
  })
}

export function sourceUnknown(): OperatingError {
  return new OperatingError({
    code: 'INTEL_SOURCE_UNKNOWN',
    status: 404,
    publicMessage: 'There is no source of this kind and name; GET /beta/sources lists all sources.',
  })
}

export function tooManyNetworks(networksMax: number): OperatingError {
  return new OperatingError({
    code: 'INTEL_TOO_MANY_NETWORKS',
    status: 409,
    publicMessage: `Nothing was changed: there would be more than ${networksMax} own address ranges; join neighbouring ranges.`,
  })
}

export function entryNotReadable(reason: string): OperatingError {
  return new OperatingError({
    code: 'INTEL_ENTRY_NOT_READABLE',
    status: 400,
    publicMessage: reason,
  })
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

export function tagShipped(): OperatingError {
  return new OperatingError({
    code: 'INTEL_TAG_SHIPPED',
    status: 409,
    publicMessage: 'This tag ships with the program and cannot be deleted; PUT can change it.',
  })
}

export function tagInUse(): OperatingError {
  return new OperatingError({
    code: 'INTEL_TAG_IN_USE',
    status: 409,
    publicMessage:
      'This tag is in use: let its taggings expire, or delete the sources and sighting rules that set it; GET /beta/tags/{name}/ips lists the items that carry it.',
  })
}

export function tooManyTags(tagsMax: number): OperatingError {
  return new OperatingError({
    code: 'INTEL_TOO_MANY_TAGS',
    status: 409,
    publicMessage: `There are ${tagsMax} tags already; delete an unused one.`,
  })
}

export function sourceOfReports(): OperatingError {
  return new OperatingError({
    code: 'INTEL_SOURCE_OF_REPORTS',
    status: 409,
    publicMessage:
      'Accepted reports write this source. Close a wrong case as false_positive to withdraw its reports, or switch share_sightings of the tenant off.',
  })
}

export function sourceHasNoUrl(): OperatingError {
  return new OperatingError({
    code: 'INTEL_SOURCE_HAS_NO_URL',
    status: 409,
    publicMessage: 'This source has no URL to fetch; set one by PUT /beta/sources/{kind}/{name}.',
  })
}

export function sourceBusy(): OperatingError {
  return new OperatingError({
    code: 'INTEL_SOURCE_BUSY',
    status: 409,
    publicMessage: 'This source is being fetched now; try again shortly.',
  })
}

export function ruleUnknown(): OperatingError {
  return new OperatingError({
    code: 'INTEL_RULE_UNKNOWN',
    status: 404,
    publicMessage: 'There is no sighting rule of this name; GET /beta/sighting-rules lists all.',
  })
}

export function ruleNotValid(reason: string): OperatingError {
  return new OperatingError({
    code: 'INTEL_RULE_NOT_VALID',
    status: 400,
    publicMessage: `The sighting rule is not valid: ${reason}`,
  })
}

export function ruleIsStale(): OperatingError {
  return new OperatingError({
    code: 'INTEL_RULE_IS_STALE',
    status: 412,
    publicMessage:
      'The sighting rule was changed after the version of If-Match; read it again and repeat the change.',
  })
}

export function tooManyRules(rulesMax: number): OperatingError {
  return new OperatingError({
    code: 'INTEL_TOO_MANY_RULES',
    status: 409,
    publicMessage: `There are ${rulesMax} sighting rules already; delete one of your own.`,
  })
}

export function snapshotRangeBeyond(byteLength: number): OperatingError {
  return new OperatingError({
    code: 'INTEL_SNAPSHOT_RANGE_BEYOND',
    status: 416,
    publicMessage: `The snapshot has ${byteLength} bytes, and the range begins behind them.`,
    headers: { 'content-range': `bytes */${byteLength}` },
  })
}
