import { withoutHeaders } from '../http/header-edits.js'
import { faultsOf } from './fault.js'

/** Departures from §9. */
export const versioningFaults = faultsOf('VER', [
  {
    id: 'deprecation-unmarked',
    breaks: ['VER-1'],
    sentence: 'GET /pets/{petId} has neither Deprecation nor Sunset.',
    depart: () => ({ finish: (answer) => withoutHeaders(answer, 'Deprecation', 'Sunset') }),
  },
])
