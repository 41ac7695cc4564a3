// The filters of a list: the ones that are set as chips, and a menu to add one; in a narrow window a
// sheet. Their values stand in the URL, which the page keeps.

import { Button, Menu, Popover } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { ListFilter, X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { useText } from '../messages/use-text.ts'
import { FilterForm, type FilterParts, sayValues, toggleChoice } from './filter-form.tsx'
import { FilterSheet } from './filter-sheet.tsx'
import { messages } from './messages.ts'

export type Filter = FilterParts

export interface FilterBarProps {
  readonly filters: readonly Filter[]
  readonly onChange: (name: string, values: readonly string[]) => void
  /** Takes all away at once; each one by itself when left out. */
  readonly onClear?: () => void
  /** At the left: a search field, saved views. */
  readonly before?: ReactNode
  /** At the right: counts, the column menu. */
  readonly after?: ReactNode
}

const NARROW = '(max-width: 767px)'

export function FilterBar(props: FilterBarProps) {
  const { filters, onChange, before, after } = props
  const t = useText(messages)
  const isNarrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false })
  // The filter whose form is open; a new one has no value yet.
  const [editing, setEditing] = useState<string | null>(null)
  const set = filters.filter(({ values }) => values.length > 0)
  const shown = filters.filter(({ name, values }) => values.length > 0 || name === editing)
  const clear = (): void => {
    if (props.onClear !== undefined) props.onClear()
    else for (const { name } of set) onChange(name, [])
  }
  if (isNarrow) {
    return (
      <div className="filters">
        {before}
        <FilterSheet filters={filters} onChange={onChange} onClear={clear} />
        <span className="filters-space" />
        {after}
      </div>
    )
  }
  return (
    <div className="filters">
      {before}
      {shown.map((filter) => (
        <Chip
          key={filter.name}
          filter={filter}
          onChange={onChange}
          isEditing={filter.name === editing}
          onEdit={setEditing}
        />
      ))}
      <AddFilter filters={filters} onChange={onChange} onEdit={setEditing} />
      {set.length > 1 && (
        <Button variant="subtle" color="gray" onClick={clear}>
          {t('filter_clear')}
        </Button>
      )}
      <span className="filters-space" />
      {after}
    </div>
  )
}

interface ChipProps {
  readonly filter: Filter
  readonly onChange: FilterBarProps['onChange']
  readonly isEditing: boolean
  readonly onEdit: (name: string | null) => void
}

function Chip({ filter, onChange, isEditing, onEdit }: ChipProps) {
  const t = useText(messages)
  const { name, title } = filter
  const words = (
    <>
      <span className="dim">{title}</span>
      <span className="cut">{sayValues(filter)}</span>
    </>
  )
  return (
    <span className="chip">
      {filter.field === undefined ? (
        <Menu closeOnItemClick={filter.isSingle === true} position="bottom-start">
          <Menu.Target>
            <button type="button" className="chip-words">
              {words}
            </button>
          </Menu.Target>
          <Menu.Dropdown className="filter-menu">
            {filter.choices.map(({ value, title: choice }) => (
              <Menu.CheckboxItem
                key={value}
                checked={filter.values.includes(value)}
                onChange={() => onChange(name, toggleChoice(filter, value))}
              >
                {choice}
              </Menu.CheckboxItem>
            ))}
          </Menu.Dropdown>
        </Menu>
      ) : (
        <Popover
          opened={isEditing}
          onChange={(isOpen) => onEdit(isOpen ? name : null)}
          position="bottom-start"
          trapFocus
          returnFocus
          closeOnEscape={false}
          shadow="md"
          offset={4}
        >
          <Popover.Target>
            <button
              type="button"
              className="chip-words"
              onClick={() => onEdit(isEditing ? null : name)}
            >
              {words}
            </button>
          </Popover.Target>
          <Popover.Dropdown
            className="filter-form"
            aria-label={title}
            onKeyDownCapture={(event) => {
              if (event.key === 'Escape' && !hasSuggestions(event)) onEdit(null)
            }}
          >
            <FilterForm
              filter={filter}
              onApply={(values) => {
                onEdit(null)
                onChange(name, values)
              }}
            />
          </Popover.Dropdown>
        </Popover>
      )}
      <button
        type="button"
        className="chip-close"
        aria-label={t('filter_remove', { name: title })}
        onClick={() => {
          onEdit(null)
          onChange(name, [])
        }}
      >
        <X size={14} aria-hidden />
      </button>
    </span>
  )
}

/** Suggestions that are shown close first. */
function hasSuggestions({ target, currentTarget }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement) || target.ariaExpanded !== 'true') return false
  return currentTarget.querySelector('[role="option"]')?.checkVisibility() === true
}

function AddFilter({
  filters,
  onChange,
  onEdit,
}: Pick<FilterBarProps, 'filters' | 'onChange'> & Pick<ChipProps, 'onEdit'>) {
  const t = useText(messages)
  const left = filters.filter(
    ({ values, choices, field }) =>
      values.length === 0 && (choices.length > 0 || field !== undefined),
  )
  if (left.length === 0) return null
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button variant="subtle" color="gray" leftSection={<ListFilter size={16} aria-hidden />}>
          {t('filter_add')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {left.map(({ name, title, choices, field }) =>
          field === undefined ? (
            <Menu.Sub key={name}>
              <Menu.Sub.Target>
                <Menu.Sub.Item>{title}</Menu.Sub.Item>
              </Menu.Sub.Target>
              <Menu.Sub.Dropdown className="filter-menu">
                {choices.map((choice) => (
                  <Menu.Item key={choice.value} onClick={() => onChange(name, [choice.value])}>
                    {choice.title}
                  </Menu.Item>
                ))}
              </Menu.Sub.Dropdown>
            </Menu.Sub>
          ) : (
            <Menu.Item key={name} onClick={() => onEdit(name)}>
              {title}
            </Menu.Item>
          ),
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
