import { spawnSync } from 'node:child_process'
import { z } from 'zod'

/** The reference implementations of both parsers, by the authors of the formats. */
const script = `
import json, sys
from prometheus_client import openmetrics, parser
from prometheus_client.openmetrics import parser as strict
text = sys.stdin.read()
read = strict.text_string_to_metric_families if sys.argv[1] == 'openmetrics' else parser.text_string_to_metric_families
print(json.dumps([
  { 'name': family.name, 'type': family.type, 'unit': family.unit, 'help': family.documentation,
    'samples': [{ 'name': s.name, 'labels': s.labels, 'value': s.value } for s in family.samples] }
  for family in read(text)
]))
`

const families = z.array(
  z.object({
    name: z.string(),
    type: z.string(),
    unit: z.string(),
    help: z.string(),
    samples: z.array(z.object({ name: z.string(), labels: z.record(z.string(), z.string()), value: z.number() })),
  }),
)

/** Where Debian's package installs its modules, whichever Python comes first on the path. */
const pythons = ['/usr/bin/python3', 'python3']

const python = pythons.find(
  (each) => spawnSync(each, ['-c', 'import prometheus_client.openmetrics.parser']).status === 0,
)

/** Whether the parser is installed: Debian's package python3-prometheus-client. */
export const hasMetricsParser = python !== undefined

/** Caches earlier readings: each one starts a Python. */
const read = new Map<string, z.infer<typeof families>>()

/** The families that somebody else's parser reads from the text. Throws its message if it reads none. */
export const readMetrics = (text: string, format: 'openmetrics' | 'prometheus'): z.infer<typeof families> => {
  const known = read.get(format + text)
  if (known) return known
  const { stdout, stderr, status } = spawnSync(python ?? 'python3', ['-c', script, format], {
    input: text,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  if (status !== 0) throw new Error(stderr.trim().split('\n').at(-1))
  const found = families.parse(JSON.parse(stdout))
  read.set(format + text, found)
  return found
}
