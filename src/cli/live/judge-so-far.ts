import { constants, setPriority } from 'node:os'

// Before anything else is loaded, which takes its time.
setPriority(constants.priority.PRIORITY_LOW)
const { buildReport } = await import('../../assembly/build-report.js')
const { soFarParts } = await import('../../report/live/so-far-parts.js')
const { judge } = await import('../../run/judging/judge.js')
const { evidenceOfOneMoment } = await import('./evidence-of-one-moment.js')
const { toolVersion } = await import('../../run/machine/package-root.js')

// Judges what is in the folder of a run that goes on, and writes what the page shows of that.
const evidence = evidenceOfOneMoment(process.argv[2] ?? '')
const report = buildReport(evidence, judge(evidence), { version: toolVersion, crashed: false })
process.stdout.write(JSON.stringify(soFarParts(report)))
