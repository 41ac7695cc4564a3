// A page that could not be loaded or shown.

import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { Problem } from '../parts/problem.tsx'

export function RouteFailure({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const again = (): void => {
    reset()
    void router.invalidate()
  }
  return (
    <div className="page-body">
      <Problem error={error} onRetry={again} />
    </div>
  )
}
