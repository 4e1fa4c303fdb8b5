import type { Check } from '../checks/framework/check.js'
import { contractOf } from '../contract/petstore/petstore.js'
import { type KeyLabel, splitAtKeyLabels } from '../evidence/credential-forms.js'
import type { Evidence } from '../evidence/evidence.js'
import { type Exchange, type HeaderLine, headerValues } from '../evidence/exchange.js'
import type { RunHead } from '../evidence/journal.js'
import { onceFor } from '../kit/once-for.js'
import type { CheckResult } from '../run/judge.js'
import type { ScheduledProbe } from '../run/plan/budget.js'
import { joinedPlan, planSection, sectionsOf } from '../run/plan/planning.js'
import { findProbe, neededProbes } from '../run/registry.js'

const witnessProbes = ({ exchanges, ledgers }: Evidence, { finding }: CheckResult<Check>): string[] =>
  finding.witnesses.flatMap((witness) =>
    'id' in witness
      ? exchanges.filter(({ id }) => id === witness.id).map(({ probe }) => probe)
      : ledgers.filter(({ head }) => head.id === witness.ledger).map(({ head }) => head.probe),
  )

/** Cache of {@link plannedAloneMs} by probe names, because many checks read the same probes. */
const knownAlone = onceFor((_: RunHead) => new Map<string, number | undefined>())

/** The planned time of these probes of a run, without repeats; undefined if an older version's run has other probes. */
const plannedAloneMs = (run: RunHead, ids: ReadonlySet<string>): number | undefined => {
  const wanted = run.probes.filter(({ probe }) => ids.has(probe))
  const known = knownAlone(run)
  const name = [...new Set(wanted.map(({ probe }) => probe))].join()
  if (!known.has(name)) known.set(name, plannedMs(run, wanted))
  return known.get(name)
}

const plannedMs = (run: RunHead, wanted: RunHead['probes']): number | undefined => {
  const scheduled = wanted.flatMap(({ probe: id, settings, quota }): ScheduledProbe[] => {
    const probe = findProbe(id)
    const read = probe?.settings.safeParse(settings)
    return probe && read?.success ? [{ probe, settings: read.data, quota }] : []
  })
  if (run.keys.length === 0 || scheduled.length < wanted.length) return undefined
  return joinedPlan(sectionsOf(run, scheduled).map((section) => planSection(section))).durationMs
}

/** The command that plays a check alone, with the probes that saw its breach, and the longest that this takes. */
export const aloneCommand = (evidence: Evidence, result: CheckResult<Check>) => {
  const { check, finding } = result
  const played = [...new Set(evidence.run.probes.map(({ probe }) => probe))]
  const needed = neededProbes(played, { only: [check.id], skip: [] }, [check])
  const seenBy = finding.verdict === 'fail' ? new Set(witnessProbes(evidence, result)) : new Set()
  const besides = played.filter((probe) => seenBy.has(probe) && !needed.includes(probe))
  const command = evidence.run.command.replace(/ --(?:only|with) \S+/g, '')
  const commandMs = plannedAloneMs(evidence.run, new Set([...needed, ...besides]))
  // The whole run's report stays in place: a check that is played alone has its own folder.
  const folder = `reports/only/${check.id.replace(/[^\w.-]/g, '-')}`
  const alone = [`--only ${check.id}`, ...besides.map((probe) => `--with ${probe}`), `--out ${folder}`]
  return { command: [command, ...alone].join(' '), ...(commandMs !== undefined && { commandMs }) }
}

/** The part of a run that tells where its keys came from. */
export type KeysOfRun = Pick<RunHead, 'keys' | 'contract'>

/** The variable that holds a key: the one the run took it from, else the one where a run looks for it. */
export const keyVariable = (run: KeysOfRun, name: string): string | undefined => {
  const own = run.keys.find((key) => key.name === name)?.variable
  return own ?? contractOf(run).credentials[name]?.env
}

/** The variable where a run looks for a key: a plan's second key comes from a flag, and has none of its own. */
export const readVariable = (run: KeysOfRun, name: string): string | undefined => {
  const plan = run.keys.find((key) => key.name === name)?.plan
  return keyVariable(run, run.keys.find((key) => key.plan === plan)?.name ?? name)
}

/** The variables that the report's commands use although the run's keys did not come from them: set these first. */
export const variablesToSet = (run: KeysOfRun): string[] =>
  run.keys.flatMap(({ name, variable }) => (variable === null ? (keyVariable(run, name) ?? []) : []))

/** A shell expression, from the environment, for what a key's label in the record stands for. */
const fromEnvironment = ({ name, form }: KeyLabel, run: KeysOfRun): string => {
  const variable = keyVariable(run, name)
  if (form === 'whole') return `"$${variable}"`
  // If Basic is agreed, the variable holds user and password, as they are sent.
  const pair = contractOf(run).credentials[name]?.scheme === 'basic' ? '%s' : '%s:'
  if (form === 'basic-pair') return `"$(printf ${pair} "$${variable}" | base64 | tr -d '\\n')"`
  if (form === 'other-case') return `"$(printf %s "$${variable}" | tr 'a-zA-Z' 'A-Za-z')"`
  if (form === 'other-case-pair')
    return `"$(printf '%s:%s' "$(printf %s "\${${variable}%%:*}" | tr 'a-zA-Z' 'A-Za-z')" "\${${variable}#*:}" | base64 | tr -d '\\n')"`
  if (form === 'percent-encoded') return `"$(printf %s "$${variable}" | od -An -v -tx1 | tr -d '\\n' | tr -s ' ' %)"`
  if ('to' in form) return `"$(printf %s "$${variable}" | sed 's/./${form.to}/${form.place}')"`
  return `"\${${variable}${form.at === 'front' ? '#' : '%'}${'?'.repeat(form.cutOff)}}"`
}

/** Recorded text as a shell word, with each key's label replaced by the environment variable that holds the key. */
const word = (text: string, run: KeysOfRun): string =>
  splitAtKeyLabels(text, (name) => keyVariable(run, name) !== undefined)
    .map((part) =>
      typeof part !== 'string' ? fromEnvironment(part, run) : part === '' ? '' : `'${part.replaceAll("'", "'\\''")}'`,
    )
    .join('')

const bodyOf = ({ body, headers }: Exchange['request'], run: KeysOfRun): string[] => {
  if (!body) return []
  // Otherwise curl would declare the body as a form.
  const declared = headerValues(headers, 'content-type').length > 0 ? [] : [`-H 'Content-Type:'`]
  const { encoding, content, truncated, bytes } = body
  if (encoding === 'utf8' && !truncated && !content.includes('\0'))
    return [...declared, `--data-raw ${word(content, run)}`]
  return [...declared, `--data-binary @body   # ${bytes} bytes, kept in the journal${truncated ? ' in part' : ''}`]
}

/** A command that repeats an exchange; the key stays in its environment variable. */
export const curlOf = ({ request }: Exchange, run: KeysOfRun): string =>
  [
    // Otherwise curl would print a compressed body as it comes.
    `curl -sS -i${headerValues(request.headers, 'accept-encoding').length > 0 ? ' --compressed' : ''}`,
    ...(request.method === 'GET' ? [] : [request.method === 'HEAD' ? '-I' : `-X ${request.method}`]),
    ...(/\/\.{1,2}(\/|\?|$)/.test(request.url) ? ['--path-as-is'] : []),
    word(request.url, run),
    ...request.headers.map(([name, value]: HeaderLine) => `-H ${word(`${name}: ${value}`, run)}`),
    ...bodyOf(request, run),
  ].join(' ')
