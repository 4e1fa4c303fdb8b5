import { existsSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { type DocumentOperation, readOpenApi } from '../../contract/file/openapi-document.js'
import { settling } from '../../contract/file/refused.js'
import { mostRequests } from '../../discovery/ask-gently.js'
import type { Asked } from '../../discovery/discovered.js'
import { UsageError } from '../../kit/usage-error.js'
import { thisProgram } from '../../run/machine.js'
import { parseTarget, tlsOf } from '../../run/options/target.js'
import { drafting } from '../discover/discover-api.js'
import type { ArgsOf } from '../flags/command.js'
import type { contractCommands } from '../flags/contracts.js'
import { unlessInterrupted } from '../output/interruption.js'

const nextStep = (out: string, { target, credentials }: Asked): string =>
  [
    `${out}: read its comments, and write what is missing; then:`,
    `${Object.values(credentials)
      .map(({ env }) => `${env}=… `)
      .join('')}${thisProgram()} plan --contract ${out} --target ${target}`,
  ].join('\n')

const isPlain = ({ method, path, parameters, elsewhere }: DocumentOperation): boolean =>
  method === 'GET' && !elsewhere && !path.includes('{') && parameters.every(({ required }) => required !== true)

/** The most operations of a document for which there are enough requests. */
const most = 3

/** The paths of a document's simplest operations: GETs that need no parameter. The shortest come first. */
const documentPaths = async (file: string): Promise<readonly string[]> => {
  const { operations } = await settling(
    () => readOpenApi(file, basename(file)),
    (_, why) => new UsageError(`--openapi ${file}: ${why}`),
  )
  const paths = [...operations.values()].filter(isPlain).map(({ path }) => path)
  if (paths.length === 0)
    throw new UsageError(`--openapi ${file}: it has no GET without required parameters: give --probe`)
  return paths.sort((a, b) => a.length - b.length).slice(0, most)
}

export const discover = async (args: ArgsOf<typeof contractCommands.discover>): Promise<void> => {
  const target = parseTarget(args.target)
  const { out, header, limit, window } = args
  if (out !== undefined && existsSync(out))
    throw new UsageError(
      `--out ${out}: it exists already, and a draft must not overwrite a contract: name another file`,
    )
  const tls = tlsOf(args)
  const named = args.openapi === undefined || args.probe.length > 0 ? args.probe : await documentPaths(args.openapi)
  const paths = named.length > 0 ? named : ['/']
  const draft = drafting({ target, header, paths, limit, window, tls })
  await unlessInterrupted(async (signal) => {
    process.stderr.write(`asking ${target}, ${mostRequests} requests at most, one at a time\n`)
    const { asked, text, summary } = await draft(signal)
    if (out === undefined) {
      process.stderr.write(`${summary}\n`)
      process.stdout.write(text)
    } else {
      writeFileSync(out, text, { flag: 'wx' })
      process.stdout.write(`${summary}\n${nextStep(out, asked)}\n`)
    }
  })
}
