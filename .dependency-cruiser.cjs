// The floors of the house: which folder may import which, and why. Data flows one way:
// contract -> scenario -> probe -> evidence -> check -> verdict -> report.

// dependency-cruiser reads .ts files through the API of TypeScript 6. Without it, it would see no module and be green.
const { version } = require('typescript')
if (!version.startsWith('6.')) throw new Error(`the floors can't be read with TypeScript ${version}: see package.json`)

/** For each folder of src, the other folders that it may import. src/cli, at the top, may import everything. */
const floors = {
  kit: { may: [], because: 'the kit knows no word of the domain: it imports nothing' },
  contract: { may: ['kit'], because: 'the contract is the law, as data: it depends on nobody who keeps or judges it' },
  evidence: {
    may: ['kit', 'contract'],
    because: 'evidence is what happened, with the contract that it is held against, free of any opinion about it',
  },
  verdict: { may: ['kit'], because: 'how verdicts combine does not depend on what is judged' },
  readings: {
    may: ['kit', 'contract', 'evidence'],
    because: 'an answer is read once, by its contract: what it means is for others to say',
  },
  oracle: {
    may: ['kit', 'contract', 'evidence', 'readings'],
    because: 'the oracle is pure: it judges histories and sends nothing',
  },
  certificate: {
    may: ['kit', 'contract', 'evidence', 'readings', 'oracle'],
    because: 'what a run would have shown is asked of the oracle alone, by replaying what was sent: no check is asked',
  },
  checks: {
    may: ['kit', 'contract', 'evidence', 'verdict', 'readings', 'oracle', 'certificate'],
    because: 'a check is a pure function from evidence to a verdict: it sends nothing, and can be run again offline',
  },
  wire: {
    may: ['kit', 'contract', 'evidence'],
    because: 'the sender and the load generator keep a schedule and a record; what they mean is not their business',
  },
  probes: {
    may: ['kit', 'contract', 'evidence', 'readings', 'wire'],
    because: 'a probe gathers and never judges: it sees neither checks nor verdicts',
  },
  petstore: {
    may: ['kit', 'contract', 'evidence', 'verdict', 'readings', 'oracle', 'certificate', 'checks', 'wire', 'probes'],
    because: 'what only pets need stands in one room, which no other room but the registries knows',
  },
  discovery: {
    may: ['kit', 'contract', 'evidence', 'readings'],
    because: 'what a few answers show of an API is concluded of them alone: who asks for them hands it a way to ask',
  },
  run: {
    may: ['kit', 'contract', 'evidence', 'verdict', 'readings', 'oracle', 'checks', 'wire', 'probes', 'petstore'],
    because:
      'what prepares, plays and judges a run is the same for the command line and for a program: it prints nothing, asks nobody, and leaves the process alone',
  },
  assembly: {
    may: [
      'kit',
      'contract',
      'evidence',
      'verdict',
      'readings',
      'oracle',
      'certificate',
      'checks',
      'wire',
      'petstore',
      'run',
      'report',
    ],
    because:
      'evidence and verdicts become a report here, the same of a saved run as of a live one: it may have a run played, and nothing that plays knows it',
  },
  logs: {
    may: [
      'kit',
      'contract',
      'evidence',
      'verdict',
      'readings',
      'oracle',
      'certificate',
      'checks',
      'run',
      'assembly',
      'report',
    ],
    because: 'logs of traffic that nobody sent for a test are a room of their own: the core does not know it',
  },
  report: {
    may: ['kit', 'contract', 'verdict'],
    because: 'a renderer takes a finished report and gives text: it never looks at evidence or judges',
  },
  agents: {
    may: ['kit', 'contract', 'evidence', 'readings', 'oracle', 'wire'],
    because: 'load from other machines: orders go out and rows come back; what they are for is not its business',
  },
  'client-audit': {
    may: ['kit', 'contract', 'evidence', 'verdict', 'readings', 'oracle', 'checks', 'run', 'assembly', 'report'],
    because: 'the audit of a client is a room of its own: the core does not know it',
  },
}

const { inlined } = require('./package.json')

const ours = '^(src|reference-server|bench|observatory|workshop|test)/'
const tests = String.raw`\.test\.ts$|/testing/|^test/`

const floorRules = Object.entries(floors).map(([folder, { may, because }]) => ({
  name: `floor-${folder}`,
  comment: because,
  severity: 'error',
  // A unit's test may bring its subject together with what stands above it.
  from: { path: `^src/${folder}/`, pathNot: tests },
  to: { path: ours, pathNot: [`^src/(${[folder, ...may].join('|')})/`] },
}))

/** A library or a module of Node that has one door. */
const door = (name, module, keepers, because) => ({
  name,
  comment: because,
  severity: 'error',
  from: { pathNot: `${keepers}|^(bench|observatory|workshop|test)/` },
  to: { path: module },
})

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...floorRules,
    {
      name: 'floor-reference-server',
      comment: 'judge and defendant share only the law: the reference server imports the contract and the kit',
      severity: 'error',
      from: { path: '^reference-server/' },
      to: { path: ours, pathNot: '^(reference-server|src/kit|src/contract)/' },
    },
    {
      name: 'floor-library',
      comment:
        'the library plays runs by the same files as the command line, and nothing that it loads prints, asks, or ends the process: that is for its caller to do',
      severity: 'error',
      from: { path: '^src/library/', pathNot: tests },
      to: { path: '^(bench|test|src/cli)/' },
    },
    {
      name: 'floor-unknown',
      comment: 'every folder of src has its floor here: a new one is entered before it is used',
      severity: 'error',
      from: { path: '^src/', pathNot: `^src/(cli|library|${Object.keys(floors).join('|')})/` },
      to: {},
    },
    door(
      'one-autocannon',
      '/autocannon/',
      String.raw`^src/wire/load/autocannon-driver\.ts$`,
      'autocannon is corrected in one file, with a test for each correction: used past it, its figures lie',
    ),
    door(
      'one-sender',
      '/undici/',
      '^src/wire/http/',
      'every single exchange goes through the sender that records and redacts it',
    ),
    door(
      'no-other-wire',
      '^(node:)?(net|tls|http|https|http2|dgram|dns)(/|$)',
      String.raw`^(src/wire|reference-server)/|^src/cli/(run/live|client/scripted)-server(\.test)?\.ts$`,
      "nothing reaches a network but the sender, the load generator and the reference server; on loopback the command line serves a run's page to the user's own browser, and a case to a client that is audited",
    ),
    door(
      'one-redis',
      '/(bullmq|ioredis)/',
      String.raw`^(src/agents/redis-wire\.ts$|reference-server/)`,
      'the libraries that speak with Redis are large, and loaded by those only who need them',
    ),
    door(
      'one-mcp',
      '/@modelcontextprotocol/',
      String.raw`^src/cli/commands/mcp\.ts$`,
      'an agent has one way in, and the SDK of its protocol is optional: loaded by that command only',
    ),
    door(
      'one-process',
      '^(node:)?process$',
      '^src/(cli/|run/machine.ts$)',
      'only the command line touches the process; one room asks it who and where it is',
    ),
    {
      name: 'product-needs-no-test',
      comment: 'what is shipped does not import what is built for tests',
      severity: 'error',
      from: { path: '^(src|reference-server)/', pathNot: tests },
      to: { path: tests },
    },
    {
      name: 'product-needs-no-workshop',
      comment: 'what is shipped does not import what makes its docs and releases, measures it, or tests it',
      severity: 'error',
      from: { path: '^(src|reference-server)/' },
      to: { path: '^(workshop|bench|observatory|test)/' },
    },
    {
      name: 'product-needs-no-dev-dependency',
      comment:
        'what is shipped runs where only its dependencies are installed: other packages are put into it by bundle.mjs',
      severity: 'error',
      // The matchers are for whoever has vitest, and mcp for whoever has its SDK.
      from: {
        path: '^(src|reference-server)/',
        pathNot: String.raw`${tests}|^src/library/vitest\.ts$|^src/cli/commands/mcp\.ts$`,
      },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        pathNot: `/@types/|node_modules/(${inlined.join('|')})/`,
      },
    },
    {
      name: 'no-circle',
      comment: 'files that import each other are one file in pieces',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-dead-end',
      comment: 'an import that leads nowhere',
      severity: 'error',
      // An adapter's packages are there once the observatory has played it.
      from: { pathNot: '^observatory/limiters/' },
      // Tests of the built program import what is compiled before they run, some by the name of the package.
      to: { couldNotResolve: true, pathNot: '/dist/|^quotaspec(/|$)' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules|^dist/' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
    reporterOptions: { text: { highlightFocused: true } },
  },
}
