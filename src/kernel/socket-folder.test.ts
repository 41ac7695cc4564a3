import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSocketFolder } from './socket-folder.ts'

test('a path of exactly the longest address is used as it is', () => {
  const folder = `/${'d'.repeat(107 - '/'.length - '/casework.sock'.length)}`
  assert.equal(openSocketFolder(folder, 'casework.sock', 'linux').path, folder)
})

test('a deep folder is refused where it cannot be reached through a handle', () => {
  assert.throws(
    () => openSocketFolder(`/${'d'.repeat(120)}`, 'casework.sock', 'darwin'),
    /KERNEL_SOCKET_FOLDER_TOO_DEEP.*103 bytes.*CASEWORK_DATA_DIR/,
  )
})
