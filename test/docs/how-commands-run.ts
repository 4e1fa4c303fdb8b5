/** How a command of the docs is tried. Each is parsed by the program's own parser besides. */
export type Way =
  /** Played to its end against a server of its own; it ends with 0. */
  | { readonly as: 'played' }
  /** Started, until it says that it listens. */
  | { readonly as: 'served' }
  /** `run` takes a minute or more: `plan` of the same flags is played here, and a test plays such a run. */
  | { readonly as: 'planned'; readonly by: PlayedBy }
  /** Only parsed: what it needs is not here, or another test plays it. */
  | { readonly as: 'parsed'; readonly because: string; readonly by?: PlayedBy }

/** A test that plays such a command: its file, and words of its title. */
export interface PlayedBy {
  readonly file: string
  readonly title: string
}

const by = (file: string, title: string): PlayedBy => ({ file: `test/${file}.test.ts`, title })

const played: Way = { as: 'played' }
const served: Way = { as: 'served' }
const planned = (file: string, title: string): Way => ({ as: 'planned', by: by(file, title) })
const elsewhere = (because: string, file: string, title: string): Way => ({
  as: 'parsed',
  because,
  by: by(file, title),
})

const audit = elsewhere('an audit takes a minute', 'clients/client-command', 'passes the compliant client')
const agents = elsewhere('it takes a Redis', 'agents/agents', 'find three addresses that count alone')

/** The first that fits says how a command is run. Each has to fit one that is shown. */
export const ways: readonly (readonly [pattern: RegExp, way: Way])[] = [
  [/^quotaspec doctor .*--ca /, { as: 'parsed', because: 'it takes an authority of your own' }],
  [/^quotaspec (doctor|plan) /, played],
  [/^quotaspec run (smoke|--env production)/, played],
  [/^quotaspec run conformance /, planned('cli/scenarios', 'conformance, with two keys')],
  [/^quotaspec run --env staging/, planned('cli/config', 'quotaspec run --env local')],
  [/^quotaspec run .*--open/, elsewhere('it opens a browser', 'live/live-view', 'shows a failing run from its start')],
  [/^quotaspec run spread /, agents],
  [/^quotaspec run .*--contract /, planned('library/packed', 'gates an Express app that keeps its quota')],
  [/^quotaspec run .*--only QUOTA-1/, planned('only', 'shows its breach again by the command of its row')],
  [/^quotaspec run /, planned('cli/scenarios', 'leaves nothing open')],
  [/^quotaspec serve/, served],
  [/^quotaspec mcp/, elsewhere('it speaks with an agent', 'mcp/protocol', 'the tools are listed')],
  [/^quotaspec agent /, agents],
  [/^quotaspec client /, audit],
  [/^quotaspec compare reports\/client/, { as: 'parsed', because: 'it takes two audits of a minute each' }],
  [/^quotaspec faults --run /, elsewhere('it takes a minute', 'keystone', 'has every fault fail exactly the clauses')],
  [/^quotaspec demo/, elsewhere('it takes 40 s', 'packed/tarball', 'plays its demo to a passing report by npx')],
  [/^quotaspec init --target \S+$/, { as: 'parsed', because: 'it asks on a terminal' }],
  [/^quotaspec init /, played],
  [/^quotaspec discover /, played],
  [
    /^quotaspec judge --log /,
    elsewhere('it takes a log of yours', 'cli/judge-logs', 'passes a log that keeps its quota'),
  ],
  [/^quotaspec (report|judge|compare|history|restore)\b/, played],
  [/^quotaspec (--version|faults|contract|probes|schema|completion)\b/, played],
]
