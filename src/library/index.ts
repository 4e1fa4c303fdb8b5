export { UsageError } from '../kit/usage-error.js'
export type { Report } from '../report/model.js'
export type { ContractSource, KeysGiven, PlanOptions, RunEvent, RunOptions, Secrets } from './options.js'
export { judge, type Plan, plan, readRun, run, type SavedRun } from './run.js'
