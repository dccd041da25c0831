import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Tape } from '@hydra/tape'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildPage } from '../../src/html/build-page.ts'
import { tellSession } from '../../src/show/tell-session.ts'
import { conversation } from './demo-session.ts'
import { sceneTape, spoken } from './tapes.ts'

const CHROMIUM = '/usr/bin/chromium'
const isInstalled = existsSync(CHROMIUM)
if (!isInstalled) process.stderr.write(`the viewer is not tested: there is no browser at ${CHROMIUM}\n`)

interface Opened {
  readonly page: Page
  /** What went wrong or left the page; empty if all is well. */
  readonly trouble: string[]
}

async function heading(page: Page): Promise<string | null> {
  return page.locator('main h2').textContent()
}

describe.skipIf(!isInstalled)('the viewer in Chromium', () => {
  let browser: Browser
  let folder: string

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hydra-viewer-'))
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
  })

  afterAll(async () => {
    await browser?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  async function open(tapes: readonly Tape[], colorScheme: 'light' | 'dark' = 'light'): Promise<Opened> {
    const file = join(folder, 'page.html')
    writeFileSync(file, buildPage(tapes.map((tape) => ({ tape, account: tellSession(tape) }))))
    const page = await browser.newPage({ colorScheme, viewport: { width: 1400, height: 900 } })
    const trouble: string[] = []
    const own = pathToFileURL(file).href
    page.on('console', (message) => trouble.push(`console: ${message.text()}`))
    page.on('pageerror', (error) => trouble.push(`error: ${error.message}`))
    page.on('dialog', (dialog) => {
      trouble.push(`dialog: ${dialog.message()}`)
      void dialog.dismiss()
    })
    page.on('request', (request) => {
      if (request.url() !== own) trouble.push(`request: ${request.url()}`)
    })
    await page.goto(own)
    return { page, trouble }
  }

  test('shows a session: story, notes, timeline, both dialects, requests and headers', async () => {
    const { page, trouble } = await open([conversation()])
    expect(await heading(page)).toBe('Exchange 1 of weather')
    const main = page.locator('main')
    expect(await main.textContent()).toContain('What is the weather in Bern?')
    expect(await main.textContent()).toContain('a field that is not known here')
    const row = page.locator('.event-row', { hasText: '"I will "' }).first()
    expect(await row.locator('.upstream').textContent()).toContain('"I will "')
    expect(await row.locator('.client').textContent()).toContain('content_block_delta')
    expect(await page.locator('.lane.upstream .bar').count()).toBeGreaterThan(3)
    await page.locator('summary', { hasText: 'messages[0] user' }).first().click()
    expect(await page.locator('.pair pre').first().textContent()).toContain('What is the weather in Bern?')
    expect(await page.locator('section', { hasText: 'Headers' }).last().textContent()).toContain(
      'content-type',
    )
    expect(trouble).toEqual([])
    await page.close()
  })

  test('keys go from exchange to exchange, to the list and back, and tell about themselves', async () => {
    const { page, trouble } = await open([conversation()])
    await page.keyboard.press('j')
    expect(await heading(page)).toBe('Exchange 2 of weather')
    await page.keyboard.press('ArrowRight')
    expect(await heading(page)).toBe('Exchange 3 of weather')
    await page.keyboard.press('k')
    await page.keyboard.press('ArrowLeft')
    expect(await heading(page)).toBe('Exchange 1 of weather')
    await page.keyboard.press('k')
    expect(await heading(page)).toBe('Exchange 1 of weather')
    await page.keyboard.press('l')
    await page.keyboard.press('ArrowDown')
    expect(await page.evaluate('document.activeElement.getAttribute("aria-current")')).toBe('true')
    expect(await heading(page)).toBe('Exchange 2 of weather')
    await page.keyboard.press('End')
    expect(await heading(page)).toBe('Exchange 5 of weather')
    await page.keyboard.press('?')
    expect(await page.locator('#keys').isVisible()).toBe(true)
    await page.keyboard.press('k')
    await page.keyboard.press('Escape')
    expect(await page.locator('#keys').isVisible()).toBe(false)
    expect(await heading(page)).toBe('Exchange 5 of weather')
    expect(trouble).toEqual([])
    await page.close()
  })

  test('Tab reaches keys, filter, the one current exchange and then its parts, with a visible focus', async () => {
    const { page } = await open([conversation()])
    const seen: unknown[] = []
    for (let press = 0; press < 5; press += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one key after the other
      await page.keyboard.press('Tab')
      seen.push(
        // oxlint-disable-next-line no-await-in-loop -- one key after the other
        await page.evaluate(
          '[document.activeElement.id || document.activeElement.className || document.activeElement.tagName, getComputedStyle(document.activeElement).outlineStyle]',
        ),
      )
    }
    expect(seen).toEqual([
      ['show-keys', 'solid'],
      ['filter', expect.stringMatching(/solid|auto/)],
      ['entry', 'solid'],
      ['SUMMARY', 'solid'],
      ['SUMMARY', 'solid'],
    ])
    await page.close()
  })

  test('the filter leaves what fits, and the keys keep to it', async () => {
    const { page, trouble } = await open([conversation()])
    await page.keyboard.press('/')
    await page.keyboard.type('aborted')
    expect(await page.locator('#filter-count').textContent()).toBe('1 of 5')
    await page.locator('.entry:visible').click()
    expect(await heading(page)).toBe('Exchange 4 of weather')
    expect(trouble).toEqual([])
    await page.close()
  })

  test.for(['light', 'dark'] as const)('every text has a contrast of 4.5 to 1 in %s', async (scheme) => {
    const { page } = await open([conversation()], scheme)
    await page.keyboard.press('End')
    await page.keyboard.press('j')
    const ground = await page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor')
    const [red = 0] = /\d+/.exec(ground)?.map(Number) ?? []
    expect(red > 128).toBe(scheme === 'light')
    expect(await page.evaluate(CONTRAST)).toEqual([])
    await page.close()
  })

  test('model text that is markup changes nothing and is seen as it is', async () => {
    const markup =
      '<img src=x onerror="alert(1)"></script><script>alert(2)</script><!-- <style>*{display:none}</style>'
    const hostile = sceneTape(markup, [
      {
        messages: [{ role: markup, content: markup }],
        events: spoken({
          thinking: markup,
          text: [markup, '\u2028'],
          call: { name: markup, input: { [markup]: markup } },
        }),
        notes: [{ code: markup, path: markup, message: markup }],
        lines: [[1, 0, 1, '', 'mark', { text: markup }]],
      },
    ])
    const { page, trouble } = await open([{ ...hostile, problems: [{ line: 3, reason: markup }] }])
    await page.keyboard.press('e')
    for (const summary of await page.locator('.pair summary').all()) {
      // oxlint-disable-next-line no-await-in-loop -- one click after the other
      await summary.click()
    }
    expect(await page.locator('img').count()).toBe(0)
    expect(await page.locator('script:not([type="application/json"])').count()).toBe(1)
    expect(await page.locator('style').count()).toBe(1)
    expect(await page.locator('.saying.text .text', { hasText: markup }).first().isVisible()).toBe(true)
    expect(await page.locator('.alert', { hasText: markup }).first().isVisible()).toBe(true)
    expect(trouble).toEqual([])
    await page.close()
  })

  test('500 exchanges are listed, and only the one that is looked at is drawn', async () => {
    const scenes = Array.from({ length: 500 }, (_, at) => ({
      messages: Array.from({ length: at + 1 }, (__, turn) => ({
        role: turn % 2 === 0 ? 'user' : 'assistant',
        content: `turn ${turn} ${'word '.repeat(40)}`,
      })),
      events: spoken({ text: Array.from({ length: 40 }, (__, word) => `word ${word} `) }),
    }))
    const { page, trouble } = await open([sceneTape('long', scenes)])
    expect(await page.locator('.entry').count()).toBe(500)
    await page.keyboard.press('l')
    await page.keyboard.press('End')
    expect(await heading(page)).toBe('Exchange 500 of long')
    for (let press = 0; press < 20; press += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one key after the other
      await page.keyboard.press('k')
    }
    expect(await heading(page)).toBe('Exchange 480 of long')
    expect(await page.locator('main > h2').count()).toBe(1)
    expect(await page.locator('main *').count()).toBeLessThan(5000)
    expect(trouble).toEqual([])
    await page.close()
  })

  test('the page opens at the exchange that its address names', async () => {
    const { page } = await open([conversation(), sceneTape('other', [{}])])
    await page.keyboard.press('l')
    await page.keyboard.press('End')
    expect(await heading(page)).toBe('Exchange 1 of other')
    await page.reload()
    expect(await heading(page)).toBe('Exchange 1 of other')
    await page.close()
  })
})

/** Runs in the page: the texts whose contrast on what is behind them is too low. */
const CONTRAST = `(() => {
  const numbers = (colour) => (colour.match(/[\\d.]+/g) || []).map(Number)
  const light = (colour) => {
    const [r, g, b] = numbers(colour).map((part) => {
      const share = part / 255
      return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const groundOf = (element) => {
    for (let at = element; at !== null; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor
      const [, , , alpha = 1] = numbers(colour)
      if (alpha > 0) return colour
    }
    return 'rgb(255, 255, 255)'
  }
  const low = []
  for (const element of document.querySelectorAll('body *')) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== '')
    if (!own || element.closest('script, style, noscript') !== null) continue
    const [one, other] = [light(getComputedStyle(element).color), light(groundOf(element))].sort((a, b) => b - a)
    const contrast = (one + 0.05) / (other + 0.05)
    if (contrast < 4.5) low.push(element.className + ' ' + element.textContent.slice(0, 30) + ' ' + contrast.toFixed(2))
  }
  return low
})()`
