// The thread of end-with-parent.ts. The main thread may calculate for minutes without a look at
// its events, so a thread of its own waits for the end of standard input.

import { Socket } from 'node:net'
import { isMainThread } from 'node:worker_threads'

if (!isMainThread) watchStandardInput()

// A blocking read could not be stopped when the process has done its work.
function watchStandardInput(): void {
  new Socket({ fd: 0, writable: false }).on('error', end).on('end', end).resume()
}

function end(): void {
  process.kill(process.pid, 'SIGKILL')
}
