import type { QuotaRow } from './model.js'

/** Families of limiters that share a ceiling. */
export type Family = 'log' | 'bucket' | 'windows'

/** The family of a limiter model, by its name. */
export const familyOf = (model: string): Family =>
  /log/.test(model) ? 'log' : /bucket|gcra/.test(model) ? 'bucket' : 'windows'

/** The families of which some limiter accounts for all that was seen. */
export const familiesThatExplain = ({ models }: Pick<QuotaRow, 'models'>): ReadonlySet<Family> =>
  new Set(Object.entries(models).flatMap(([name, verdict]) => (verdict === 'explained' ? [familyOf(name)] : [])))
