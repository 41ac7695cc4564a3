// Reads a mail that a test writes out, and tells in short what became of it.

import { readReportBytes } from '../src/reader/read-report.ts'
import type { ReportContext, ReportResult } from '../src/reader/reading.ts'

/**
 * `text`: headers, a blank line and the body, with plain line ends. Who it is from and to and when
 * it was written are added where the headers leave them out.
 */
export function readMadeUp(text: string, context: Partial<ReportContext> = {}): ReportResult {
  const end = text.indexOf('\n\n')
  const head = text.slice(0, end)
  const added = Object.entries(HEADERS).filter(([name]) => !`\n${head}`.includes(`\n${name}: `))
  const lines = added.map(([name, value]) => `${name}: ${value}\n`).join('')
  const raw = `${lines}${head}${text.slice(end)}`
  return readReportBytes(Buffer.from(raw.replaceAll('\n', '\r\n')), {
    receivedAtMs: Date.parse('2026-11-03T12:00:00Z'),
    mediaType: 'message/rfc822',
    fallbackReporter: null,
    ...context,
  })
}

const HEADERS = {
  From: 'Ann Reporter <ann@reporter.example>',
  To: 'abuse@provider.example',
  Date: 'Tue, 03 Nov 2026 10:00:00 +0000',
}

/** `ip link-or-domain` of each event; of a report without any the kind of the result. */
export function listBlamed(result: ReportResult): readonly string[] {
  if (result.kind !== 'report') return [result.kind]
  return result.events.map(({ event }) => {
    const url = event.details?.['url']
    return [event.ip, typeof url === 'string' ? url : event.domain]
      .filter((value) => value !== null)
      .join(' ')
  })
}

/** The reasons with which the values of that member were chosen or passed over. */
export function listReasons(result: ReportResult, field: string): readonly string[] {
  const chosen = result.kind === 'report' ? result.events.flatMap(({ findings }) => findings) : []
  const others = result.kind === 'report' || result.kind === 'no_report' ? result.passedOver : []
  const findings = [...chosen, ...others]
  return findings.filter((each) => each.field === field).map(({ reason }) => reason)
}
