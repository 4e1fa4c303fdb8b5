import type { Report } from '../model.js'

/** What the rows of quotas are called in a report: the Petstore has plans, and a contract file names credentials. */
export interface HeldBy {
  readonly one: string
  readonly many: string
}

const plans: HeldBy = { one: 'Plan', many: 'Plans' }
const credentials: HeldBy = { one: 'Credential', many: 'Credentials' }

/** By what quotas are held in a report. */
export const heldBy = ({ target }: Pick<Report, 'target'>): HeldBy =>
  target.contract === undefined ? plans : credentials
