// Which columns a table shows; the page keeps the hidden ones in its URL.

import { Button, Menu } from '@mantine/core'
import { Columns3 } from 'lucide-react'
import { useText } from '../messages/use-text.ts'
import { messages } from './messages.ts'

export interface ColumnMenuProps {
  readonly columns: readonly { readonly id: string; readonly title: string }[]
  readonly hidden: readonly string[]
  readonly onChange: (hidden: readonly string[]) => void
}

export function ColumnMenu({ columns, hidden, onChange }: ColumnMenuProps) {
  const t = useText(messages)
  const isLast = columns.length - hidden.length <= 1
  return (
    <Menu closeOnItemClick={false}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          className="only-wide"
          leftSection={<Columns3 size={16} aria-hidden />}
        >
          {t('columns')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {columns.map(({ id, title }) => {
          const isShown = !hidden.includes(id)
          return (
            <Menu.CheckboxItem
              key={id}
              checked={isShown}
              disabled={isShown && isLast}
              onChange={() =>
                onChange(isShown ? [...hidden, id] : hidden.filter((one) => one !== id))
              }
            >
              {title}
            </Menu.CheckboxItem>
          )
        })}
      </Menu.Dropdown>
    </Menu>
  )
}
