// How the states of checks and steps look.

import { CircleCheck, CircleOff, CircleX, TriangleAlert } from 'lucide-react'

export const CHECK_STATES = {
  ok: ['green', CircleCheck],
  off: ['grey', CircleOff],
  degraded: ['amber', TriangleAlert],
  failed: ['red', CircleX],
} as const
