import { existsSync, statSync } from 'node:fs'
import { UsageError } from '../../kit/usage-error.js'
import { checkYaml, parseYaml, readYaml, type YamlFile } from '../../kit/yaml-file.js'
import type { ApiContract } from '../api-contract.js'
import { type ContractFileInput, contractFileSchema } from './contract-file-schema.js'
import { inWordsOfToday } from './old-words.js'
import { readOpenApi } from './openapi-document.js'
import { refusedIn } from './refused.js'
import { schemeNotes } from './scheme-notes.js'
import { settleCredentials } from './settle-credentials.js'
import { settleHeaders, settleRetryAfter } from './settle-headers.js'
import { settleQuotas } from './settle-quotas.js'
import { settleRefusals } from './settle-refusals.js'
import { settleRequests } from './settle-requests.js'

/** A contract file, read. */
export interface LoadedContract {
  readonly contract: ApiContract
  readonly file: string
  /** The base addresses that the OpenAPI document names; none where there is no document. */
  readonly servers: readonly string[]
  /** What is no mistake, but may be one: a sentence each, with file and line. */
  readonly notes: readonly string[]
}

/**
 * Reads a contract file and settles it: presets spelt out, operations made requests, limits by credential. Nothing is sent,
 * and no variable of the environment is read. Throws a {@link UsageError} that names file, line and field, and says what to
 * write instead.
 */
export const loadContract = async (path: string): Promise<LoadedContract> => {
  if (!existsSync(path) || !statSync(path).isFile()) throw new UsageError(`--contract ${path}: there is no such file`)
  return settleContract(readYaml(path, 'a contract'))
}

/** The same of a contract that was read already. */
const settleContract = async (given: YamlFile): Promise<LoadedContract> => {
  const { place, notes } = inWordsOfToday(given)
  const { file: path } = place
  const refused = refusedIn(place)
  const file = checkYaml(place, contractFileSchema, place.value, [])
  const document = file.openapi === undefined ? undefined : await readOpenApi(path, file.openapi, refused)
  const credentials = settleCredentials(file, refused)
  const requests = settleRequests(file, { credentials, document, refused })
  const headers = settleHeaders(file, refused)
  const refusals = settleRefusals(place, file, requests, refused)
  const quotas = settleQuotas(file, { credentials, requests, headers }, refused)
  return {
    contract: { name: file.name, credentials, requests, headers, retryAfter: settleRetryAfter(file), refusals, quotas },
    file: path,
    servers: document?.servers ?? [],
    notes: [...notes, ...(document ? schemeNotes(place, credentials, document) : [])],
  }
}

/** What errors call a contract that stands in no file. */
const givenName = 'contract'

/**
 * Settles a contract that was given as a value, with the fields of a file. Paths in it lead from the working directory.
 * Throws a {@link UsageError} that names the field.
 */
export const settleGivenContract = async (given: ContractFileInput): Promise<LoadedContract> =>
  settleContract({ ...parseYaml(JSON.stringify(given), givenName, 'a contract'), isValue: true })
