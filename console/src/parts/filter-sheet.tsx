// The filters in a narrow window: a sheet from the bottom, one filter under the other.

import { Button, Drawer } from '@mantine/core'
import { ChevronDown, ListFilter } from 'lucide-react'
import { useState } from 'react'
import { useText } from '../messages/use-text.ts'
import { FilterForm, type FilterParts, sayValues } from './filter-form.tsx'
import { messages } from './messages.ts'

export interface FilterSheetProps {
  readonly filters: readonly FilterParts[]
  readonly onChange: (name: string, values: readonly string[]) => void
  readonly onClear: () => void
}

export function FilterSheet({ filters, onChange, onClear }: FilterSheetProps) {
  const t = useText(messages)
  const [isOpen, setOpen] = useState(false)
  const count = filters.filter(({ values }) => values.length > 0).length
  const close = (): void => setOpen(false)
  return (
    <>
      <Button
        variant="default"
        leftSection={<ListFilter size={16} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {t('filters', { count })}
      </Button>
      <Drawer
        opened={isOpen}
        onClose={close}
        position="bottom"
        size="80%"
        title={t('filters', { count })}
        closeButtonProps={{ 'aria-label': t('close') }}
      >
        {filters.map((filter) => (
          <details key={filter.name} className="filter-fold">
            <summary>
              <span>{filter.title}</span>
              <span className="cut dim">{sayValues(filter)}</span>
              <ChevronDown size={16} aria-hidden />
            </summary>
            <FilterForm filter={filter} onApply={(values) => onChange(filter.name, values)} />
          </details>
        ))}
        <div className="filter-end">
          {count > 0 && (
            <Button variant="default" onClick={onClear}>
              {t('filter_clear')}
            </Button>
          )}
          <Button onClick={close}>{t('filters_done')}</Button>
        </div>
      </Drawer>
    </>
  )
}
