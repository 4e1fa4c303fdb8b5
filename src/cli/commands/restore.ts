import { exitCodes } from '../../assembly/exit-code.js'
import { type UnfinishedRun, unfinishedIn } from '../../evidence/unfinished.js'
import { UsageError } from '../../kit/usage-error.js'
import { finishEarlierRun } from '../../run/folder/earlier-run.js'
import { inUseBy } from '../../run/folder/folder-lock.js'
import { takeFolder } from '../../run/folder/take-folder.js'
import { readKeyFile } from '../../run/options/key-file.js'
import { givenKeys, parseEnterpriseQuota } from '../../run/options/keys.js'
import { type SafetyFlags, safetyOf } from '../../run/options/safety.js'
import { parseTarget } from '../../run/options/target.js'
import { exitOfProcess } from '../process/exit-of-process.js'

type Args = SafetyFlags & {
  readonly dir: string
  readonly target?: string
  readonly key?: readonly string[]
  readonly quota?: readonly string[]
}

const checkTarget = (given: string | undefined, saved: string): string => {
  // A saved run may come from elsewhere: keys go where the user says, never where a file says.
  if (given === undefined) throw new UsageError(`--target is missing: the run was against ${saved}`)
  const baseUrl = parseTarget(given)
  if (baseUrl !== saved) throw new UsageError(`--target ${baseUrl}: the run was against ${saved}`)
  return baseUrl
}

const say = (text: string) => process.stderr.write(`${text}\n`)

/** Has the folder to itself meanwhile: a run that is still going on puts back by itself what it has changed. */
const putBack = async (args: Args): Promise<number> => {
  const { dir } = args
  // Where nothing is to be written, nothing has to be writable.
  const isNeeded = inUseBy(dir) !== undefined || unfinishedIn(dir) !== undefined
  const lock = isNeeded ? await takeFolder('restore', dir, 'restore', exitOfProcess) : undefined
  try {
    return await restoreAlone(args, unfinishedIn(dir))
  } finally {
    lock?.release()
  }
}

const restoreAlone = async (args: Args, unfinished: UnfinishedRun | undefined): Promise<number> => {
  const { dir } = args
  if (!unfinished) {
    say(`${dir}: nothing is left to put back`)
    return exitCodes.pass
  }
  const baseUrl = checkTarget(args.target, unfinished.run.baseUrl)
  const file = args['key-file'] === undefined ? [] : readKeyFile(args['key-file'])
  const keys = givenKeys([...(args.key ?? []), ...file], process.env, parseEnterpriseQuota(args.quota ?? []))
  if (keys.length === 0) throw new UsageError('no key was given: set QUOTASPEC_KEY_FREE, or add --key free=YOUR-KEY')
  const interrupt = new AbortController()
  process.once('SIGINT', () => interrupt.abort(new DOMException('interrupted', 'AbortError')))
  const left = await finishEarlierRun({
    folder: dir,
    unfinished,
    baseUrl,
    keys,
    safety: safetyOf(args),
    signal: interrupt.signal,
    say,
  }).catch((error: unknown) => {
    say(`not put back: ${error instanceof Error ? error.message : error}`)
    return unfinishedIn(dir)?.pets ?? []
  })
  for (const { petId, quantity } of left) say(`pet ${petId} had the quantity ${quantity}, and has not got it back`)
  say(`put back: ${unfinished.pets.length - left.length} of ${unfinished.pets.length}`)
  return left.length === 0 ? exitCodes.pass : exitCodes.inconclusive
}

/** Puts back what a run that was ended too early left changed. */
export const restore = async (args: Args): Promise<void> => {
  process.exitCode = await putBack(args)
}
