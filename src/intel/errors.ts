// Catalogue of the intel area's operating errors. See docs/reference/errors.md.

import { OperatingError } from '../kernel/operating-error.ts'

export function itemNotReadable(): OperatingError {
  return new OperatingError({
    code: 'INTEL_ITEM_NOT_READABLE',
    status: 400,
    publicMessage:
      'The item is no IP address and no domain name; send one such as 192.0.2.1, 2001:db8::1 or example.com.',
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
    publicMessage: 'There is no tag of this name; GET /beta/tags lists those there are.',
  })
}

export function pushNotReadable(reason: string, cause?: unknown): OperatingError {
  return new OperatingError({
    code: 'INTEL_PUSH_NOT_READABLE',
    status: 400,
    publicMessage: `Nothing was kept: ${reason}`,
    cause,
  })
}

export function pushHasTooManyRows(rowsMax: number): OperatingError {
  return new OperatingError({
    code: 'INTEL_PUSH_HAS_TOO_MANY_ROWS',
    status: 413,
    publicMessage: `Nothing was kept: a JSON array may have ${rowsMax} rows; send more of them as application/x-ndjson.`,
  })
}

/** A refusal that another thread made. */
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
    publicMessage: 'Nothing was kept: other large pushes are being read; try again shortly.',
    headers: { 'retry-after': '5' },
  })
}

export function changesNotKept(after: number, keptAfter: number, newest: number): OperatingError {
  return new OperatingError({
    code: 'INTEL_CHANGES_NOT_KEPT',
    status: 410,
    publicMessage: `The change log has the changes after ${keptAfter} up to ${newest} and cannot go on after ${after}: drop your copy, read what you need anew and go on after ${newest}.`,
  })
}

export function tagListGone(): OperatingError {
  return new OperatingError({
    code: 'INTEL_TAG_LIST_GONE',
    status: 410,
    publicMessage: 'This snapshot is no longer kept: begin again at offset 0 without snapshot.',
  })
}

export function tagListsBusy(): OperatingError {
  return new OperatingError({
    code: 'INTEL_TAG_LISTS_BUSY',
    status: 503,
    publicMessage: 'Lists of other tags are being made; try again shortly.',
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
    publicMessage: 'Many other ranges are being asked about; try again shortly.',
    headers: { 'retry-after': '2' },
  })
}

export function sourceUnknown(): OperatingError {
  return new OperatingError({
    code: 'INTEL_SOURCE_UNKNOWN',
    status: 404,
    publicMessage:
      'There is no source of this kind and name; GET /beta/sources lists those there are.',
  })
}

export function tagShipped(): OperatingError {
  return new OperatingError({
    code: 'INTEL_TAG_SHIPPED',
    status: 409,
    publicMessage: 'This tag ships with the program and stays; PUT may change its wording.',
  })
}

export function tagInUse(): OperatingError {
  return new OperatingError({
    code: 'INTEL_TAG_IN_USE',
    status: 409,
    publicMessage:
      'Something carries this tag: let its taggings expire, or delete the sources that give it; GET /beta/tags/{name}/ips lists what carries it.',
  })
}

export function tooManyTags(tagsMax: number): OperatingError {
  return new OperatingError({
    code: 'INTEL_TOO_MANY_TAGS',
    status: 409,
    publicMessage: `There are ${tagsMax} tags already; delete one that is not used.`,
  })
}

export function sourceHasNoUrl(): OperatingError {
  return new OperatingError({
    code: 'INTEL_SOURCE_HAS_NO_URL',
    status: 409,
    publicMessage: 'This source is not fetched: give it a URL by PUT /beta/sources/{kind}/{name}.',
  })
}

export function sourceBusy(): OperatingError {
  return new OperatingError({
    code: 'INTEL_SOURCE_BUSY',
    status: 409,
    publicMessage: 'This source is being fetched at this moment; ask again shortly.',
  })
}
