import { render } from 'preact'
import { App } from './app.tsx'
import { FileSource } from './file-source.ts'
import { LiveSource } from './live-source.ts'

const root = document.querySelector<HTMLElement>('#app')
if (root !== null) {
  const source = 'live' in root.dataset ? new LiveSource() : new FileSource()
  root.replaceChildren()
  render(<App source={source} />, root)
}
