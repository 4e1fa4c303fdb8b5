import type { Argv } from 'yargs'

/** How each command joins the parser, loaded when asked for: most of a command's start is what it imports. */
const joining: Readonly<Record<string, (parser: Argv) => Promise<Argv>>> = {
  run: async (parser) => parser.command((await import('./run.js')).runCommand),
  plan: async (parser) => parser.command((await import('./plan.js')).planCommand),
  restore: async (parser) => parser.command((await import('./restore.js')).restoreCommand),
  judge: async (parser) => parser.command((await import('./judge.js')).judgeCommand),
  report: async (parser) => parser.command((await import('./report.js')).reportCommand),
  compare: async (parser) => parser.command((await import('./compare.js')).compareCommand),
  history: async (parser) => parser.command((await import('./history.js')).historyCommand),
  serve: async (parser) => parser.command((await import('./serve.js')).serveCommand),
  agent: async (parser) => parser.command((await import('./agent.js')).agentCommand),
  client: async (parser) => parser.command((await import('./client.js')).clientCommand),
  faults: async (parser) => parser.command((await import('./faults.js')).faultsCommand),
  probes: async (parser) => parser.command((await import('./probes.js')).probesCommand),
  demo: async (parser) => parser.command((await import('./demo.js')).demoCommand),
  init: async (parser) => parser.command((await import('./init.js')).initCommand),
  discover: async (parser) => parser.command((await import('./discover.js')).discoverCommand),
  contract: async (parser) => parser.command((await import('./contract.js')).contractCommand),
  schema: async (parser) => parser.command((await import('./schema.js')).schemaCommand),
}

/** Gives the parser the commands that the arguments may mean: all where they name none, for help and hints. */
export const addCommands = async (parser: Argv, given: readonly string[]): Promise<Argv> => {
  const names = Object.keys(joining)
  const named = names.filter((name) => given.includes(name))
  for (const name of named.length > 0 ? named : names) await joining[name](parser)
  return parser
}
