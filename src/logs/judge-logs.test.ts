import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { limiters } from '../certificate/limiters.js'
import type { ApiContract } from '../contract/api-contract.js'
import { seededRandom } from '../kit/random.js'
import { renderMarkdown } from '../report/formats/markdown.js'
import { renderTerminal } from '../report/formats/terminal.js'
import { renderHtml } from '../report/html/page.js'
import { reportModel } from '../report/model.js'
import type { LogFile } from './line-source.js'
import { givenLogs, judgeTraffic } from './log-report.js'
import {
  decided,
  jsonFields,
  jsonLine,
  logOf,
  nginxLine,
  organicArrivals,
  type ServedRequest,
  shopContract,
} from './testing/organic.js'

type LogSettings = Parameters<typeof judgeTraffic>[0]

const noErrors = { errorMs: 0, longestMs: undefined }

const judge = (files: readonly LogFile[], given: Partial<LogSettings> = {}) =>
  judgeTraffic({
    contract: shopContract(),
    logs: files.map((file) => ({ file, clock: noErrors })),
    format: 'nginx',
    fields: {},
    requests: [],
    secrets: {},
    isComplete: true,
    strict: false,
    command: 'quotaspec judge --log access.log',
    capacity: 20_000,
    ...given,
  })

const madeWith = (limit: number, requests = 3000): ServedRequest[] =>
  decided(organicArrivals({ random: seededRandom(3), requests }), (client) =>
    limiters['sliding-log']({ limit, windowMs: 60_000, epochOffsetMs: 0, random: seededRandom(client) }),
  )

const kept = madeWith(60).map(nginxLine)
const broken = madeWith(121).map(nginxLine)

type Judged = Awaited<ReturnType<typeof judge>>
const checkOf = ({ report }: Judged, id: string) => report.checks.find((check) => check.id === id)
const overCheck = (judged: Judged) => checkOf(judged, 'quota.not-over-admitted:core')
const earlyCheck = (judged: Judged) => checkOf(judged, 'quota.not-refused-early:core')

describe('logs that break a quota', () => {
  it('fail, with the lines that show it', async () => {
    const judged = await judge([logOf(broken)])
    const check = overCheck(judged)
    expect([judged.report.run.exitCode, judged.report.outcome, check?.verdict]).toEqual([1, 'fail', 'fail'])
    expect(check?.message).toMatch(/^access\.log:\d+, .*: client \d+ \(free\) admitted \d+ within/)
    expect(check?.witnesses.every((each) => /^access\.log:\d+$/.test(each))).toBe(true)
    const lines = check?.witnesses.map((each) => broken[Number(each.split(':')[1]) - 1]) ?? []
    const clients = new Set(lines.map((line) => line.split(' ')[2]))
    expect([lines.every((line) => line.includes(' 200 ')), clients.size]).toEqual([
      true,
      judged.report.quotas.filter(({ verdict }) => verdict === 'fail').length,
    ])
  })

  it('are a report that every renderer takes, without a key', async () => {
    const { report } = await judge([logOf(broken)])
    expect(reportModel.parse(JSON.parse(JSON.stringify(report)))).toEqual(JSON.parse(JSON.stringify(report)))
    const pages = [
      renderHtml(report),
      renderMarkdown(report),
      renderTerminal(report, { colour: false, width: 100, reportPath: null }),
      JSON.stringify(report),
    ]
    for (const page of pages) {
      expect(page).toContain('access.log:')
      expect(page).not.toMatch(/key-\d/)
    }
  })

  it('are told as they were', async () => {
    const few = decided(organicArrivals({ random: seededRandom(5), requests: 900, clients: 3 }), (client) =>
      limiters['sliding-log']({ limit: 61, windowMs: 60_000, epochOffsetMs: 0, random: seededRandom(client) }),
    )
    const { report } = await judge([logOf(few.map(nginxLine))])
    const anywhere = { ...report, tool: null, run: { ...report.run, environment: null } }
    await expect(JSON.stringify(anywhere, null, 1)).toMatchFileSnapshot('testing/judged-report.snap')
  })

  it('fail by a part of the lines', async () => {
    const judged = await judge([logOf(broken.filter((_, i) => i % 10 !== 0))], { isComplete: false })
    expect([overCheck(judged)?.verdict, earlyCheck(judged)?.verdict, earlyCheck(judged)?.code]).toEqual([
      'fail',
      'not-tested',
      'log-not-whole',
    ])
  })

  it('fail where several nodes served a client', async () => {
    const nodes = [0, 1].map((node) =>
      logOf(
        broken.filter((_, i) => i % 2 === node),
        `node-${node}.log`,
      ),
    )
    const judged = await judge(nodes, { isComplete: false })
    expect(overCheck(judged)?.verdict).toBe('fail')
    const files = new Set(overCheck(judged)?.witnesses.map((each) => each.split(':')[0]))
    expect([...files].sort()).toEqual(['node-0.log', 'node-1.log'])
  })

  it('do not, where clocks may be so far apart that nothing is certain', async () => {
    const logs = [{ file: logOf(broken), clock: { ...noErrors, errorMs: 60_000 } }]
    expect(overCheck(await judge([], { logs, isComplete: false }))?.verdict).toBe('inconclusive')
  })
})

describe('logs that keep a quota', () => {
  it('say what their traffic would have shown', async () => {
    const judged = await judge([logOf(kept)])
    const [certificate] = judged.report.certificates
    expect(certificate?.excluded.map(({ defect }) => defect)).toContain('no-limit')
    expect([overCheck(judged)?.verdict, judged.report.run.exitCode]).not.toContain('fail')
  })

  it('prove nothing where they may not be whole', async () => {
    const judged = await judge([logOf(kept)], { isComplete: false })
    const said = judged.report.notes.map(({ text }) => text).join('\n')
    expect(said).not.toContain('no client of free asked for more than the quota')
    expect([overCheck(judged)?.code, judged.report.run.exitCode, judged.report.certificates]).toEqual([
      'log-not-whole',
      2,
      [],
    ])
  })

  it('prove nothing where nobody reached the limit', async () => {
    const judged = await judge([logOf(kept.filter((line) => /key-2/.test(line)))])
    expect([overCheck(judged)?.code, judged.report.run.exitCode]).toEqual(['limit-never-reached', 2])
  })

  it.each([
    ['hold no line', [], {}, 'the logs hold no request'],
    ['say nobody’s key', kept.map((line) => line.replace(/ key-\d /, ' - ')), {}, 'no line says who asked'],
    ['hold other requests', kept.map((line) => line.replace('/items', '/orders')), {}, 'no line is a request of'],
  ])('say what is lacking where they %s', async (_, lines, settings, told) => {
    expect(overCheck(await judge([logOf(lines)], settings))?.message).toContain(told)
  })

  it('say nothing of headers', async () => {
    const contract: ApiContract = { ...shopContract(), retryAfter: { as: ['seconds'], level: 'must' } }
    const { report } = await judge([logOf(kept)], { contract })
    expect(report.clauses.find(({ id }) => id === 'THROTTLE-2')?.verdict).toBe('not-tested')
  })
})

describe('a line that can not be read', () => {
  const spoilt = (lines: readonly string[], every: number) =>
    lines.map((line, i) => (i % every === 5 ? 'spoilt' : line))

  it('is counted and named, and the logs are not whole', async () => {
    const judged = await judge([logOf(spoilt(kept, 1000))])
    expect(judged.logs.counts.unread).toBe(3)
    expect(earlyCheck(judged)?.message).toContain(
      "3 of 3,000 lines can't be read: access.log:6 (not in this format), access.log:1006",
    )
    expect(judged.report.run.exitCode).toBe(2)
  })

  it('at 1 in 100 leaves everything open, a breach too', async () => {
    const judged = await judge([logOf(spoilt(broken, 99))])
    expect([overCheck(judged)?.code, judged.report.run.exitCode]).toEqual(['lines-unread', 2])
    expect(overCheck(judged)?.message).toContain('what can be read breaks the rule')
    expect((await judge([logOf(spoilt(broken, 110))])).report.run.exitCode).toBe(1)
  })

  it('is all of a log that can not be opened', async () => {
    const file = givenLogs(['/nowhere/access.log'], { errors: [], longest: undefined }, process.stdin)
    await expect(judge([], { logs: file })).rejects.toThrow(
      '--log /nowhere/access.log: there is no such file or folder',
    )
    const folder = givenLogs(['/'], { errors: [], longest: undefined }, process.stdin)
    await expect(judge([], { logs: folder })).rejects.toThrow('--log /: that is a folder')
  })

  it('is told where a format was given that is not the log’s', async () => {
    await expect(judge([logOf(kept)], { format: 'haproxy' })).rejects.toThrow(
      'its lines are not written as --format haproxy says. Leave --format out',
    )
  })
})

describe('who asked', () => {
  const plans = (): ApiContract => {
    const one = shopContract()
    const { free } = one.credentials
    return {
      ...one,
      credentials: { free, pro: { ...free, env: 'PRO_KEY' } },
      quotas: [{ ...one.quotas[0], limit: { free: 60, pro: 300 } }],
    }
  }

  it('has the highest limit where the log does not say which', async () => {
    const judged = await judge([logOf(broken)], { contract: plans() })
    expect([overCheck(judged)?.code, judged.report.certificates]).toEqual(['limit-unknown', []])
  })

  it('is known by the secret of a credential', async () => {
    const judged = await judge([logOf(broken)], { contract: plans(), secrets: { free: 'key-0', pro: 'key-1' } })
    expect(overCheck(judged)?.facts.plan).toMatch(/^client \d+ \(free\)$/)
    expect(earlyCheck(judged)?.facts.plan).toMatch(/^client \d+ \(pro\)$/)
  })

  it('is an address where the quota counts by it, whatever keys it shows', async () => {
    const contract = { ...plans(), quotas: [{ ...plans().quotas[0], by: 'address' as const }] }
    const judged = await judge([logOf(broken)], { contract, secrets: { free: 'key-0' } })
    expect(overCheck(judged)?.code).toBe('limit-unknown')
  })

  it('is an address where the quota counts by it', async () => {
    const judged = await judge([logOf(broken)], { contract: shopContract({ by: 'address' }) })
    expect(overCheck(judged)?.verdict).toBe('fail')
  })
})

describe('what was asked for', () => {
  const elsewhere = broken.map((line) => line.replace('/items?limit=1', '/items/7/parts'))

  it('counts only where the contract names it', async () => {
    const judged = await judge([logOf(elsewhere)])
    expect([overCheck(judged)?.verdict, judged.logs.counts.unknown]).toEqual(['inconclusive', 3000])
  })

  it('is named by a pattern', async () => {
    expect(overCheck(await judge([logOf(elsewhere)], { requests: ['items=GET /items/*'] }))?.verdict).toBe('fail')
    await expect(judge([logOf(elsewhere)], { requests: ['item=/x'] })).rejects.toThrow(/did you mean items/)
    await expect(judge([logOf(elsewhere)], { requests: ['/x'] })).rejects.toThrow(/items='GET/)
  })

  it('counts where lines do not say it only if all requests count alike', async () => {
    const one = shopContract()
    const orders = { ...one.requests.items, path: '/orders' }
    const contract = { ...one, requests: { ...one.requests, orders } }
    const format = '$remote_addr - $remote_user [$time_local] "$what" $status $size "$from" "$agent" $request_time'
    const verdictOf = async (given: ApiContract) =>
      overCheck(await judge([logOf(broken)], { contract: given, format }))?.verdict
    const both = { ...contract, quotas: [{ ...one.quotas[0], requests: ['items', 'orders'] }] }
    expect([await verdictOf(one), await verdictOf(both), await verdictOf(contract)]).toEqual([
      'fail',
      'fail',
      'inconclusive',
    ])
  })

  it('is unknown where two requests of the contract look alike', async () => {
    const one = shopContract()
    const contract = { ...one, requests: { ...one.requests, search: { ...one.requests.items, path: '/items?q=a' } } }
    expect((await judge([logOf(broken)], { contract })).logs.counts.unknown).toBe(3000)
  })

  it('tells nothing early where another quota may have refused it', async () => {
    const one = shopContract()
    const contract = {
      ...one,
      quotas: [...one.quotas, { ...one.quotas[0], id: 'hour', limit: { free: 900 }, windowMs: 3_600_000 }],
    }
    const judged = await judge([logOf(madeWith(40).map(nginxLine))], { contract })
    expect([earlyCheck(judged)?.code, overCheck(judged)?.code]).toEqual(['refusals-alike', 'refusals-alike'])
  })
})

describe('a log', () => {
  it('may be compressed, and come in pieces', async () => {
    const bytes = gzipSync(`${broken.join('\r\n')}\r\n`)
    const pieces = Array.from({ length: Math.ceil(bytes.length / 1000) }, (_, i) =>
      bytes.subarray(i * 1000, i * 1000 + 1000),
    )
    const judged = await judge([{ name: 'access.log.gz', open: () => Readable.from(pieces) }])
    expect([judged.logs.counts.lines, judged.logs.counts.unread, overCheck(judged)?.verdict]).toEqual([3000, 0, 'fail'])
  })

  // As it comes from a disk: all of it at once.
  const read = (lines: readonly string[], name: string): LogFile => ({
    name,
    open: () => Readable.from([Buffer.from(`${lines.join('\n')}\n`)]),
  })

  it.each<[string, readonly LogFile[]]>([
    ['in a copy', [read(kept, 'a.log'), read(kept, 'a.log.1')]],
    ['in the next file', [read(kept.slice(0, 2000), 'a.log'), read(kept.slice(1500), 'a.log.1')]],
    ['one after the other', [read([...kept.slice(0, 100), ...kept.slice(0, 100)], 'a.log')]],
  ])('that has its lines twice is no proof: %s', async (_, files) => {
    await expect(judge(files)).rejects.toThrow(/has the first lines of a\.log(\.1)? once more/)
  })

  it('may say the same as another for some lines, and for long in one moment', async () => {
    const asOne = Array.from({ length: 100 }, () => kept[0])
    const nodes = [read([...kept.slice(0, 10), ...kept.slice(1000)], 'a.log'), read(kept.slice(0, 1000), 'b.log')]
    expect((await judge(nodes)).logs.counts.lines).toBe(3010)
    expect((await judge([read([...asOne, ...kept], 'a.log')])).logs.counts.lines).toBe(3100)
  })

  it('of one moment ends, however few lines are held at once', async () => {
    const asOne = Array.from({ length: 100 }, () => kept[0])
    expect((await judge([logOf(asOne)], { capacity: 20 })).logs.counts.lines).toBe(100)
  })

  it('may begin with a byte order mark', async () => {
    const lines = madeWith(121).map(jsonLine)
    const judged = await judge([logOf([`\ufeff${lines[0]}`, ...lines.slice(1)])], {
      format: undefined,
      fields: jsonFields,
    })
    expect([judged.logs.counts.unread, overCheck(judged)?.verdict]).toEqual([0, 'fail'])
  })

  it('that does not say how long a request took needs the longest', async () => {
    const lines = broken.map((line) => line.slice(0, line.lastIndexOf(' ')))
    const logs = (longestMs: number | undefined) => [{ file: logOf(lines), clock: { errorMs: 0, longestMs } }]
    await expect(judge([], { logs: logs(undefined), format: 'combined' })).rejects.toThrow(/--longest/)
    expect(overCheck(await judge([], { logs: logs(2000), format: 'combined' }))?.verdict).toBe('fail')
  })

  it('has a clock of its own', () => {
    const errorsOf = (names: readonly string[], errors: readonly string[]) =>
      givenLogs(names, { errors, longest: '30s' }, process.stdin).map(({ clock }) => clock.errorMs)
    expect([
      errorsOf(['a'], []),
      errorsOf(['a', 'b'], []),
      errorsOf(['a', 'b'], ['1s']),
      errorsOf(['a', 'b'], ['20ms', '1.5s']),
    ]).toEqual([[0], [50, 50], [1000, 1000], [20, 1500]])
    expect(() => errorsOf(['a', 'b', 'c'], ['20ms', '1s'])).toThrow(/one for each/)
    expect(() => errorsOf(['a'], ['20'])).toThrow(/20ms/)
    expect(() => errorsOf(['-', '-'], [])).toThrow(/once/)
  })
})
