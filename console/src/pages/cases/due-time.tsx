// When a case is due: a time that has passed stands in the badge "Overdue".

import { OverdueBadge } from '../../parts/badges.tsx'
import { Since, useNow } from '../../parts/since.tsx'

export function DueTime({ at }: { readonly at: string | undefined }) {
  const nowMs = useNow()
  if (at === undefined) return <span className="dim due-none">–</span>
  return new Date(at).getTime() < nowMs ? <OverdueBadge at={at} /> : <Since at={at} />
}
