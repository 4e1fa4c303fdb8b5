import { expect, it } from 'vitest'
import { failingReport } from '../testing/failing-report.js'
import { healthyExchange } from '../testing/passing-report.js'
import { noneShownYet, shownInFull } from './exchange-view.js'

const shown = (x: typeof healthyExchange): string =>
  shownInFull(x, null, true, noneShownYet(failingReport))?.markup ?? ''
const ofLoad = { ...healthyExchange, request: { ...healthyExchange.request, headers: [] } }

it('says of a request whose headers a load did not keep which key it was sent with', () => {
  expect(shown({ ...ofLoad, key: 'free' })).toContain(
    'Sent with the key of Free. A load keeps no headers of its requests.',
  )
  expect(shown({ ...ofLoad, key: null })).toContain('Sent without a valid key.')
  expect(shown(healthyExchange)).not.toContain('A load keeps no headers')
})
