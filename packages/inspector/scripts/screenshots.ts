import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { chromium, type Page } from 'playwright-core'
import { runAgent } from './shown/agent.ts'
import { PROMPTS } from './shown/turns.ts'
import { startShownUpstream } from './shown/upstream.ts'

const ROOT = new URL('../../../', import.meta.url)
const IMAGES = fileURLToPath(new URL('docs/images/', ROOT))

/** What is pressed to come to the place that a picture shows. */
const VIEWS: readonly (readonly [name: string, row: string, key: string])[] = [
  ['inspector-conversation', '.row.exchange:has-text("Make parseDate")', '1'],
  ['inspector-dialects', '.row.exchange:has-text("Make parseDate")', '3'],
  ['inspector-context', '.row.exchange:has-text("results of Edit")', '4'],
  ['inspector-session', '.row.session:has-text("Make parseDate")', '1'],
]

const folder = mkdtempSync(join(tmpdir(), 'hydra-screenshots-'))
const upstream = await startShownUpstream()
const proxy = startProxy(upstream.url)
try {
  const url = await proxy.url
  await runAgent({ proxy: url, session: '0b1d6f1e-parse-date', prompt: PROMPTS.typed })
  const unfinished = [PROMPTS.streamed, PROMPTS.waited].map((prompt, index) =>
    runAgent({ proxy: url, session: `5e55-${index}`, prompt }).catch(() => {}),
  )
  await takePictures(url)
  proxy.stop()
  await Promise.all(unfinished)
} finally {
  proxy.stop()
  upstream.close()
  rmSync(folder, { recursive: true, force: true })
}

/** The real proxy, in front of an upstream that only plays OpenAI. */
function startProxy(url: string): { readonly url: Promise<string>; stop(): void } {
  const config = join(folder, 'hydra.config.json')
  writeFileSync(
    config,
    JSON.stringify({
      port: 0,
      upstreams: { openai: { url, profile: 'generic' } },
      routes: [
        { name: 'small', match: { models: ['claude-haiku-*'] }, upstream: 'openai', model: 'gpt-5.1-mini' },
        { name: 'large', upstream: 'openai', model: 'gpt-5.1' },
      ],
      prices: {
        openai: {
          '*-mini': { input: 0.25, output: 2, cacheRead: 0.025 },
          '*': { input: 1.25, output: 10, cacheRead: 0.125 },
        },
      },
    }),
  )
  const main = fileURLToPath(new URL('apps/proxy/src/main.ts', ROOT))
  const child = spawn(process.execPath, [main, 'serve', '--config', config], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return { url: addressIn(child.stdout), stop: () => void child.kill() }
}

/** The address in the lines that the proxy begins with. */
async function addressIn(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const [, address] = /(http:\S+)\/_hydra\//.exec(line) ?? []
    if (address !== undefined) return address
  }
  throw new Error('the proxy did not say where it listens')
}

async function takePictures(url: string): Promise<void> {
  mkdirSync(IMAGES, { recursive: true })
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
  const page = await browser.newPage({ viewport: { width: 1200, height: 760 }, timezoneId: 'UTC' })
  await page.goto(`${url}/_hydra/`)
  await page.locator(`.row.exchange:has-text("${PROMPTS.waited}")`).waitFor()
  for (const view of VIEWS) {
    // oxlint-disable-next-line no-await-in-loop -- one picture after the other
    await takePicture(page, view)
  }
  await browser.close()
}

async function takePicture(page: Page, [name, row, key]: (typeof VIEWS)[number]): Promise<void> {
  await page.locator(row).last().click()
  await page.keyboard.press(key)
  await page.mouse.move(0, 0)
  await page.evaluate('document.activeElement.blur()')
  // The list names an exchange when it was read.
  await page.locator('.row.exchange .plain', { hasText: /^…$/ }).first().waitFor({ state: 'detached' })
  await page.waitForTimeout(300)
  await page.screenshot({ path: join(IMAGES, `${name}.png`) })
  console.log(`wrote docs/images/${name}.png`)
}
