// Puts a text on the clipboard. Browsers offer their clipboard on secure pages only; elsewhere the
// selection of a field does it.

export async function copyText(text: string): Promise<void> {
  if ('clipboard' in navigator && window.isSecureContext) {
    await navigator.clipboard.writeText(text)
    return
  }
  const field = document.createElement('textarea')
  field.value = text
  field.className = 'hidden-text'
  document.body.append(field)
  field.select()
  document.execCommand('copy')
  field.remove()
}
