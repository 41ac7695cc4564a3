// Makes a new or renamed file of a folder last: its name is on the disk only when its folder is.

import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Returns once the names in this folder would survive a power cut. */
export function syncFolder(folder: string): void {
  // Windows does not open folders.
  if (process.platform === 'win32') return
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
