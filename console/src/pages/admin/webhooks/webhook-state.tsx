// Whether a webhook sends.

import { CircleCheck, CircleOff } from 'lucide-react'
import { useText } from '../../../messages/use-text.ts'
import { Badge } from '../../../parts/badges.tsx'
import type { Webhook } from '../data.ts'
import { messages } from './messages.ts'

export function WebhookState({ webhook }: { readonly webhook: Webhook }) {
  const t = useText(messages)
  return webhook.enabled ? (
    <Badge tone="green" icon={CircleCheck}>
      {t('on')}
    </Badge>
  ) : (
    <Badge tone="grey" icon={CircleOff}>
      {t('off')}
    </Badge>
  )
}
