// Every page of the console. A page of the frame is a child of `frameRoute` and is seen by people
// who are signed in; the others stand for themselves.

import { frameRoute, notFoundRoute } from './frame/route.ts'
import { accountRoute, enrolRoute } from './pages/account/route.ts'
import { adminRoute, sectionRoute } from './pages/admin/route.ts'
import { caseRoute } from './pages/case/route.ts'
import { casesRoute } from './pages/cases/route.ts'
import { checkRoute } from './pages/check/route.ts'
import { customerRoute } from './pages/customer/route.ts'
import { customersRoute } from './pages/customers/route.ts'
import { deviceRoute } from './pages/device/route.ts'
import { eventsRoute } from './pages/events/route.ts'
import { lookupRoute } from './pages/lookup/route.ts'
import { noticesRoutes } from './pages/notices/route.ts'
import { overviewRoute } from './pages/overview/route.ts'
import { partsRoute } from './pages/parts/route.ts'
import { playbookRoute } from './pages/playbook/route.ts'
import { playbookEditRoute } from './pages/playbook-edit/route.ts'
import { playbooksRoute } from './pages/playbooks/route.ts'
import { reportRoute } from './pages/report/route.ts'
import { reportsRoute } from './pages/reports/route.ts'
import { rulesRoutes } from './pages/rules/route.ts'
import { runRoute } from './pages/run/route.ts'
import { runsRoute } from './pages/runs/route.ts'
import { searchRoute } from './pages/search/route.ts'
import { forgottenRoute, signInRoute } from './pages/sign-in/route.ts'
import { sourcesRoutes } from './pages/sources/route.ts'
import { startRoute } from './pages/start/route.ts'
import { tagRoute, tagsRoute } from './pages/tags/route.ts'
import { welcomeRoute } from './pages/welcome/route.ts'
import { rootRoute } from './root-route.ts'

export const routeTree = rootRoute.addChildren([
  deviceRoute,
  enrolRoute,
  forgottenRoute,
  signInRoute,
  welcomeRoute,
  frameRoute.addChildren([
    reportsRoute,
    reportRoute,
    eventsRoute,
    customersRoute,
    customerRoute,
    accountRoute,
    adminRoute,
    caseRoute,
    casesRoute,
    checkRoute,
    lookupRoute,
    partsRoute,
    playbookEditRoute,
    playbookRoute,
    playbooksRoute,
    runRoute,
    runsRoute,
    ...noticesRoutes,
    ...rulesRoutes,
    searchRoute,
    sectionRoute,
    ...sourcesRoutes,
    startRoute,
    tagRoute,
    tagsRoute,
    overviewRoute,
    notFoundRoute,
  ]),
])
