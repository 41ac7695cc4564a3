// Puts a text on the clipboard, and says whether it is there. Browsers offer their clipboard on
// secure pages only; elsewhere the selection of a field does it.

import { textOf } from '../messages/use-text.ts'
import { messages } from './messages.ts'
import { showToast } from './toasts.ts'

/** `said` is told once the text is there: who believes that they have a secret must have it. */
export async function copyAndSay(text: string, said: string): Promise<void> {
  const isCopied = await copy(text)
  if (isCopied) showToast({ kind: 'done', text: said })
  else showToast({ kind: 'failure', text: textOf(messages)('not_copied') })
}

async function copy(text: string): Promise<boolean> {
  if (!('clipboard' in navigator) || !window.isSecureContext) return copyBySelection(text)
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // The browser or its owner does not allow it.
    return copyBySelection(text)
  }
}

function copyBySelection(text: string): boolean {
  const former = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.className = 'hidden-text'
  document.body.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  // The keyboard goes on where it was.
  if (former instanceof HTMLElement) former.focus()
  return isCopied
}
