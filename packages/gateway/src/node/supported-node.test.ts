import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { faultOfNode, OLDEST_NODE } from './supported-node.ts'

test.each(['22.19.0', '22.20.1', '24.0.0', '100.0.0'])('Node %s is new enough', (node) => {
  expect(faultOfNode({ node })).toBeUndefined()
})

test.each(['20.20.2', '22.9.0', '22.18.9', '9.99.99'])('Node %s is told what is needed', (node) => {
  expect(faultOfNode({ node })).toBe(
    `@hydra/gateway needs Node 22.19.0 or newer, and this is Node ${node}: install a newer one`,
  )
})

test('what only resembles some Node is left alone', () => {
  expect(faultOfNode({ node: '20.0.0', bun: '1.4.4' })).toBeUndefined()
  expect(faultOfNode({ node: '20.0.0', deno: '2.9.6' })).toBeUndefined()
  expect(faultOfNode({})).toBeUndefined()
})

test('it is the Node that the package says it needs, and is looked at before undici is loaded', () => {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  const { engines, sideEffects } = JSON.parse(manifest) as Record<string, unknown>
  expect(engines).toEqual({ node: `>=${OLDEST_NODE}` })
  // Bundlers leave out what has no effect.
  expect(sideEffects).toEqual(['./dist/node/refuse-old-node.js', './src/node/refuse-old-node.ts'])
  const index = readFileSync(new URL('./index.ts', import.meta.url), 'utf8')
  expect(/ from '.*'|^import '.*'/m.exec(index)?.[0]).toBe("import './refuse-old-node.ts'")
})
