// The button that deletes the record of a panel, after a question that names what goes.

import { Button } from '@mantine/core'
import type { QueryKey } from '@tanstack/react-query'
import { useState } from 'react'
import { useAct } from '../../data/use-act.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { useAdmin } from './use-admin.ts'

export interface DeleteRecordProps {
  readonly send: () => Promise<unknown>
  /** The keys of the answers that are asked for again. */
  readonly touches: readonly QueryKey[]
  /** A verb with its object; on the button and in the question. */
  readonly act: string
  readonly title: string
  readonly why: string
  /** Said once it is done. */
  readonly done: string
}

export function DeleteRecord({ send, touches, act, title, why, done }: DeleteRecordProps) {
  const { close } = useAdmin()
  const [isOpen, setOpen] = useState(false)
  const remove = useAct({ act: send, touches: () => touches, say: () => done, onDone: close })
  return (
    <>
      <Button color="red" variant="light" onClick={() => setOpen(true)}>
        {act}
      </Button>
      <Confirm
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={title}
        act={act}
        isPending={remove.isPending}
        onAct={() => remove.mutate(undefined)}
      >
        {why}
      </Confirm>
    </>
  )
}
