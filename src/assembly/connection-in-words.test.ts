import { describe, expect, it } from 'vitest'
import { certificateInWords, silenceInWords } from './first-look.js'

const base = 'https://api.example/v1'
const openssl =
  'write EPROTO 80AB:error:0A000410:SSL routines:ssl3_read_bytes:ssl/tls alert handshake failure:../deps/openssl/openssl/ssl/record/rec_layer_s3.c:1605:SSL alert number 40'

describe('a certificate that is not trusted', () => {
  it.each([
    ['CERT_HAS_EXPIRED', 'The certificate that https://api.example/v1 shows has expired. The operator'],
    ['CERT_NOT_YET_VALID', 'is not valid yet: is the clock of this machine right?'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'is for names other than api.example: is --target spelt as'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'is self-signed, so nobody vouches for it. If that is meant, name it in a PEM'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'is signed by an authority that this machine does not know. If that is meant'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'or the target leaves out an intermediate certificate. Name the authority'],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', '--ca FILE; --insecure skips this check'],
    ['CERT_REVOKED', 'was revoked'],
    ['CERT_CHAIN_TOO_LONG', 'is not trusted (CERT_CHAIN_TOO_LONG)'],
  ])('is told in plain words, with what to do: %s', (code, told) => {
    expect(certificateInWords(base, { code })).toContain(told)
  })
})

describe('a target that gave nothing', () => {
  const failure = (code: string, message: string, phase: 'connect' | 'head' = 'connect') => ({ code, message, phase })

  it.each([
    ['nothing listens', failure('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:1'), 'refused. Is the target running'],
    ['no such name', failure('ENOTFOUND', 'getaddrinfo ENOTFOUND api.example'), 'The name api.example has no address'],
    ['no name service', failure('EAI_AGAIN', 'getaddrinfo EAI_AGAIN'), 'api.example could not be looked up'],
    ['no way', failure('EHOSTUNREACH', 'connect EHOSTUNREACH'), 'No route to https://api.example/v1'],
    [
      'no connection in time',
      failure('CONNECT_TIMEOUT', 'no connection after 5000 ms'),
      '(no connection after 5000 ms)',
    ],
    [
      'no TLS',
      failure('EPROTO', 'ssl3_get_record:wrong version number'),
      'Did you mean --target http://api.example/v1?',
    ],
    ['no common TLS', failure('EPROTO', openssl), 'failed (handshake failure)'],
    [
      'a certificate of the client is due',
      failure('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'tlsv13 alert certificate required', 'head'),
      'requires a client certificate (mutual TLS)',
    ],
    [
      'it hangs up',
      failure('UND_ERR_SOCKET', 'other side closed', 'head'),
      'accepted the connection but sent no complete answer',
    ],
  ])('is told by what happened: %s', (_, error, told) => {
    const text = silenceInWords(base, error)
    expect(text).toContain(told)
    expect(text).not.toMatch(/0A000410|rec_layer|getaddrinfo/)
  })

  it('is asked whether it runs only where it could not be reached', () => {
    expect(silenceInWords(base, failure('EPROTO', openssl))).not.toContain('running')
    expect(silenceInWords(base, failure('UND_ERR_SOCKET', 'other side closed', 'head'))).not.toContain('running')
    expect(silenceInWords(base, failure('ENOTFOUND', ''))).not.toContain('running')
    expect(silenceInWords(base, null)).toContain('Is the target running')
  })
})
