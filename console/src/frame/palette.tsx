// The command palette: pages, acts, items to look up, and what the search of the interface finds.

import { Modal, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { type KeyboardEvent, useId, useState } from 'react'
import { usePaletteActs } from '../keys/acts.ts'
import { useText } from '../messages/use-text.ts'
import { KeyCaps } from './key-caps.tsx'
import { messages } from './messages.ts'
import { isItem, pathOfSearch } from './path-of-search.ts'
import { useFoundActs } from './use-found-acts.ts'
import { useRailEntries } from './use-rail-entries.ts'

interface Entry {
  readonly id: string
  readonly title: string
  readonly group: string
  readonly keys?: string | undefined
  readonly words?: string | undefined
  readonly run: () => void
}

// More than a person reads; typing one more letter finds the rest.
const SHOWN_MAX = 30

export function Palette({ onClose }: { readonly onClose: () => void }) {
  const t = useText(messages)
  const listId = useId()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const entries = useEntries(text)
  const active = Math.min(at, entries.length - 1)
  const run = (entry: Entry | undefined): void => {
    if (entry === undefined) return
    onClose()
    entry.run()
  }
  const press = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : -1
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      setAt((active + step + entries.length) % Math.max(1, entries.length))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      run(entries[active])
    }
  }
  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      title={<span className="hidden-text">{t('palette')}</span>}
      centered={false}
      yOffset="12vh"
      size={560}
      padding={0}
      styles={{ header: { position: 'absolute', minHeight: 0 } }}
    >
      <TextInput
        data-autofocus
        variant="unstyled"
        role="combobox"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={entries[active] === undefined ? undefined : `${listId}-${active}`}
        aria-label={t('palette')}
        placeholder={t('palette_hint')}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setAt(0)
        }}
        onKeyDown={press}
        leftSection={<Search size={18} aria-hidden />}
        styles={{ input: { height: 48, borderBottom: '1px solid var(--line)', borderRadius: 0 } }}
      />
      <div id={listId} role="listbox" aria-label={t('palette')} className="palette-list">
        {entries.map((entry, index) => (
          <div key={entry.id}>
            {entry.group !== entries[index - 1]?.group && (
              <div className="palette-group" role="presentation">
                {entry.group}
              </div>
            )}
            <div
              role="option"
              id={`${listId}-${index}`}
              aria-selected={index === active}
              tabIndex={-1}
              className="palette-act"
              ref={(element) => {
                if (index === active) element?.scrollIntoView({ block: 'nearest' })
              }}
              onMouseMove={() => setAt(index)}
              onClick={() => run(entry)}
              onKeyDown={press}
            >
              <span className="cut">{entry.title}</span>
              {entry.keys !== undefined && <KeyCaps keys={entry.keys} />}
            </div>
          </div>
        ))}
        {entries.length === 0 && <div className="palette-group">{t('palette_none')}</div>}
      </div>
    </Modal>
  )
}

function useEntries(text: string): readonly Entry[] {
  const t = useText(messages)
  const navigate = useNavigate()
  const found = useFoundActs(text)
  const acts = usePaletteActs()
  const pages = useRailEntries()
  const go = (to: string) => () => void navigate({ to })
  const own: readonly Entry[] = [
    ...pages.map(({ path, title, key }) => ({
      id: path,
      title: t(title),
      group: t('group_go'),
      keys: `g ${key}`,
      run: go(path),
    })),
    { id: '/account', title: t('account'), group: t('group_go'), run: go('/account') },
    ...acts.map((act) => ({ ...act, group: t('group_acts') })),
  ]
  const asked = text.trim().toLowerCase()
  const fitting = own.filter(({ title, words = '' }) =>
    asked.split(/\s+/).every((word) => `${title} ${words}`.toLowerCase().includes(word)),
  )
  const item = text.trim()
  const lookup = isItem(item)
    ? [
        {
          id: 'item',
          title: t('look_up_item', { item }),
          group: t('group_found'),
          run: go(pathOfSearch(item)),
        },
      ]
    : []
  const records = found.map((one) => ({ ...one, group: t('group_found'), run: go(one.path) }))
  return [...lookup, ...fitting, ...records].slice(0, SHOWN_MAX)
}
