import { spawn } from 'node:child_process'
import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { AgentsMissing } from '../../agents/fleet.js'
import { executeRun } from '../../assembly/build-report.js'
import { exitCodes } from '../../assembly/exit-code.js'
import type { ApiContract } from '../../contract/api-contract.js'
import { unfinishedIn } from '../../evidence/unfinished.js'
import { attempt, UsageError, whyOf } from '../../kit/usage-error.js'
import { count, formatDuration, listInWords, present } from '../../kit/words.js'
import type { Report } from '../../report/model.js'
import { writeReports } from '../../report/write-files.js'
import { settleEarlierRun } from '../../run/earlier-run.js'
import { thisProgram } from '../../run/machine.js'
import { type PreparedRun, prepareRun } from '../../run/options/prepare-run.js'
import { type RunOptions, usual } from '../../run/options/run-options.js'
import type { SettledOptions } from '../../run/options/settle-options.js'
import { isLoopback } from '../../run/options/target.js'
import { usuallyUpToMs } from '../../run/plan/planning.js'
import type { CommandRunner } from '../../run/playing/events.js'
import { checkResumable, outOf, type ResumedRun, resumeRun } from '../../run/resume.js'
import { makeRoom, takeFolder } from '../../run/run-folder.js'
import { createDialogue, type Terminal } from '../output/dialogue.js'
import { exitOfProcess, untilInterrupted } from '../output/interruption.js'
import { createProgress } from '../output/progress.js'
import { runOutput, type ShownFlags } from '../output/summary.js'
import { withoutKeys } from '../output/uncaught-errors.js'
import { type ConfiguredArgs, configuredRun, type FleetArgs, refuseMissingKeys } from '../run/configured-run.js'
import type { openFleet } from '../run/run-fleet.js'
import type { createShownRun } from '../run/shown-run.js'

const loadOf = ({ scheduled, plan }: PreparedRun): { requests: number; connections: number } => {
  const loads = scheduled.filter(({ probe }) => probe.isLoad)
  const ids = new Set(loads.map(({ probe }) => probe.id))
  return {
    requests: plan.requests.reduce((sum, { probe, requests }) => (ids.has(probe) ? sum + requests : sum), 0),
    connections: Math.max(20, ...loads.map(({ settings }) => Number(settings.connections ?? 0))),
  }
}

/** A sentence that announces the loads; undefined if there are none. */
const loadInWords = (prepared: PreparedRun): string | undefined => {
  const { requests, connections } = loadOf(prepared)
  if (requests === 0) return undefined
  const most = prepared.scenario.limits?.mostRequestsPerSecond
  const pace =
    most === undefined
      ? `as fast as it answers over up to ${connections} connections (limits.mostRequestsPerSecond in the scenario can lower that)`
      : `at most ${most} a second`
  return `load on ${prepared.head.baseUrl}: up to ${requests} requests in all, ${pace}`
}

/** Announces load to an address other than this machine's; throws a {@link UsageError} unless it is confirmed. */
export const confirmLoad = async (prepared: PreparedRun, isConfirmed: boolean, terminal: Terminal): Promise<void> => {
  const load = loadInWords(prepared)
  if (!prepared.options.allowLoad || isLoopback(prepared.head.baseUrl) || load === undefined) return
  terminal.say(load)
  if (isConfirmed) return
  if (!terminal.isTTY) throw new UsageError('not a terminal, so nobody can confirm the load: pass --yes')
  // Leaving the question does not confirm it.
  const answer = await terminal.ask('send this load? (yes/no) ').catch(() => 'no')
  if (!/^y(es)?$/i.test(answer.trim())) throw new UsageError('the load was not confirmed; nothing was sent')
}

/** Warnings about who else can see the given keys. */
export const keyWarnings = ({ keys, keyFile }: Pick<RunOptions, 'keys' | 'keyFile'>): string[] => {
  const isOpen = keyFile !== undefined && process.platform !== 'win32' && (statSync(keyFile).mode & 0o077) !== 0
  return present(
    keys.length > 0 &&
      'other users of this machine can see keys on the command line, but not those in variables such as QUOTASPEC_KEY_FREE',
    isOpen && `${keyFile} can be read by other users of this machine: chmod 600 ${keyFile}`,
  )
}

const whatIsLeft = (folder: string): string => {
  try {
    const unfinished = unfinishedIn(folder)
    if (!unfinished) return 'nothing is left to put back'
    const rows = unfinished.pets.map(({ petId, quantity }) => `  pet ${petId} had the quantity ${quantity}`)
    const command = `${thisProgram()} restore ${folder} --target ${unfinished.run.baseUrl}`
    return ['the run changed these pets, and has not put them back:', ...rows, `put it back with: ${command}`].join(
      '\n',
    )
  } catch {
    return `${folder} lists what is still to be put back, as "touched"`
  }
}

/** Flags besides a run's options: how it is shown, and who sends it. */
type Args = ShownFlags & FleetArgs & { readonly resume?: string; readonly open?: boolean; readonly yes?: boolean }

type RunOutput = ReturnType<typeof runOutput>

/** Says before anything is sent what it will be, who can see the keys, and who may be listening. */
const announce = ({ plan, head, safety, options }: PreparedRun, requests: number, { say }: RunOutput): void => {
  for (const warning of keyWarnings(options)) say(`note: ${warning}`)
  if (safety.tls.insecure)
    say('WARNING: --insecure: quotaspec does not check certificates, and the keys go to whoever answers')
  const usual = formatDuration(usuallyUpToMs(plan))
  say(`${head.scenario} against ${head.baseUrl}: at most ${count(requests)} requests, usually up to ${usual}`)
}

/** Writes the reports; if the folder can't be written, says so, and the summary is still printed. */
const tryToWriteReports = (folder: string, report: Report): string | null => {
  try {
    return writeReports(folder, report)
  } catch (error) {
    process.stderr.write(`the reports can't be written: ${whyOf(error)}\n`)
    return null
  }
}

const clear = async (
  { resume }: Args,
  { head, keys, safety, options }: PreparedRun,
  signal: AbortSignal,
  { say }: RunOutput,
): Promise<void> => {
  if (resume !== undefined) {
    // If this part is killed, a report of the stopped part could be mistaken for that of the whole run.
    for (const name of ['report.json', 'report.html']) rmSync(join(resume, name), { force: true })
    return
  }
  const { out: folder } = options
  await settleEarlierRun({ folder, baseUrl: head.baseUrl, keys, safety, signal, say, readOnly: head.readOnly })
  makeRoom(folder, say)
}

/**
 * Runs a command of an event, with its standard error on the user's terminal. An aborted command is ended with everything
 * it started; one that ends by itself may leave processes behind, such as a server.
 */
const runCommand: CommandRunner = ([file = '', ...args], signal) =>
  new Promise((resolve) => {
    const child = spawn(file, args, { stdio: ['ignore', 'ignore', 'inherit'], detached: process.platform !== 'win32' })
    const end = () => {
      const { pid } = child
      // It may have ended already.
      if (pid !== undefined) attempt(() => process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL'))
    }
    const done = (result: number | string) => {
      signal.removeEventListener('abort', end)
      resolve(result)
    }
    signal.addEventListener('abort', end)
    // Waits for its own exit, because what it started may hold its output open.
    child.once('exit', (code, by) => done(code ?? by ?? 'no exit code'))
    child.once('error', (error) => done(error.message))
    if (signal.aborted) end()
  })

/** Plays the prepared run, in a folder locked by this process. Resolves to the exit code. */
const play = async (
  args: Args,
  prepared: PreparedRun,
  resumed: ResumedRun | undefined,
  shown: ReturnType<typeof createShownRun> | undefined,
): Promise<number> => {
  const { out } = prepared.options
  const requests = prepared.plan.requests.reduce((sum, row) => sum + row.requests, 0) - (resumed?.spent ?? 0)
  const output = runOutput(args)
  announce(prepared, requests, output)
  const terminal = createDialogue(process.stdin, process.stderr)
  await confirmLoad(prepared, args.yes ?? false, terminal).finally(terminal.rest)
  await shown?.begin(prepared, requests)
  const progress = createProgress(output.progress, { requests, durationMs: prepared.plan.durationMs })
  const { signal, release } = untilInterrupted(
    () => progress.say('stopping: putting the inventory back and writing the report (press again to stop at once)'),
    () => progress.say(`stopped at once: ${whatIsLeft(out)}`),
  )
  let agents: Awaited<ReturnType<typeof openFleet>> | undefined
  const end = async () => {
    progress.end()
    release()
    await agents?.close()
  }
  const execute = async () => {
    // The code for agents is loaded only if there are some.
    if (args.agents !== undefined)
      agents = await (await import('../run/run-fleet.js')).openFleet(args, prepared, signal)
    if (agents) progress.say(`sent by ${listInWords(agents.fleet.members.map(({ card }) => card.name))}`)
    await clear(args, prepared, signal, output)
    return executeRun(prepared, {
      out,
      interrupt: signal,
      watch(event) {
        progress.watch(event)
        shown?.watch(event)
      },
      resumed,
      fleet: agents?.fleet,
      runCommand,
    })
  }
  const { report, crashes } = await execute().finally(end)
  for (const { probe, error } of crashes) {
    // A full disk is no defect of this program, and a stack trace would not help.
    const isOfSystem = error instanceof Error && 'code' in error
    const text = isOfSystem
      ? `The system refused the ${probe}: ${error.message}`
      : `defect of quotaspec in ${probe}: ${error instanceof Error ? error.stack : error}`
    process.stderr.write(withoutKeys(`${text}\n`))
  }
  const path = tryToWriteReports(out, report)
  shown?.show(report)
  await output.conclude(report, path)
  return path === null ? exitCodes.harness : report.run.exitCode
}

/** Plays a scenario against a target, or resumes a stopped run. Resolves to the exit code. */
export const runScenario = async (args: Args, given: SettledOptions, contract?: ApiContract): Promise<number> => {
  const { resume } = args
  const out = resume === undefined ? given.options.out : outOf(resume, given.options.out, usual.out)
  const settled = { ...given, options: { ...given.options, out } }
  const prepared = prepareRun(settled, process.env, contract)
  if (resume !== undefined && args.agents !== undefined)
    throw new UsageError('--resume continues only what this machine sent: remove --agents')
  if (resume !== undefined) checkResumable(resume)
  const shown = args.open ? (await import('../run/shown-run.js')).createShownRun() : undefined
  const lock = await takeFolder(resume === undefined ? given.nameOf('out') : '--resume', out, 'run', exitOfProcess)
  try {
    const resumed = resume === undefined ? undefined : resumeRun(resume, prepared)
    return await play(args, resumed?.prepared ?? prepared, resumed, shown)
  } catch (error) {
    if (!(error instanceof AgentsMissing)) throw error
    process.stderr.write(`some agents are missing, so nothing was sent: ${error.message}\n`)
    return exitCodes.inconclusive
  } finally {
    lock.release()
    await shown?.end()
  }
}

export const run = async (args: ConfiguredArgs & Args): Promise<void> => {
  const { settled, contract, missing } = await configuredRun(args)
  refuseMissingKeys(missing, settled)
  process.exitCode = await runScenario(args, settled, contract)
}
