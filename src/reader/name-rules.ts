// Every finding of a result names the rule that decided. What a machine format reads as it stands
// there needs no rule of its own: the name of the format is that of the rule.

import type { DecidingRule, Finding, ReportResult } from './reading.ts'

/** The rule of a report that no format reads. */
const NOT_READABLE: DecidingRule = { rule: 'not-readable', words: '' }

export function nameRules(result: ReportResult): ReportResult {
  switch (result.kind) {
    case 'report': {
      const { format, events, passedOver } = result
      const named = events.map((read) => ({ ...read, findings: nameAll(read.findings, format) }))
      return { ...result, events: named, passedOver: nameAll(passedOver, format) }
    }
    case 'no_report': {
      const { format, passedOver, decidedBy = { rule: format, words: '' } } = result
      return { ...result, decidedBy, passedOver: nameAll(passedOver, format) }
    }
    case 'unreadable':
      return { ...result, decidedBy: result.decidedBy ?? NOT_READABLE }
    case 'invalid':
      return result
  }
}

const WORDS_LENGTH_MAX = 200

function nameAll(findings: readonly Finding[], format: string): readonly Finding[] {
  return findings.map((finding) => {
    const { rule = format, words } = finding
    if (words === undefined) return finding.rule === undefined ? { ...finding, rule } : finding
    return { ...finding, rule, words: words.slice(0, WORDS_LENGTH_MAX).toWellFormed() }
  })
}
