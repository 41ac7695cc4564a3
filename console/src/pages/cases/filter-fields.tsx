// The fields of filters whose values are typed: a text, a customer, days.

import { Autocomplete, Button, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { casework } from '../../data/client.ts'
import { useText } from '../../messages/use-text.ts'
import type { FilterFieldProps } from '../../parts/filter-form.tsx'
import { messages } from './messages.ts'
import { joinDays, splitDays } from './time-span.ts'

interface TextFieldProps extends FilterFieldProps {
  readonly label: string
  readonly hint?: string | undefined
  /** Suggestions; any other text is taken too. */
  readonly known?: readonly string[] | undefined
}

export function TextField({ value, onApply, label, hint, known = [] }: TextFieldProps) {
  const t = useText(messages)
  const [text, setText] = useState(value ?? '')
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    onApply(text.trim())
  }
  return (
    <form onSubmit={submit} className="filter-field">
      <Autocomplete
        label={label}
        placeholder={hint}
        data-autofocus
        data={[...known]}
        limit={12}
        comboboxProps={{ withinPortal: false }}
        value={text}
        onChange={setText}
        onOptionSubmit={(chosen) => onApply(chosen)}
      />
      <Button type="submit">{t('apply')}</Button>
    </form>
  )
}

const TYPING_MS = 200
const FOUND_MAX = 10

/** Finds customers by name; an id that is not recorded is taken as it is. */
export function CustomerField({
  value,
  onApply,
  label,
}: FilterFieldProps & { readonly label: string }) {
  const t = useText(messages)
  const [text, setText] = useState(value ?? '')
  const [settled] = useDebouncedValue(text.trim(), TYPING_MS)
  const { data } = useQuery({
    queryKey: ['search', 'customer', settled],
    queryFn: () =>
      casework.get('/beta/casework/search', {
        params: { query: { q: settled, kind: 'customer', limit: FOUND_MAX } },
      }),
    enabled: settled.length >= 2,
    placeholderData: (former) => former,
  })
  const found = (data?.items ?? []).map(({ id, title }) => ({ value: id, label: title }))
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    onApply(text.trim())
  }
  return (
    <form onSubmit={submit} className="filter-field">
      <TextInput
        label={label}
        placeholder={t('find_customer')}
        data-autofocus
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit">{t('apply')}</Button>
      {found.length > 0 && (
        <ul className="filter-found">
          {found.map((one) => (
            <li key={one.value}>
              <button type="button" className="filter-choice" onClick={() => onApply(one.value)}>
                <span className="cut">{one.label}</span>
                <span className="dim small cut">{one.value}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </form>
  )
}

/** Days of the zone that the person chose; one of them may be left out. */
export function DaysField({ value, onApply }: FilterFieldProps) {
  const t = useText(messages)
  const [first, last] = splitDays(value ?? '')
  const [from, setFrom] = useState(first)
  const [to, setTo] = useState(last)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    onApply(joinDays(from, to))
  }
  return (
    <form onSubmit={submit} className="filter-field">
      <TextInput
        type="date"
        label={t('from_day')}
        value={from}
        max={to === '' ? undefined : to}
        onChange={(event) => setFrom(event.currentTarget.value)}
      />
      <TextInput
        type="date"
        label={t('to_day')}
        value={to}
        min={from === '' ? undefined : from}
        onChange={(event) => setTo(event.currentTarget.value)}
      />
      <Button type="submit">{t('apply')}</Button>
    </form>
  )
}
