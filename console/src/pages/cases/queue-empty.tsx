// No row: nothing was reported yet, nothing matches, or nothing is left to do in the view.

import { Button } from '@mantine/core'
import { useText } from '../../messages/use-text.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { messages } from './messages.ts'
import { isSameFilters, type QueueFilters } from './queue-search.ts'

export interface QueueEmptyProps {
  readonly filters: QueueFilters
  /** The filters are those of a view. */
  readonly isPreset: boolean
  readonly onShow: (filters: QueueFilters) => void
}

const ALL: QueueFilters = { state: ['any'] }

export function QueueEmpty({ filters, isPreset, onShow }: QueueEmptyProps) {
  const t = useText(messages)
  if (isSameFilters(filters, ALL)) {
    return (
      <EmptyState
        title={t('empty_title')}
        text={t('empty_text')}
        command="npx casework report push examples/mail/login-attack.eml"
      />
    )
  }
  return (
    <EmptyState
      title={t(isPreset ? 'empty_view' : 'empty_filtered')}
      text={t(isPreset ? 'empty_view_text' : 'empty_filtered_text')}
    >
      {!isSameFilters(filters, {}) && (
        <Button variant="default" onClick={() => onShow({})}>
          {t('show_open')}
        </Button>
      )}
      <Button variant="default" onClick={() => onShow(ALL)}>
        {t('show_all')}
      </Button>
    </EmptyState>
  )
}
