// From the bytes of a report to its events. The format is told by the content: JSON by its members, everything else as a mail, a bare
// archive or table being a mail of one part. Pure, but for taking time.

import { detectFormat } from './detect-format.ts'
import type { ReportContext, ReportResult } from './report.ts'
import { readXarfV4 } from './xarf-v4.ts'

export async function readReportBytes(
  bytes: Uint8Array,
  context: ReportContext,
): Promise<ReportResult> {
  const detected = detectFormat(bytes)
  if (detected.kind === 'unknown') return { kind: 'unreadable', reason: detected.reason }
  return readXarfV4(detected.value, context.receivedAtMs)
}
