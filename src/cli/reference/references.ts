import { faults } from '../../../reference-server/faults/catalogue.js'
import { variations } from '../../../reference-server/variations/catalogue.js'
import { clientChecks } from '../../client-audit/checks/all.js'
import { clauses } from '../../contract/clauses.js'
import { checks } from '../../petstore/checks/all.js'
import { probes } from '../../run/plan/probe-registry.js'
import { surfaces } from '../surface/all.js'
import { checkReference } from './check-reference.js'
import { commandReference } from './command-reference.js'
import { faultReference } from './fault-reference.js'
import { fileTexts } from './file-schemas.js'
import { probeReference } from './probe-reference.js'
import { shippedFiles } from './shipped-files.js'

/** What the pages of the reference hold that is made from the code, in Markdown, by the name of the page. */
export const references = (): Readonly<Record<string, string>> => ({
  commands: commandReference(surfaces),
  probes: probeReference(probes),
  checks: checkReference(clauses, [...checks, ...clientChecks]),
  faults: faultReference(faults, variations),
  'shipped-files': shippedFiles(),
  configuration: fileTexts('config').markdown,
  'scenario-file': fileTexts('scenario').markdown,
  'contract-file': fileTexts('contract').markdown,
})
