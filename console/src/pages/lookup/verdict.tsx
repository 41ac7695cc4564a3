// The verdict in one sentence, the first thing that the page says.

import { CircleHelp, CircleSlash, ShieldAlert, ShieldCheck, TriangleAlert } from 'lucide-react'
import { useText } from '../../messages/use-text.ts'
import type { Tone } from '../../parts/badges.tsx'
import type { Explanation } from './data.ts'
import { judge, titleOfTag, type Verdict } from './judge.ts'
import { messages } from './messages.ts'

const LOOKS = {
  malicious: ['red', TriangleAlert],
  suspicious: ['amber', ShieldAlert],
  benign: ['green', ShieldCheck],
  unknown: ['grey', CircleHelp],
} as const satisfies Record<Verdict['intent'], readonly [Tone, typeof CircleHelp]>

// More tags than this stand among the chips.
const TAGS_SAID = 3

export function VerdictLine({ explanation }: { readonly explanation: Explanation }) {
  const t = useText(messages)
  const verdict = judge(explanation)
  const [tone, icon] = LOOKS[verdict.intent]
  const Icon = verdict.isBogon && verdict.intent === 'unknown' ? CircleSlash : icon
  return (
    <p className="verdict" data-tone={tone} aria-label={t('verdict')} role="note">
      <Icon size={20} aria-hidden />
      <span>
        <strong>{t(wordOf(verdict))}</strong>
        {': '}
        {useReasons(verdict).join(', ')}.
      </span>
    </p>
  )
}

function wordOf(verdict: Verdict) {
  if (verdict.intent !== 'unknown') return `word_${verdict.intent}` as const
  if (verdict.isBogon) return 'word_bogon'
  return verdict.isKnown ? 'word_unknown' : 'word_never'
}

function useReasons({
  isKnown,
  isBogon,
  intent,
  tags,
  sighted,
  lists,
  allowedBy,
}: Verdict): readonly string[] {
  const t = useText(messages)
  const reasons: string[] = []
  if (intent !== 'unknown') reasons.push(...tags.slice(0, TAGS_SAID).map(titleOfTag))
  if (sighted !== null) reasons.push(t('sighted', sighted))
  if (lists.length > 0) reasons.push(t('listed', { count: lists.length, list: lists[0] }))
  if (allowedBy !== null) reasons.push(t('allowed', { list: allowedBy }))
  if (!isKnown) reasons.push(t('never_why'))
  if (isKnown && reasons.length === 0) reasons.push(t('unknown_why'))
  if (isBogon) reasons.push(t('is_bogon'))
  return reasons
}
