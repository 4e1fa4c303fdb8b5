import { faults, variations } from '../../reference-server/faults/catalogue.js'
import { probeReference } from '../../src/cli/commands/probes.js'
import { surfaces } from '../../src/cli/flags/all.js'
import { clientChecks } from '../../src/client-audit/checks/judge-client.js'
import { clauses } from '../../src/contract/clauses.js'
import { schemaTables } from '../../src/kit/schema-tables.js'
import { allChecks, probes } from '../../src/run/registry.js'
import { checkReference } from './check-reference.js'
import { commandReference } from './command-reference.js'
import { faultReference } from './fault-reference.js'
import { schemas } from './published-files.js'
import { shippedFiles } from './shipped-files.js'

/** The generated parts of the reference pages, in Markdown, by page. */
export const references = (): Readonly<Record<string, string>> => ({
  commands: commandReference(surfaces),
  probes: probeReference(probes),
  checks: checkReference(clauses, [...allChecks, ...clientChecks]),
  faults: faultReference(faults, variations),
  'shipped-files': shippedFiles(),
  configuration: schemaTables(schemas.quotaspec),
  'scenario-file': schemaTables(schemas.scenario),
  'contract-file': schemaTables(schemas.contract),
})
