import type { Document } from '../document.ts'
import { sectionOf, titleOf } from '../document.ts'
import { readText } from '../repository.ts'

/** The first page: what the README says first, and a door for each kind of user. */
export function homePage(): Document {
  const readme = readText('README.md')
  const [about = ''] = readme.split('\n## ')
  const text = about.slice(about.indexOf('\n')).trim().split('\n\n')[0]?.replaceAll('\n', ' ') ?? ''
  const [start = ''] = /^```sh[^]*?^```$/m.exec(sectionOf(readme, '## Two commands')) ?? []
  return {
    path: 'index.md',
    text: `---
layout: home
hero:
  name: ${titleOf(readme)}
  text: Your agent, on another provider's models
  tagline: ${JSON.stringify(text)}
  image: { light: /images/inspector-conversation.png, dark: /images/inspector-conversation.png, alt: A conversation in the inspector }
  actions:
    - { theme: brand, text: You have an agent, link: /agents }
    - { theme: alt, text: You have a server, link: /packages/gateway }
    - { theme: alt, text: You have tests, link: /testing }
features:
  - { title: A cut stream is an error, details: 'A client never takes a piece for the whole.', link: /reliability }
  - { title: Nothing disappears silently, details: 'What a provider cannot take leaves a note with a stable code.', link: /dialects/openai-chat }
  - { title: Every client on every provider, details: 'Equal protocols are relayed byte for byte, all others translated.', link: /matrix }
  - { title: Real sessions are the tests, details: 'Recorded once, replayed without a model and without a network.', link: /testing }
---

## Two commands, in a clone

${start}
`,
  }
}
