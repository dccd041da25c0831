import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Source } from './source.ts'

/** Asks for the key of the proxy, once. */
export function Login({ source }: { readonly source: Source }): JSX.Element {
  const [words, setWords] = useState('')
  const send = async (form: HTMLFormElement): Promise<void> => {
    const key = new FormData(form).get('key')
    const isIn = await source.login(typeof key === 'string' ? key : '')
    setWords(isIn ? '' : 'That is not the key.')
  }
  return (
    <main class="login">
      <h1>Hydra</h1>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void send(event.currentTarget)
        }}
      >
        <label>
          The key of this proxy
          <input name="key" type="password" autocomplete="current-password" required />
        </label>
        <button type="submit">Look</button>
        <p class="alert" role="alert" hidden={words === ''}>
          {words}
        </p>
      </form>
    </main>
  )
}
