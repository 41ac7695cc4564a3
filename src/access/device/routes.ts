// The routes of logins by code.

import type { Route } from '../../kernel/http/route.ts'
import { checkDeviceRoute, type DecideDeviceDeps, decideDeviceRoute } from './decide-device.ts'
import { type PollDeviceDeps, pollDeviceRoute } from './poll-device.ts'
import { type StartDeviceDeps, startDeviceRoute } from './start-device.ts'

export function deviceRoutes(
  deps: StartDeviceDeps & DecideDeviceDeps & PollDeviceDeps,
): readonly Route[] {
  return [
    startDeviceRoute(deps),
    pollDeviceRoute(deps),
    checkDeviceRoute(deps),
    decideDeviceRoute(deps),
  ]
}
