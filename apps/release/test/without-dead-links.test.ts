import { expect, test } from 'vitest'
import { withoutDeadLinks } from '../src/without-dead-links.ts'

const TEXT =
  'See [agents](../../docs/agents.md#claude), [log](CHANGELOG.md), [page](https://example.com), ![p](../../docs/p.png).'

function changed(address: string | undefined): string {
  return withoutDeadLinks(TEXT, { folder: 'apps/proxy', isThere: (path) => path === 'CHANGELOG.md', address })
}

test('links out of a package go to the repository', () => {
  expect(changed('https://git.example/a/b')).toBe(
    'See [agents](https://git.example/a/b/blob/HEAD/docs/agents.md#claude), [log](CHANGELOG.md), [page](https://example.com), ![p](https://git.example/a/b/raw/HEAD/docs/p.png).',
  )
})

test('where that is not known, they become words', () => {
  expect(changed(undefined)).toBe(
    'See agents (`docs/agents.md` in the repository), [log](CHANGELOG.md), [page](https://example.com), p.',
  )
})
