// One filter as a form: its choices, and a field for values that are typed.

import type { ReactNode } from 'react'

export interface FilterFieldProps {
  readonly value: string | undefined
  /** An empty text takes the filter away. */
  readonly onApply: (value: string) => void
}

/** One filter of a list. */
export interface FilterParts {
  readonly name: string
  readonly title: string
  readonly choices: readonly { readonly value: string; readonly title: string }[]
  /** The values that are set; none shows no chip. */
  readonly values: readonly string[]
  /** One choice takes the place of another; else several hold together. */
  readonly isSingle?: boolean
  /** A value that is no choice, in words. */
  readonly say?: (value: string) => string
  /** A form for values that are typed, under the choices. */
  readonly field?: (given: FilterFieldProps) => ReactNode
}

/** The values in words. */
export function sayValues({ choices, values, say }: FilterParts): string {
  return values
    .map((value) => choices.find((one) => one.value === value)?.title ?? say?.(value) ?? value)
    .join(', ')
}

/** The values after a press on a choice. */
export function toggleChoice(
  { values, isSingle = false }: FilterParts,
  value: string,
): readonly string[] {
  if (values.includes(value)) return values.filter((one) => one !== value)
  return isSingle ? [value] : [...values, value]
}

export interface FilterFormProps {
  readonly filter: FilterParts
  readonly onApply: (values: readonly string[]) => void
}

/** The choices as a list, and the form of the filter under them. */
export function FilterForm({ filter, onApply }: FilterFormProps) {
  const { choices, values, field } = filter
  return (
    <>
      {choices.length > 0 && (
        <ul className="filter-choices">
          {choices.map(({ value, title }) => (
            <li key={value}>
              <button
                type="button"
                className="filter-choice"
                aria-pressed={values.includes(value)}
                onClick={() => onApply(toggleChoice(filter, value))}
              >
                {title}
              </button>
            </li>
          ))}
        </ul>
      )}
      {field?.({
        value: values[0],
        onApply: (value) => onApply(value === '' ? [] : [value]),
      })}
    </>
  )
}
