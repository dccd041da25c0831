import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Tape } from '@hydra/tape'
import { sceneTape, spoken } from '@hydra/testkit'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { summarizeSession } from '../../src/summary/summarize-session.ts'
import { viewerBundle } from '../../src/bundle/viewer-bundle.ts'
import { buildPage } from '../../src/page/build-page.ts'
import { conversation } from '../demo-session.ts'
import {
  axeFindings,
  isInstalled,
  launch,
  type Opened,
  type Opening,
  openPage,
  overflowOf,
} from './chromium.ts'

const TABS = ['Conversation', 'Facts', 'Dialects', 'Context', 'Requests', 'Timing']

async function heading(page: Page): Promise<string | null> {
  return page.locator('main h2').textContent()
}

describe.skipIf(!isInstalled)('the page of a file in Chromium', () => {
  let browser: Browser
  let folder: string

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hydra-viewer-'))
    browser = await launch()
  })

  afterAll(async () => {
    await browser?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  async function open(
    tapes: readonly Tape[],
    opening: Opening & { readonly hash?: string } = {},
  ): Promise<Opened> {
    const file = join(folder, 'page.html')
    const told = tapes.map((tape) => ({ tape, summary: summarizeSession(tape) }))
    writeFileSync(file, buildPage(told, await viewerBundle()))
    return openPage(browser, `${pathToFileURL(file).href}${opening.hash ?? ''}`, opening)
  }

  test('shows a session: what was said, tries, notes, both dialects, requests, headers and times', async () => {
    const { page, trouble } = await open([conversation()])
    expect(await heading(page)).toContain('What is the weather in Bern?')
    const main = page.locator('main')
    await main.getByText('calls get_weather').first().waitFor()
    // The result that came with the next request is beside its call.
    expect(await page.locator('.call-pair').first().textContent()).toContain('Rain, 12 degrees')
    await page.keyboard.press('2')
    expect(await main.textContent()).toContain('a field that is not known here')
    expect(await page.locator('tbody tr').first().textContent()).toContain('demo')
    await page.keyboard.press('3')
    const row = page.locator('.event-row', { hasText: '"I will "' }).first()
    expect(await row.locator('.upstream').textContent()).toContain('"I will "')
    expect(await row.locator('.client').textContent()).toContain('content_block_delta')
    await page.keyboard.press('5')
    await page.locator('summary', { hasText: 'messages[0] user' }).first().click()
    await page.locator('.pair .client pre', { hasText: 'What is the weather in Bern?' }).waitFor()
    expect(await page.locator('section', { hasText: 'Headers' }).last().textContent()).toContain(
      'content-type',
    )
    await page.keyboard.press('6')
    expect(await page.locator('.lane.upstream .bar').count()).toBeGreaterThan(3)
    expect(trouble).toEqual([])
    await page.close()
  })

  test('what fills the context is ranked, and the place where the prefix broke is named', async () => {
    const first = { role: 'user', content: 'Read the file' }
    const tape = sceneTape('broken prefix', [
      { messages: [first], request: { system: 'It is 12:00.' } },
      { messages: [first, { role: 'assistant', content: 'ok' }], request: { system: 'It is 12:01.' } },
    ])
    const { page, trouble } = await open([tape], { hash: '#tape-0-2/context' })
    const main = page.locator('main')
    await main.getByText('The beginning differs from exchange 1').waitFor()
    expect(await main.textContent()).toContain('system 1')
    expect(await main.locator('.differs').textContent()).toContain('12:01')
    expect(trouble).toEqual([])
    await page.close()
  })

  test('keys go from exchange to exchange, to the list and back, and tell about themselves', async () => {
    const { page, trouble } = await open([conversation()])
    await page.keyboard.press('j')
    expect(await heading(page)).toContain('#2')
    await page.keyboard.press('ArrowRight')
    expect(await heading(page)).toContain('#3')
    await page.keyboard.press('k')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('k')
    expect(await heading(page)).toContain('#1')
    await page.keyboard.press('l')
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => page.evaluate('document.activeElement.getAttribute("aria-current")')).toBe('true')
    expect(await heading(page)).toContain('#2')
    await page.keyboard.press('End')
    expect(await heading(page)).toContain('#5')
    await page.keyboard.press('?')
    expect(await page.locator('#keys').isVisible()).toBe(true)
    await page.keyboard.press('k')
    await page.keyboard.press('Escape')
    expect(await page.locator('#keys').isVisible()).toBe(false)
    expect(await heading(page)).toContain('#5')
    expect(trouble).toEqual([])
    await page.close()
  })

  test('arrows go from tab to tab while one has the focus, and round', async () => {
    const { page } = await open([conversation()])
    await page.locator('#tab-Conversation').focus()
    await page.keyboard.press('ArrowRight')
    const selected = page.locator('[role=tab][aria-selected=true]')
    expect(await selected.textContent()).toContain('Facts')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    expect(await selected.textContent()).toBe('Timing')
    expect(await heading(page)).toContain('#1')
    await page.close()
  })

  test('texts are copied also where the browser has no clipboard for scripts', async () => {
    const { page, trouble } = await open([conversation()])
    await page.evaluate('delete Navigator.prototype.clipboard')
    await page.locator('.actions').getByText('JSON').click()
    await page.locator('.actions').getByText('Copied').waitFor()
    await page.locator('#filter').focus()
    await page.keyboard.press('Control+V')
    expect(await page.locator('#filter').inputValue()).toContain('"number": 1')
    expect(trouble).toEqual([])
    await page.close()
  })

  test('Tab reaches everything from the head to the parts of an exchange, with a visible focus', async () => {
    const { page } = await open([conversation()])
    await page.locator('main h2').waitFor()
    const seen: string[] = []
    for (let press = 0; press < 14; press += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one key after the other
      await page.keyboard.press('Tab')
      // oxlint-disable-next-line no-await-in-loop -- one key after the other
      const [name, outline] = await page.evaluate<[string, string]>(
        '[document.activeElement.id || document.activeElement.textContent.slice(0, 12), getComputedStyle(document.activeElement).outlineStyle]',
      )
      seen.push(name)
      expect(outline, name).toMatch(/solid|auto/)
    }
    expect(seen.slice(0, 3)).toEqual(['overview', 'show-keys', 'filter'])
    expect(seen).toContain('tab-Dialects')
    await page.close()
  })

  test.for([
    ['aborted', 1],
    ['~s aborted', 1],
    ['umbrella', 2],
    ['!umbrella', 3],
    ['gpt-test 429', 1],
    ['!umbrella !~e', 0],
    ['weather !tomorrow', 2],
    ['!~e', 2],
    ['~t get_weather', 1],
    ['~n field_ignored', 1],
    ['~m nothing', 0],
    ['"long story"', 1],
  ] as const)('the filter %s leaves %i exchanges', async ([typed, count]) => {
    const { page, trouble } = await open([conversation()])
    await page.keyboard.press('/')
    await page.keyboard.type(typed)
    await expect.poll(() => page.locator('#filter-count').textContent()).toBe(`${count} of 5`)
    expect(await page.locator('.row.exchange').count()).toBe(count)
    expect(trouble).toEqual([])
    await page.close()
  })

  test.for(['light', 'dark'] as const)('axe finds nothing wrong in %s, in any part', async (colorScheme) => {
    const { page } = await open([conversation()], { colorScheme })
    const ground = await page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor')
    const [red = 0] = /\d+/.exec(ground)?.map(Number) ?? []
    expect(red > 128).toBe(colorScheme === 'light')
    for (const [index, name] of TABS.entries()) {
      // oxlint-disable-next-line no-await-in-loop -- one part after the other
      await page.keyboard.press(String(index + 1))
      // oxlint-disable-next-line no-await-in-loop -- one part after the other
      expect(await axeFindings(page), name).toEqual([])
    }
    await page.locator('.row.session').first().click()
    expect(await axeFindings(page), 'session').toEqual([])
    await page.locator('#overview').click()
    expect(await axeFindings(page), 'totals').toEqual([])
    await page.close()
  })

  test('a phone of 390 pixels scrolls down only', async () => {
    const { page } = await open([conversation()], { width: 390 })
    for (const [index, name] of TABS.entries()) {
      // oxlint-disable-next-line no-await-in-loop -- one part after the other
      await page.keyboard.press(String(index + 1))
      // oxlint-disable-next-line no-await-in-loop -- one part after the other
      expect(await overflowOf(page), name).toBe(0)
    }
    await page.close()
  })

  test('no table of a phone breaks words into letters, and one that is wider can be scrolled with keys', async () => {
    const { page } = await open([conversation()], { width: 390, hash: '#session%3Atape-0' })
    await page.locator('.sums').first().waitFor()
    const widths = await page.evaluate<number[]>(
      '[...document.querySelectorAll("td.name")].map((cell) => cell.clientWidth)',
    )
    expect(widths.length).toBeGreaterThan(1)
    expect(Math.min(...widths)).toBeGreaterThan(120)
    const wide = page.locator('.table-box[tabindex="0"]').first()
    await wide.focus()
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => wide.evaluate((box) => box.scrollLeft)).toBeGreaterThan(0)
    expect(await axeFindings(page)).toEqual([])
    await page.close()
  })

  test('a system prompt in several texts is one fold, which tells how the longest begins', async () => {
    const system = [
      { type: 'text', text: 'x-anthropic-billing-header: cc_version=1;' },
      { type: 'text', text: 'You help people who write programs, and you are careful.' },
    ]
    const { page } = await open([sceneTape('system', [{ request: { system } }])])
    const fold = page.locator('.utterance.quiet', { hasText: 'system prompt in 2 parts' })
    expect(await fold.locator('summary .hint').textContent()).toMatch(/^You help people/)
    await fold.locator('summary').click()
    expect(await fold.locator('.text').textContent()).toContain('x-anthropic-billing-header')
    await page.close()
  })

  test('model text that is markup changes nothing and is seen as it is', async () => {
    const markup =
      '<img src=x onerror="alert(1)"></script><script>alert(2)</script><!-- <style>*{display:none}</style> <a href="javascript:alert(3)">'
    const hostile = sceneTape(markup, [
      {
        messages: [{ role: markup, content: markup }],
        events: spoken({
          thinking: markup,
          text: [markup, '\u2028', '\u001b[2J\u202e', '\u200b\u{e0049}'],
          call: { name: markup, input: { [markup]: markup } },
        }),
        notes: [{ code: markup, path: markup, message: markup }],
        lines: [[1, 0, 1, '', 'mark', { text: markup }]],
      },
    ])
    const { page, trouble } = await open([{ ...hostile, problems: [{ line: 3, reason: markup }] }])
    await page.locator('.utterance.model .text', { hasText: markup }).first().waitFor()
    expect(await page.locator('.utterance.model .text').first().textContent()).toContain(
      '\\u001b[2J\\u202e\\u200b\\u{e0049}',
    )
    expect(await page.locator('.alert', { hasText: markup }).first().isVisible()).toBe(true)
    for (const index of TABS.keys()) {
      // oxlint-disable-next-line no-await-in-loop -- one part after the other
      await page.keyboard.press(String(index + 1))
      // oxlint-disable-next-line no-await-in-loop -- one part after the other
      await page.keyboard.press('e')
    }
    expect(await page.locator('img').count()).toBe(0)
    expect(await page.locator('main a').count()).toBe(0)
    expect(await page.locator('script:not([type="application/json"])').count()).toBe(1)
    expect(await page.locator('style').count()).toBe(1)
    expect(trouble).toEqual([])
    await page.close()
  })

  test('a line of 5 MB is cut, and the page stays quick', async () => {
    const line = 'x'.repeat(5 * 1024 * 1024)
    const { page, trouble } = await open([sceneTape('long line', [{ events: spoken({ text: [line] }) }])])
    await page.getByText('Show all 5,242,880 characters').waitFor()
    expect(await page.evaluate<number>('document.querySelector("main").textContent.length')).toBeLessThan(
      50_000,
    )
    expect(trouble).toEqual([])
    await page.close()
  })

  test('10,000 exchanges are listed, only those on screen are drawn, and keys and search stay quick', async () => {
    const scenes = Array.from({ length: 10_000 }, (_, at) => ({
      messages: [{ role: 'user', content: `question ${at}` }],
      events: spoken({ text: ['an answer'] }),
    }))
    const { page, trouble } = await open([sceneTape('long', scenes)])
    expect(await page.locator('.row').count()).toBeLessThan(100)
    await page.keyboard.press('l')
    await page.keyboard.press('End')
    await expect.poll(() => heading(page)).toContain('question 9999')
    for (let press = 0; press < 20; press += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one key after the other
      await page.keyboard.press('k')
    }
    await expect.poll(() => heading(page)).toContain('question 9979')
    await page.keyboard.press('/')
    await page.keyboard.type('"question 4711"')
    await expect
      .poll(() => page.locator('#filter-count').textContent(), { timeout: 20_000 })
      .toBe('1 of 10000')
    expect(await page.locator('main *').count()).toBeLessThan(5000)
    expect(trouble).toEqual([])
    await page.close()
  }, 120_000)

  test('the page opens at the place that its address names', async () => {
    const { page } = await open([conversation(), sceneTape('other', [{}])], { hash: '#tape-1-1/timing' })
    expect(await heading(page)).toContain('Hi')
    expect(await page.locator('[role=tab][aria-selected=true]').textContent()).toBe('Timing')
    await page.reload()
    expect(await page.locator('[role=tab][aria-selected=true]').textContent()).toBe('Timing')
    await page.close()
  })
})
