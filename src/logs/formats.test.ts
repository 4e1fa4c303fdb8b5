import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { UsageError } from '../kit/usage-error.js'
import { fieldPlaces } from './fields.js'
import { formatOf, harEntries, sniffedFormat } from './formats.js'
import { wholeLines } from './line-source.js'
import { clockStepMs, lineTaker } from './line-taker.js'

const noon = Date.UTC(2026, 10, 23, 12, 0, 1)

const taken = (
  format: string,
  line: string,
  { fields = '', longestMs = undefined as number | undefined, before = '' } = {},
) => {
  const { read } = formatOf(format, fields === '' ? {} : fieldPlaces(fields))
  if (before !== '') read(before, {})
  const taker = lineTaker('access.log', read, { errorMs: 0, longestMs }, 0)
  const problem = taker.take(line)
  if (problem !== null) return problem
  const { sentMs, receivedMs, status, key, address, method, path } = taker.taken
  return {
    from: sentMs - noon,
    to: receivedMs - noon,
    status,
    who: key === '' || key === '-' ? address : key,
    asked: `${method} ${path}`,
  }
}

const columns =
  'metric_name,timestamp,metric_value,check,error,error_code,expected_response,group,method,name,proto,scenario,service,status,subproto,tls_version,url,extra_tags,metadata'

const haproxyLine = (captured: string): string =>
  `Nov 23 12:00:01 lb haproxy[14389]: 10.0.1.2:33317 [23/Nov/2026:12:00:01.655] http-in static/srv1 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 ${captured} "GET /items HTTP/1.1"`

describe('a line', () => {
  it.each<[string, string, Parameters<typeof taken>[2], object]>([
    [
      'nginx',
      '10.0.0.7 - ann [23/Nov/2026:12:00:01 +0000] "GET /items?limit=1 HTTP/1.1" 200 512 "-" "curl/8" 0.250',
      {},
      { from: -251, to: 1000, status: 200, who: 'ann', asked: 'GET /items?limit=1' },
    ],
    [
      'apache',
      '10.0.0.7 - - [23/Nov/2026:14:00:01 +0200] "GET /a\\"b HTTP/1.1" 429 512 "-" "a \\"quoted\\" agent" 250000',
      {},
      { from: 0, to: 1250.001, status: 429, who: '10.0.0.7', asked: 'GET /a\\"b' },
    ],
    [
      'combined',
      '10.0.0.7 - ann [23/Nov/2026:12:00:01 +0000] "GET /items HTTP/1.1" 200 512 "-" "curl/8"',
      { longestMs: 2000 },
      { from: -2000, to: 3000, status: 200, who: 'ann', asked: 'GET /items' },
    ],
    [
      'haproxy',
      haproxyLine('{key|x} {}'),
      {},
      { from: 655, to: 766, status: 200, who: '10.0.1.2', asked: 'GET /items' },
    ],
    [
      'haproxy',
      haproxyLine('{key|x} {}'),
      { fields: 'key=$captured' },
      { from: 655, to: 766, status: 200, who: 'key', asked: 'GET /items' },
    ],
    [
      'haproxy',
      haproxyLine('{key}'),
      { fields: 'key=$captured' },
      { from: 655, to: 766, status: 200, who: 'key', asked: 'GET /items' },
    ],
    [
      'haproxy',
      haproxyLine('{}'),
      { fields: 'key=$captured' },
      { from: 655, to: 766, status: 200, who: '10.0.1.2', asked: 'GET /items' },
    ],
    [
      'envoy',
      '[2026-11-23T12:00:01.250Z] "GET /items HTTP/2" 429 RL 0 12 7 - "10.0.0.7" "curl/8" "id" "api" "-"',
      { fields: 'key=$x_forwarded_for' },
      { from: 250, to: 259, status: 429, who: '10.0.0.7', asked: 'GET /items' },
    ],
    [
      'envoy-json',
      '{"start_time":"2026-11-23T12:00:01.250Z","method":"GET","path":"/items","response_code":200,"duration":7,"user":"ann"}',
      { fields: 'key=$.user' },
      { from: 250, to: 259, status: 200, who: 'ann', asked: 'GET /items' },
    ],
    [
      'alb',
      'https 2026-11-23T12:00:01.500000Z app/lb/50dc 192.0.2.7:2817 10.0.0.1:80 0.001 0.100 0.000 200 200 34 366 "GET https://api.example:443/items?x=1 HTTP/1.1" "curl/8" ECDHE TLSv1.2 arn "Root=1-5" "api" "session" 0 2026-11-23T12:00:01.399000Z "forward" "-" "-" "10.0.0.1:80" "200" "-" "-"',
      {},
      { from: 399, to: 500.001, status: 200, who: '192.0.2.7', asked: 'GET https://api.example:443/items?x=1' },
    ],
    [
      'json',
      '{"apiKey":"k1","ts":1795435201250,"duration":12.5,"code":503}',
      { fields: 'key=$.apiKey, at=$.ts, ms=$.duration, status=$.code' },
      { from: 237.4, to: 263.6, status: 503, who: 'k1', asked: 'undefined undefined' },
    ],
    [
      'har',
      '{"startedDateTime":"2026-11-23T12:00:01.250Z","time":12,"request":{"method":"GET","url":"https://a/items","headers":[{"name":"X-Api-Key","value":"k1"}]},"response":{"status":200}}',
      { fields: 'key=$.request.headers.x-api-key' },
      { from: 250, to: 264, status: 200, who: 'k1', asked: 'GET https://a/items' },
    ],
    [
      'k6-csv',
      'http_req_duration,1795435201,12.5,,,,true,,GET,items,HTTP/1.1,default,,200,,,"https://a/items?x=1,2",client=k1&plan=free,',
      { fields: 'key=$.extra_tags.client', before: columns },
      { from: -12.6, to: 1000, status: 200, who: 'k1', asked: 'GET https://a/items?x=1,2' },
    ],
    [
      'k6-json',
      '{"metric":"http_req_duration","type":"Point","data":{"time":"2026-11-23T12:00:01.250Z","value":12.5,"tags":{"status":"200","method":"GET","url":"https://a/items","client":"k1"}}}',
      { fields: 'key=$.data.tags.client' },
      { from: 237.4, to: 251, status: 200, who: 'k1', asked: 'GET https://a/items' },
    ],
    [
      '$msec $remote_addr "$request" $status $request_time "$http_x_api_key"',
      '1795435201.250 10.0.0.7 "GET /items HTTP/1.1" 200 0.010 "k1"',
      { fields: 'key=$http_x_api_key' },
      { from: 239, to: 251, status: 200, who: 'k1', asked: 'GET /items' },
    ],
  ])('of %s tells when, who and what', (format, line, settings, told) => {
    const found = taken(format, line, settings)
    expect(
      typeof found === 'string'
        ? found
        : { ...found, from: Number(found.from.toFixed(3)), to: Number(found.to.toFixed(3)) },
    ).toEqual(told)
  })

  it.each<[string, string, string]>([
    ['nginx', 'nothing of the kind', 'not in this format'],
    ['nginx', '- - ann [now] "GET / HTTP/1.1" 200 5 "-" "-" 0.1', 'no moment'],
    ['nginx', '- - ann [23/Nov/2026:12:00:01 +0000] "GET / HTTP/1.1" OK 5 "-" "-" 0.1', 'no status'],
    ['nginx', '- - ann [23/Nov/2026:12:00:01 +0000] "GET / HTTP/1.1" 200 5 "-" "-" soon', 'no duration'],
    ['k6-json', '{"metric":"http_reqs","type":"Point"}', 'none'],
    ['k6-json', '{"metric":"http_reqs"', 'not in this format'],
  ])('of %s that says too little says why', (format, line, why) => {
    expect(taken(format, line)).toBe(why)
  })

  it('that goes back in time is none to be judged', () => {
    const { read } = formatOf('nginx', {})
    const taker = lineTaker('access.log', read, { errorMs: 0, longestMs: undefined }, 0)
    const line = (time: string) => `- - ann [23/Nov/2026:${time} +0000] "GET / HTTP/1.1" 200 5 "-" "-" 0.100`
    expect(
      [line('12:00:00'), line('11:55:00'), line('11:00:00'), line('12:00:01')].map((each) => taker.take(each)),
    ).toEqual([null, null, 'its time goes back', null])
  })

  it.each([
    ['without a zone is none to be judged', '', [null, 'its time jumps', null]],
    ['with a zone is one', ' +0000', [null, null, null]],
  ])('that comes an hour later in the night, %s', (_, zone, told) => {
    const taker = lineTaker('access.log', formatOf('nginx', {}).read, { errorMs: 0, longestMs: undefined }, 0)
    const line = (time: string) => `- - ann [29/Mar/2026:${time}${zone}] "GET / HTTP/1.1" 200 5 "-" "-" 0.100`
    const lines = [line('01:59:50'), line('03:00:05'), line('03:00:06')]
    expect(lines.map((each) => taker.take(each))).toEqual(told)
  })

  it('is of a clock of seconds where all are whole, whatever its digits say', () => {
    const { read } = formatOf('json', fieldPlaces('at=$.ts, status=$.code'))
    const lines = (ms: number) =>
      Array.from({ length: 9 }, (_, i) => `{"ts":"2026-11-23T12:00:0${i}.${ms}00Z","code":200}`)
    expect([clockStepMs(read, lines(0)), clockStepMs(read, lines(1))]).toEqual([1000, 0])
  })
})

/** Lines that were made by nginx 1.22, Apache 2.4 and HAProxy 2.6, of the same eight requests. */
const madeBy = (server: string): string[] =>
  readFileSync(new URL(`../../test/logs/${server}.log`, import.meta.url), 'latin1')
    .trim()
    .split('\n')

describe('lines of real servers', () => {
  it.each<[string, string, readonly string[]]>([
    [
      'nginx',
      '',
      [
        'ann GET /items?limit=1&q=%22 200',
        'ann GET /items?limit=6&q=%22 200',
        '127.0.0.1 GET /a\\x22b 200',
        '127.0.0.1  nonsense 400',
      ],
    ],
    [
      'apache',
      '',
      [
        '127.0.0.1 GET /items?limit=1&q=%22 404',
        '127.0.0.1 GET /items?limit=6&q=%22 404',
        '127.0.0.1 GET /a\\"b 404',
        '127.0.0.1  nonsense 400',
      ],
    ],
    [
      'haproxy',
      '',
      [
        '127.0.0.1 GET /items?limit=1&q=%22 200',
        '127.0.0.1 GET /items?limit=6&q=%22 200',
        '127.0.0.1 GET /a#22b 200',
        '127.0.0.1  <BADREQ> 400',
      ],
    ],
    [
      'nginx-json',
      'key=$.key, end=$.msec, s=$.s, status=$.status, request=$.request',
      ['k1 GET /items?limit=1&q=%22 200', 'k1 GET /items?limit=6&q=%22 200', ' GET /a"b 200', '  nonsense 400'],
    ],
  ])('%s are all read', (server, fields, told) => {
    const lines = madeBy(server)
    const given = fields === '' ? {} : fieldPlaces(fields)
    const format = server === 'apache' ? server : sniffedFormat(server, lines, given)
    expect(format).toBe(fields === '' ? server : 'json')
    const found = lines.map((line) => {
      const each = taken(format, line, { fields })
      return typeof each === 'string' ? each : `${each.who} ${each.asked} ${each.status}`
    })
    expect([found[0], ...found.slice(5)]).toEqual(told)
  })
})

describe('a log', () => {
  it.each<[string, string]>([
    ['nginx', '- - a [23/Nov/2026:12:00:01 +0000] "GET / HTTP/1.1" 200 5 "-" "-" 0.100'],
    ['envoy', '[2026-11-23T12:00:01.250Z] "GET / HTTP/2" 200 - 0 12 7 - "-" "-" "-" "-" "-"'],
    ['alb', 'h2 2026-11-23T12:00:01.500000Z app/lb'],
    ['haproxy', 'Nov 23 12:00:01 lb haproxy[14389]: 10.0.1.2:33317 [23/Nov/2026:12:00:01.655] a b/c 1/0/3/6/9 200 5 -'],
    ['k6-csv', columns],
    ['k6-json', '{"type":"Metric","metric":"http_req_duration"}'],
    ['har', '{"log":{"entries":[]}}'],
    ['envoy-json', '{"start_time":"…","response_code":200}'],
    ['json', '{"ts":1}'],
  ])('is known by its first line: %s', (format, line) => {
    expect(sniffedFormat('access.log', [line], {})).toBe(format)
  })

  it('is of Envoy also where only the key is named', () => {
    const line = '{"start_time":"…","response_code":200,"user":"ann"}'
    expect(sniffedFormat('access.log', [line], fieldPlaces('key=$.user'))).toBe('envoy-json')
    expect(sniffedFormat('access.log', [line], fieldPlaces('status=$.response_code'))).toBe('json')
  })

  it.each([
    ['- - a [23/Nov/2026:12:00:01 +0000] "GET / HTTP/1.1" 200 5 "-" "-" 12', /--format apache/],
    ['- - a [23/Nov/2026:12:00:01 +0000] "GET / HTTP/1.1" 200 5 "-" "-" x', /\$request_time/],
    ['what is this', /--format/],
  ])('says what to type where it is not: %s', (line, why) => {
    expect(() => sniffedFormat('access.log', [line], {})).toThrow(why)
  })

  it('is read from gzip, whose members follow each other', async () => {
    const bytes = Buffer.concat([gzipSync('one\ntw'), gzipSync('o\nthree')])
    const file = { name: 'access.log.gz', open: () => Readable.from([bytes.subarray(0, 7), bytes.subarray(7)]) }
    const pieces: string[] = []
    for await (const piece of wholeLines(file)) pieces.push(piece)
    expect(pieces.join('')).toBe('one\ntwo\nthree\n')
  })

  it('that is cut off is no whole one', async () => {
    const bytes = gzipSync('one\ntwo\n')
    const file = { name: 'access.log.gz', open: () => Readable.from([bytes.subarray(0, bytes.length - 4)]) }
    const read = async () => {
      for await (const _ of wholeLines(file));
    }
    await expect(read()).rejects.toThrow(/access\.log\.gz: /)
  })

  it('of HAR has its entries for lines', () => {
    expect(harEntries('{"log": {"entries": [{"a": 1}, {"a": 2}]}}')).toEqual(['{"a":1}', '{"a":2}'])
    expect(harEntries('{"log": 1}')).toBeNull()
  })
})

describe('what is typed wrong', () => {
  it.each<[string, () => unknown, RegExp]>([
    ['a field that no line has', () => fieldPlaces('kee=$.a'), /did you mean key/],
    ['a place that is none', () => fieldPlaces('key=a'), /key=\$\.path/],
    ['JSON without a status', () => formatOf('json', fieldPlaces('at=$.ts')), /status/],
    ['a format that is none', () => formatOf('ngnix', {}), /neither one of combined, nginx/],
    [
      'a variable that lines do not have',
      () => formatOf('nginx', fieldPlaces('key=$http_x_api_key')),
      /no \$http_x_api_key/,
    ],
    ['variables that nothing parts', () => formatOf('$status$ms', {}), /next to each other/],
  ])('%s', (_, make, why) => {
    expect(make).toThrow(UsageError)
    expect(make).toThrow(why)
  })
})
