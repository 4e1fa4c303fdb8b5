import { planName } from '../../contract/plans.js'
import { probeCatalogue } from '../../contract/probe-catalogue.js'

/** What every run does beside its probes. */
const beside: Readonly<Record<string, string>> = {
  restore: 'Puts the inventory back as it was',
  'asked-again': 'Asked again after a 429 that nobody had provoked',
}

/** What a probe does, for people; an id that is not known stays as it is. */
export const probeName = (id: string): string =>
  Object.hasOwn(probeCatalogue, id) ? probeCatalogue[id as keyof typeof probeCatalogue].title : (beside[id] ?? id)

/** On whose account a request went: a plan's key, a request without a valid key, or whichever key needs it. */
export const keyName = (key: string): string =>
  key === 'strangers' ? 'No valid key' : key === 'any' ? 'Any key' : planName(key)
