import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createPlainServer } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, expect, test as vitestTest } from 'vitest'
import { WHOLE_ANSWER } from './answers.ts'
import { closing, expectNothingUnhandled, inTime } from './eventually.ts'
import { chatUpstream, post, startProxy } from './proxy.ts'

expectNothingUnhandled()
const opened = closing()

const folder = mkdtempSync(join(tmpdir(), 'hydra-certificates-'))
afterAll(() => rmSync(folder, { recursive: true }))

const usual = getCACertificates('default')
/** Certificates are made by `openssl`; where it is not installed, nothing here can be tried. */
const hasOpenssl = spawnSync('openssl', ['version']).status === 0
const test = vitestTest.skipIf(!hasOpenssl)
beforeAll(() => {
  if (!hasOpenssl) return
  openssl(`req -x509 ${NEW_KEY} -keyout ca.key -out ca.crt -days 2 -subj /CN=authority`)
  setDefaultCACertificates([...usual, readFileSync(join(folder, 'ca.crt'), 'utf8')])
})
afterAll(() => setDefaultCACertificates(usual))

const NEW_KEY = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'

function openssl(command: string): void {
  const { status, stderr } = spawnSync('openssl', command.split(' '), { cwd: folder, encoding: 'utf8' })
  if (status !== 0) throw new Error(`openssl ${command}: ${stderr}`)
}

interface Wish {
  readonly name: string
  readonly signedBy: 'authority' | 'itself' | 'a stranger'
  /** Options of `openssl x509` that say until when. */
  readonly until?: string
}

/** A key and a certificate as somebody has got it. */
function certificate({ name, signedBy, until = '-days 2' }: Wish): { key: Buffer; cert: Buffer } {
  writeFileSync(join(folder, 'names'), `subjectAltName=${name}`)
  openssl(`req ${NEW_KEY} -keyout own.key -out own.csr -subj /CN=upstream`)
  if (signedBy === 'a stranger')
    openssl(`req -x509 ${NEW_KEY} -keyout stranger.key -out stranger.crt -days 2 -subj /CN=stranger`)
  const [ca, key] = signedBy === 'a stranger' ? ['stranger.crt', 'stranger.key'] : ['ca.crt', 'ca.key']
  const signature = signedBy === 'itself' ? '-signkey own.key' : `-CA ${ca} -CAkey ${key} -CAcreateserial`
  openssl(`x509 -req -in own.csr ${signature} -out own.crt -extfile names ${until}`)
  return { key: readFileSync(join(folder, 'own.key')), cert: readFileSync(join(folder, 'own.crt')) }
}

/** Asks for an answer by way of an upstream at the HTTPS address of a server. */
async function askThrough(server: Server): Promise<{ status: number; text: string }> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  await opened(Promise.resolve({ close: async () => void server.close() }))
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const proxy = await opened(startProxy({ upstreams: { up: chatUpstream(url) } }))
  const response = await inTime(post(proxy), 'an answer')
  return { status: response.status, text: await response.text() }
}

const OWN_NAME = 'IP:127.0.0.1'

test('an upstream whose certificate is good answers', async () => {
  const server = createServer(certificate({ name: OWN_NAME, signedBy: 'authority' }), (_, answer) => {
    answer.setHeader('content-type', 'application/json').end(WHOLE_ANSWER)
  })
  expect((await askThrough(server)).status).toBe(200)
})

test.each<[string, Wish, string]>([
  ['its own signature', { name: OWN_NAME, signedBy: 'itself' }, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  [
    'the signature of a stranger',
    { name: OWN_NAME, signedBy: 'a stranger' },
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  ],
  ['another name', { name: 'IP:127.0.0.2', signedBy: 'authority' }, 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ['a date that is over', { name: OWN_NAME, signedBy: 'authority', until: '-days -1' }, 'CERT_HAS_EXPIRED'],
])('an upstream whose certificate has %s is not told a word', async (_, wish, code) => {
  let heard = ''
  const server = createServer(certificate(wish), (request, answer) => {
    heard += request.url ?? ''
    answer.end()
  })
  const { status, text } = await askThrough(server)
  expect(status).toBe(502)
  expect(text).toContain(`upstream up: its certificate is not trusted (${code})`)
  expect(heard).toBe('')
})

test('an upstream that speaks no TLS where it is expected is named', async () => {
  const { status, text } = await askThrough(createPlainServer((_, answer) => void answer.end()))
  expect(status).toBe(502)
  expect(text).toMatch(/upstream up: it does not speak TLS here: is its address http:\/\/\?/)
})
