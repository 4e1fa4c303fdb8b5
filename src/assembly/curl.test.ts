import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import type { HeaderLine } from '../evidence/exchange.js'
import { madeKey } from '../evidence/testing/made-evidence.js'
import { type ExchangePart, madeExchange } from '../evidence/testing/made-exchange.js'
import { curlOf, type KeysOfRun, variablesToSet } from './repeating.js'

const usual: KeysOfRun = { keys: [madeKey('free'), madeKey('pro', 'pro-2'), madeKey('enterprise')] }
const curl = (part: ExchangePart = {}, headers: readonly HeaderLine[] = [], run = usual) => {
  const x = madeExchange(part)
  return curlOf({ ...x, request: { ...x.request, headers: [...headers] } }, run)
}
const url = "'http://127.0.0.1:8080/v1/inventory'"
const bearer = (value: string) => [['Authorization', value]] as const
const json = ['Content-Type', 'application/json'] as const

describe('the command that sends an exchange again', () => {
  it.each<[string, string]>([
    ['a plain reading', curl()],
    ['GET is not named', curl({ method: 'GET' })],
  ])('%s', (_name, command) => {
    expect(command).toBe(`curl -sS -i ${url}`)
  })

  it.each<[string, string, string]>([
    ['the key', 'Bearer ‹free key›', `'Authorization: Bearer '"$QUOTASPEC_KEY_FREE"`],
    ['the second key of a plan', 'Bearer ‹pro-2 key›', `'Authorization: Bearer '"$QUOTASPEC_KEY_PRO_2"`],
    ['a key with more behind it', 'Bearer ‹free key›x', `'Authorization: Bearer '"$QUOTASPEC_KEY_FREE"'x'`],
    [
      'a key cut short',
      'Bearer ‹free key, its last character cut off›',
      `'Authorization: Bearer '"\${QUOTASPEC_KEY_FREE%?}"`,
    ],
    [
      'a key cut by more',
      'Bearer ‹free key, its last 2 characters cut off›',
      `'Authorization: Bearer '"\${QUOTASPEC_KEY_FREE%??}"`,
    ],
    [
      'a key in other letter case',
      'Bearer ‹free key in other letter case›',
      `'Authorization: Bearer '"$(printf %s "$QUOTASPEC_KEY_FREE" | tr 'a-zA-Z' 'A-Za-z')"`,
    ],
    [
      'a Basic pair with its user in other letter case',
      'Basic ‹Basic pair of the free key in other letter case›',
      `'Authorization: Basic '"$(printf '%s:%s' "$(printf %s "\${QUOTASPEC_KEY_FREE%%:*}" | tr 'a-zA-Z' 'A-Za-z')" "\${QUOTASPEC_KEY_FREE#*:}" | base64 | tr -d '\\n')"`,
    ],
    [
      'a key percent-encoded',
      'Bearer ‹free key percent-encoded›',
      `'Authorization: Bearer '"$(printf %s "$QUOTASPEC_KEY_FREE" | od -An -v -tx1 | tr -d '\\n' | tr -s ' ' %)"`,
    ],
    [
      'a key with another character',
      'Bearer ‹free key with F as character 7›',
      `'Authorization: Bearer '"$(printf %s "$QUOTASPEC_KEY_FREE" | sed 's/./F/7')"`,
    ],
    ['a bare key', '‹enterprise key›', `'Authorization: '"$QUOTASPEC_KEY_ENTERPRISE"`],
    [
      'a Basic pair',
      'Basic ‹Basic pair of the free key›',
      `'Authorization: Basic '"$(printf %s: "$QUOTASPEC_KEY_FREE" | base64 | tr -d '\\n')"`,
    ],
    ['an unknown key', 'Bearer ‹unknown key›', `'Authorization: Bearer ‹unknown key›'`],
  ])('takes %s from the environment', (_name, value, word) => {
    expect(curl({}, bearer(value))).toBe(`curl -sS -i ${url} -H ${word}`)
  })

  it.each<[string, string | null | undefined, string]>([
    ['that gave it to the run', 'STG_KEY_FREE', '$STG_KEY_FREE'],
    ['where it is looked for, if a flag or a file gave it', null, '$QUOTASPEC_KEY_FREE'],
    ['where it is looked for, of a run that kept no name', undefined, '$QUOTASPEC_KEY_FREE'],
  ])('names the variable %s', (_name, variable, named) => {
    const run = { keys: [{ ...madeKey('free'), variable }] }
    expect(curl({}, bearer('Bearer ‹free key›'), run)).toContain(`"${named}"`)
    expect(curl({ method: 'PATCH', sent: '{"a":"‹free key›"}' }, [json], run)).toContain(`"${named}"`)
    expect(variablesToSet(run)).toEqual(variable === null ? ['QUOTASPEC_KEY_FREE'] : [])
  })

  it('takes a key from there wherever it stands, as often as it stands', () => {
    const cookie = curl({}, [['Cookie', 'api_key=‹free key›; access_token=‹free key›']])
    expect(cookie).toContain(`-H 'Cookie: api_key='"$QUOTASPEC_KEY_FREE"'; access_token='"$QUOTASPEC_KEY_FREE"`)
    expect(curl({ path: '/inventory?api_key=‹free key›' })).toBe(
      `curl -sS -i 'http://127.0.0.1:8080/v1/inventory?api_key='"$QUOTASPEC_KEY_FREE"`,
    )
  })

  it.each<[string, string, string]>([
    [
      'a change',
      curl({ operation: 'updateInventory', sent: '{"quantity":5}' }, [json]),
      `curl -sS -i -X PATCH 'http://127.0.0.1:8080/v1/inventory/1' -H 'Content-Type: application/json' --data-raw '{"quantity":5}'`,
    ],
    [
      'a body that is not declared',
      curl({ method: 'PATCH', sent: '{}' }),
      `curl -sS -i -X PATCH ${url} -H 'Content-Type:' --data-raw '{}'`,
    ],
    [
      'a quote in a body',
      curl({ method: 'PATCH', sent: "{'a':1}" }, [json]),
      `curl -sS -i -X PATCH ${url} -H 'Content-Type: application/json' --data-raw '{'\\''a'\\'':1}'`,
    ],
    ['HEAD, which has no body to wait for', curl({ method: 'HEAD' }), `curl -sS -i -I ${url}`],
    [
      'a path that a client would tidy up',
      curl({ path: '/./inventory' }),
      `curl -sS -i --path-as-is 'http://127.0.0.1:8080/v1/./inventory'`,
    ],
  ])('sends %s as it was', (_name, command, expected) => {
    expect(command).toBe(expected)
  })

  it('points to the journal for a body that a shell can not hold', () => {
    const x = madeExchange({ method: 'PATCH', sent: '{}' })
    const withBody = (content: string, encoding: 'utf8' | 'base64', truncated: boolean) =>
      curlOf(
        { ...x, request: { ...x.request, headers: [json], body: { encoding, content, bytes: 9, truncated } } },
        usual,
      )
    expect(withBody('/wA=', 'base64', false)).toMatch(/--data-binary @body {3}# 9 bytes, kept in the journal$/)
    expect(withBody('xx', 'utf8', true)).toMatch(/# 9 bytes, kept in the journal in part$/)
    expect(withBody('a\u0000b', 'utf8', false)).toMatch(/--data-binary @body/)
  })

  it('means to a shell what was sent', () => {
    const command = curl({ method: 'PATCH', sent: `{"a":"$HOME \`id\` 'x'"}` }, bearer('Bearer ‹free key›x'))
    const shown = execFileSync('/bin/sh', ['-c', command.replace('curl', "printf '%s\\n'")], {
      env: { QUOTASPEC_KEY_FREE: 's$ecret' },
      encoding: 'utf8',
    })
    expect(shown.split('\n')).toEqual(
      expect.arrayContaining(['Authorization: Bearer s$ecretx', `{"a":"$HOME \`id\` 'x'"}`]),
    )
  })
})
