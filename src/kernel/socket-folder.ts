// Unix sockets in folders of any depth: the address of a socket holds about a hundred bytes, a data
// folder may be deeper.

import { closeSync, constants, openSync } from 'node:fs'
import { join } from 'node:path'
import { socketFolderTooDeep } from './errors.ts'

// sun_path of sockaddr_un without its final NUL: 108 bytes on Linux (unix(7)), 104 on macOS and the
// BSDs.
const SOCKET_PATH_BYTES_MAX = { linux: 107, elsewhere: 103 }

export interface SocketFolder {
  /**
   * A path of the folder that is short enough; in a deep folder it is valid in this process only,
   * and until `close`.
   */
  readonly path: string
  /** Safe to call twice. */
  readonly close: () => void
}

/**
 * Returns a path of `folder` under which a socket called `fileName` can be bound and reached. On
 * Linux a deep folder is reached through an open handle on it; elsewhere it is refused with the
 * advice to choose a shorter one.
 */
export function openSocketFolder(
  folder: string,
  fileName: string,
  platform: string = process.platform,
): SocketFolder {
  const bytesMax = SOCKET_PATH_BYTES_MAX[platform === 'linux' ? 'linux' : 'elsewhere']
  if (Buffer.byteLength(join(folder, fileName)) <= bytesMax) {
    return { path: folder, close: () => undefined }
  }
  if (platform !== 'linux') throw socketFolderTooDeep(folder, bytesMax)
  // Not a symbolic link from a temporary folder: that would be one more thing to clean up, and for
  // others to tamper with.
  const handle = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY)
  let isOpen = true
  return {
    path: `/proc/self/fd/${handle}`,
    close: () => {
      if (isOpen) closeSync(handle)
      isOpen = false
    },
  }
}
