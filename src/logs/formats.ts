import { z } from 'zod'
import { attempt, UsageError } from '../kit/usage-error.js'
import { present } from '../kit/words.js'
import { type FieldName, type FieldPlaces, fieldsFrom, type Told, templateParser } from './fields.js'

/** The result of reading a line: a request, no request, or unreadable. */
type ReadLine = 'told' | 'none' | 'unread'

export type LineReader = (line: string, told: Told) => ReadLine

/** Templates of text lines, in nginx's variables. `at`: the moment is the beginning or the end. */
const templates = {
  // nginx and Apache both call this combined: one logs a request's end, the other its beginning, and neither its duration.
  combined: '$address - $remote_user [$at] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent"',
  nginx:
    '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent" $request_time',
  apache: '$address $ident $remote_user [$start] "$request" $status $bytes "$referer" "$user_agent" $us',
  haproxy:
    '$client [$start] $frontend $backend $tr/$tw/$tc/$tresp/$ms $status $bytes $request_cookie $response_cookie $termination $connections $queues $captured"$request"',
  envoy:
    '[$start] "$method $path $protocol" $status $flags $received $sent $ms $upstream_ms "$x_forwarded_for" "$user_agent" "$request_id" "$authority" "$upstream"',
  alb: '$type $end $balancer $client $target $request_s $target_s $response_s $status $target_status $received $sent "$request" "$user_agent" $cipher $protocol $group "$trace" "$domain" "$certificate" $priority $start $more',
} as const

/** The places of fields in formats that are read as objects; `--fields` has to name the missing ones. */
const objects = {
  json: {},
  'envoy-json': {
    start: '$.start_time',
    ms: '$.duration',
    status: '$.response_code',
    method: '$.method',
    path: '$.path',
  },
  har: {
    start: '$.startedDateTime',
    ms: '$.time',
    status: '$.response.status',
    method: '$.request.method',
    path: '$.request.url',
  },
  'k6-json': {
    end: '$.data.time',
    ms: '$.data.value',
    status: '$.data.tags.status',
    method: '$.data.tags.method',
    path: '$.data.tags.url',
  },
  'k6-csv': { end: '$.timestamp', ms: '$.metric_value', status: '$.status', method: '$.method', path: '$.url' },
} as const satisfies Readonly<Record<string, FieldPlaces>>

type TemplateName = keyof typeof templates
type ObjectName = keyof typeof objects
type FormatName = TemplateName | ObjectName

const formatNames = [...Object.keys(templates), ...Object.keys(objects)] as readonly FormatName[]

const isTemplate = (format: string): format is TemplateName => Object.hasOwn(templates, format)
const isObjects = (format: string): format is ObjectName => Object.hasOwn(objects, format)

/** What k6 calls the whole of a request: sending, waiting and receiving. */
const requestMetric = 'http_req_duration'

const jsonLines = (places: FieldPlaces): LineReader => {
  const take = fieldsFrom(places)
  return (line, told) => {
    const value = parsed(line)
    if (value === undefined) return 'unread'
    take(value, told)
    return 'told'
  }
}

const parsed = (text: string): object | undefined => {
  const value: unknown = attempt(() => JSON.parse(text))
  return typeof value === 'object' && value !== null ? value : undefined
}

/** Points of other metrics, and declarations of metrics, are no requests. */
const k6Json = (places: FieldPlaces): LineReader => {
  const read = jsonLines(places)
  const point = `"${requestMetric}"`
  return (line, told) => {
    if (!line.includes(point)) return parsed(line) === undefined ? 'unread' : 'none'
    return line.includes('"Point"') ? read(line, told) : 'none'
  }
}

/** The cells of a CSV line; null if a quote is still open at its end. */
const cellsOf = (line: string): string[] | null => {
  if (!line.includes('"')) return line.split(',')
  const cells = line.match(/(?:"(?:[^"]|"")*"|[^,"]*)(?:,|$)/g) ?? []
  if (cells.join('').length !== line.length) return null
  const ended = line.endsWith(',') ? cells : cells.slice(0, -1)
  return ended.map((cell) => {
    const text = cell.endsWith(',') ? cell.slice(0, -1) : cell
    return text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text
  })
}

/** The first line names the columns. A script's own tags are in one of them: `client=a&plan=free`. */
const k6Csv = (places: FieldPlaces): LineReader => {
  const take = fieldsFrom(places)
  let columns: readonly string[] | undefined
  return (line, told) => {
    if (columns !== undefined && !line.startsWith(`${requestMetric},`)) return 'none'
    const cells = cellsOf(line)
    if (cells === null) return 'unread'
    if (columns === undefined) {
      columns = cells
      return 'none'
    }
    if (cells.length !== columns.length) return 'unread'
    const row: Record<string, unknown> = Object.fromEntries(columns.map((name, i) => [name, cells[i]]))
    row.extra_tags = Object.fromEntries(new URLSearchParams(String(row.extra_tags ?? '')))
    take(row, told)
    return 'told'
  }
}

const harFile = z.object({ log: z.object({ entries: z.array(z.unknown()) }) })

/** The entries of a HAR file, a line of JSON each; null if it is none. */
export const harEntries = (text: string): string[] | null => {
  const file = harFile.safeParse(parsed(text))
  return file.success ? file.data.log.entries.map((entry) => JSON.stringify(entry)) : null
}

const linesOf: Readonly<Record<ObjectName, (places: FieldPlaces) => LineReader>> = {
  json: jsonLines,
  'envoy-json': jsonLines,
  har: jsonLines,
  'k6-json': k6Json,
  'k6-csv': k6Csv,
}

/** A line has one moment and one duration: a field that the user names replaces all of its kind. */
const kinds: readonly (readonly FieldName[])[] = [
  ['at', 'start', 'end'],
  ['s', 'ms', 'us'],
  ['request', 'method', 'path'],
]

const placesWith = (usual: FieldPlaces, given: FieldPlaces): FieldPlaces => {
  const replaced = kinds.filter((kind) => kind.some((field) => given[field] !== undefined)).flat()
  const kept = Object.entries(usual).filter(([field]) => !replaced.includes(field as FieldName))
  return { ...Object.fromEntries(kept), ...given }
}

/** HAProxy writes captured headers as `{key|agent} {type} `, and nothing if a request lacks them. */
const firstCaptured = (key: string | undefined): string | undefined =>
  key?.startsWith('{') ? key.slice(1, key.search(/[|}]/)) : key

/** A format by its name, or by a template of its lines. Throws a usage error for what is neither. */
export const formatOf = (format: string, given: FieldPlaces): { readonly name: string; readonly read: LineReader } => {
  if (isObjects(format)) {
    const places = placesWith(objects[format], given)
    const hasMoment = places.at || places.start || places.end
    const lacking = present(!places.status && 'status', !hasMoment && 'at (or start, or end)')
    if (lacking.length > 0)
      throw new UsageError(
        `--fields: say where a line has ${lacking.join(' and ')}: --fields 'key=$.apiKey, at=$.ts, ms=$.duration, status=$.code'`,
      )
    return { name: format, read: linesOf[format](places) }
  }
  const template = isTemplate(format) ? templates[format] : format
  if (!template.includes('$'))
    throw new UsageError(
      `--format: ${format} is neither one of ${formatNames.join(', ')}, nor a template of a line such as '$remote_addr [$time_local] "$request" $status $request_time'`,
    )
  const parse = templateParser(template, given)
  return {
    name: isTemplate(format) ? format : 'template',
    read: (line, told) => {
      if (!parse(line, told)) return 'unread'
      if (format === 'haproxy') told.key = firstCaptured(told.key)
      return 'told'
    },
  }
}

const [isAlb, isHaproxy] = [
  /^(https?|h2|wss?|grpcs) \d{4}-\d\d-\d\dT/,
  /\S+:\d+ \[\d\d\/\w{3}\/\d{4}:[\d:.]+\] \S+ \S+\/\S+ [-+\d/]+ \d+ /,
]
const isEnvoy = /^\[\d{4}-\d\d-\d\dT[\d:.]+Z\] "/
const combinedTail = /" (\S+)$/

/** Finds the format of a log from its first lines. Throws a usage error if it can't. */
export const sniffedFormat = (file: string, lines: readonly string[], given: FieldPlaces): string => {
  const [first = ''] = lines
  const unsure = (why: string): UsageError => new UsageError(`${file}: ${why}`)
  if (first.startsWith('metric_name,')) return 'k6-csv'
  if (first.startsWith('{')) {
    if (/^\{\s*"log"\s*:/.test(first) || parsed(first) === undefined) return 'har'
    if (lines.some((line) => line.includes(`"${requestMetric}"`))) return 'k6-json'
    return given.status === undefined && first.includes('"response_code"') ? 'envoy-json' : 'json'
  }
  if (lines.some((line) => isHaproxy.test(line))) return 'haproxy'
  if (isAlb.test(first)) return 'alb'
  if (isEnvoy.test(first)) return 'envoy'
  const tails = lines.flatMap((line) => combinedTail.exec(line)?.[1] ?? [])
  if (tails.length === 0)
    throw unsure(
      `its first lines are in no known format. If it is an access log, say how a line is written: --format with one of ${formatNames.join(', ')}, or a template such as '$remote_addr [$time_local] "$request" $status $request_time'`,
    )
  if (tails.every((each) => /^\d+\.\d{3}$/.test(each))) return 'nginx'
  if (tails.every((each) => /^\d+$/.test(each)))
    throw unsure('its lines end with a whole number: if that is %D (microseconds), pass --format apache')
  throw unsure(
    'its lines do not say how long a request took: log $request_time (nginx) or %D (Apache), or give the longest with --longest 30s and --format combined',
  )
}
