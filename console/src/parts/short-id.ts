// An id where there is no room for all of it.

/** `C-01A2…C65D23`: ids begin with their time, and the end tells those of one minute apart. */
export function shortId(id: string): string {
  return id.length <= 16 ? id : `${id.slice(0, 6)}…${id.slice(-6)}`
}
