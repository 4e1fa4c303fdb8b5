import { readFileSync } from 'node:fs'
import { openApiText } from '../../contract/petstore/operations.js'
import { packageFile } from '../../kit/package-file.js'
import { schemaTables } from '../../kit/schema-tables.js'
import { UsageError } from '../../kit/usage-error.js'
import type { ArgsOf } from '../flags/command.js'
import type { contractCommands } from '../flags/contracts.js'

/** Prints the published JSON Schema of report.json or of a file that people write, or that file's reference. */
export const schema = ({ of, as }: ArgsOf<typeof contractCommands.schema>): void => {
  if (of === 'report' && as === 'markdown')
    throw new UsageError('schema report --as markdown: only files that people write have a reference')
  // A configuration file is called `quotaspec.yaml`, and editors look for its schema by that name.
  const text = readFileSync(packageFile('schema', `${of === 'config' ? 'quotaspec' : of}.schema.json`), 'utf8')
  process.stdout.write(as === 'json' ? text : schemaTables(JSON.parse(text)))
}

export const contract = (_args: ArgsOf<typeof contractCommands.contract>): void => {
  process.stdout.write(openApiText())
}
