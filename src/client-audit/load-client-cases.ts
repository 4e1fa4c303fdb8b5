import { checkYaml, readYaml, yamlFileOf } from '../kit/yaml-file.js'
import { type ClientCases, clientCasesSchema } from './client-cases.js'

/** Reads a file of cases and checks every field. Throws a {@link UsageError} that names file, line and field. */
export const loadClientCases = (nameOrPath: string, folder: string): ClientCases => {
  const place = readYaml(yamlFileOf(nameOrPath, folder, 'file of cases'), 'a case')
  return checkYaml(place, clientCasesSchema, place.value, [])
}
