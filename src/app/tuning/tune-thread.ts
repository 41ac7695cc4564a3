// What is tuned inside the process, for the thread that calls it. The setting `tuning` switches it
// off, together with process-tuning.ts. Reasons and figures: docs/decisions/0013-tuning.md.

import { setBackground } from '../../kernel/async/background.ts'
import type { Config } from '../../kernel/config.ts'
import { keepTickShape } from './keep-tick-shape.ts'
import { LOW_PRIORITY } from './yield-processor.ts'

/** Before the thread starts other threads or processes. */
export function tuneThread({ tuning }: Pick<Config, 'tuning'>): void {
  if (tuning === 'off') return
  setBackground(LOW_PRIORITY)
  void keepTickShape()
}
