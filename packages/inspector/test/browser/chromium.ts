import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, chromium, type Page } from 'playwright-core'

const CHROMIUM = '/usr/bin/chromium'

/** Whether there is a browser to test with; that there is none is said once. */
export const isInstalled: boolean = existsSync(CHROMIUM)
if (!isInstalled) process.stderr.write(`the viewer is not tested: there is no browser at ${CHROMIUM}\n`)

/** Starts the browser. */
export function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
}

/** A page and what went wrong in it or left it; empty if all is well. */
export interface Opened {
  readonly page: Page
  readonly trouble: string[]
}

/** How a page is opened. */
export interface Opening {
  readonly colorScheme?: 'light' | 'dark'
  readonly width?: number
}

/** Opens an address, and writes down every complaint, dialog and request to anywhere else. */
export async function openPage(browser: Browser, url: string, opening: Opening = {}): Promise<Opened> {
  const { colorScheme = 'light', width = 1400 } = opening
  const page = await browser.newPage({ colorScheme, viewport: { width, height: 900 } })
  const trouble: string[] = []
  page.on('console', (message) => trouble.push(`console: ${message.text()}`))
  page.on('pageerror', (error) => trouble.push(`error: ${error.message}`))
  page.on('dialog', (dialog) => {
    trouble.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(url.replace(/#.*/, ''))) trouble.push(`request: ${request.url()}`)
  })
  await page.goto(url)
  return { page, trouble }
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds wrong with a page, in words. */
export async function axeFindings(page: Page): Promise<string[]> {
  // The page's own policy forbids to add a script, so it is evaluated as the debugger does.
  await page.evaluate(AXE)
  return page.evaluate<string[]>(`axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => id + ' ' + target + ' ' + failureSummary)))`)
}

/** How far a page can be scrolled sideways. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')
}
