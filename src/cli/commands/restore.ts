import { existsSync } from 'node:fs'
import { exitCodes } from '../../assembly/exit-code.js'
import { type UnfinishedRun, unfinishedIn } from '../../evidence/unfinished.js'
import { UsageError, whyOf } from '../../kit/usage-error.js'
import { finishEarlierRun } from '../../run/earlier-run.js'
import { givenKeys, readKeyFile } from '../../run/options/keys.js'
import { settleOptions } from '../../run/options/settle-options.js'
import { safetyOf } from '../../run/options/target.js'
import { inUseBy, takeFolder } from '../../run/run-folder.js'
import { exitOfProcess, interruptibly } from '../output/interruption.js'
import { flagSource, type RunArgs } from '../run/configured-run.js'

type Args = RunArgs & { readonly dir: string }

const say = (text: string) => process.stderr.write(`${text}\n`)

const restoreAlone = async (args: Args, unfinished: UnfinishedRun | undefined): Promise<number> => {
  const { dir } = args
  if (!existsSync(dir))
    throw new UsageError(`${dir}: there is no such folder; give the one that the run was written to`)
  if (!unfinished) {
    say(`${dir}: nothing is left to put back`)
    return exitCodes.pass
  }
  const { baseUrl: saved } = unfinished.run
  // A saved run may come from anybody, so keys go only where the user says, never where a file says.
  if (args.target === undefined) throw new UsageError(`--target is missing: the run was against ${saved}`)
  const { options } = settleOptions([flagSource(args)])
  const { target: baseUrl, keyFile, quotas } = options
  if (baseUrl !== saved) throw new UsageError(`--target ${baseUrl}: the run was against ${saved}`)
  const keys = givenKeys([...options.keys, ...readKeyFile(keyFile)], process.env, quotas.enterprise)
  if (keys.length === 0) throw new UsageError('no key was given: set QUOTASPEC_KEY_FREE, or add --key free=YOUR-KEY')
  const safety = safetyOf(options, '--ca')
  const left = await interruptibly((signal) =>
    finishEarlierRun({ folder: dir, unfinished, baseUrl, keys, safety, signal, say }),
  ).catch((error: unknown) => {
    say(`not put back: ${whyOf(error)}`)
    return unfinishedIn(dir)?.pets ?? []
  })
  for (const { petId, quantity } of left) say(`pet ${petId} was not restored to the quantity ${quantity}`)
  say(`put back: ${unfinished.pets.length - left.length} of ${unfinished.pets.length}`)
  return left.length === 0 ? exitCodes.pass : exitCodes.inconclusive
}

/** Restores what an early end left changed. It locks the folder: a run still going restores its own changes. */
export const restore = async (args: Args): Promise<void> => {
  const { dir } = args
  // The folder has to be writable only if something will be written.
  const isNeeded = inUseBy(dir) !== undefined || unfinishedIn(dir) !== undefined
  const lock = isNeeded ? await takeFolder('restore', dir, 'restore', exitOfProcess) : undefined
  try {
    process.exitCode = await restoreAlone(args, unfinishedIn(dir))
  } finally {
    lock?.release()
  }
}
