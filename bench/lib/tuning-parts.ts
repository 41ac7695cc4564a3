// Loaded into a server before it starts (`--import`): switches on the parts of src/app/tuning that
// BENCH_TUNING_PARTS names and that act inside the process. The setting `tuning` of that server is
// off, so it has no other part (bench/tuning.ts).

import { isMainThread } from 'node:worker_threads'
import { keepTickShape } from '../../src/app/tuning/keep-tick-shape.ts'
import { releaseStartMemory } from '../../src/app/tuning/release-memory.ts'
import { whenQuiet } from '../../src/app/tuning/when-quiet.ts'
import { LOW_PRIORITY } from '../../src/app/tuning/yield-processor.ts'
import { setBackground } from '../../src/kernel/async/background.ts'

const parts = (process.env['BENCH_TUNING_PARTS'] ?? '').split(',')

if (isMainThread) {
  if (parts.includes('tick')) void keepTickShape()
  if (parts.includes('release')) whenQuiet(releaseStartMemory)
  if (parts.includes('priority')) setBackground(LOW_PRIORITY)
}
