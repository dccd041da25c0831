import {
  answer,
  chunk,
  DONE,
  event,
  finishChunk,
  head,
  startUpstream,
  type Step,
  usageChunk,
} from '@hydra/testkit'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startLive } from '../live-server.ts'
import { axeFindings, isInstalled, launch, openPage } from './chromium.ts'

function nothing(): void {}

/** An answer that goes on when the test says so. */
function steps(): { turn: () => AsyncIterable<Step>; next: () => void } {
  let release: () => void = nothing
  const wait = (): Promise<void> => new Promise((resolve) => (release = resolve))
  async function* turn(): AsyncIterable<Step> {
    await wait()
    yield head()
    yield event(chunk({ role: 'assistant', content: 'The first ' }))
    await wait()
    yield event(chunk({ content: 'and the second words.' }))
    await wait()
    yield event(finishChunk('stop'))
    yield event(usageChunk())
    yield event(DONE)
  }
  return { turn, next: () => release() }
}

describe.skipIf(!isInstalled)('the live page in Chromium', () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await launch()
  })

  afterAll(async () => {
    await browser?.close()
  })

  test('an exchange appears when it begins, waits visibly, streams in, and ends', async () => {
    const script = steps()
    const upstream = await startUpstream(script.turn)
    const live = await startLive(upstream.url)
    const { page, trouble } = await openPage(browser, `${live.url}/_hydra/`)
    await page.getByText('Nothing has come yet').waitFor()
    const asked = live.ask('Tell me something')
    await upstream.request(0)
    await page.locator('.row.exchange', { hasText: 'Tell me something' }).waitFor()
    await page.locator('.live', { hasText: 'waiting for the model' }).waitFor()
    script.next()
    await page.locator('.utterance.model', { hasText: 'The first' }).waitFor()
    await page.locator('.live', { hasText: 'the answer is coming' }).waitFor()
    expect(await page.locator('.utterance.model').textContent()).not.toContain('second')
    script.next()
    await page.locator('.utterance.model', { hasText: 'The first and the second words.' }).waitFor()
    script.next()
    await asked
    await page.locator('.tile.good', { hasText: 'answered' }).waitFor()
    await page.locator('.live').waitFor({ state: 'detached' })
    expect(await axeFindings(page)).toEqual([])
    expect(trouble).toEqual([])
    await page.close()
    await live.close()
    await upstream.close()
  })

  test('search finds words of answers that came, and both dialects are side by side', async () => {
    const upstream = await startUpstream(answer({ text: 'a rare word: quokka', piece: 5 }))
    const live = await startLive(upstream.url)
    for (const text of ['one', 'two', 'three']) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await live.ask(text)
    }
    const { page, trouble } = await openPage(browser, `${live.url}/_hydra/`)
    await page.locator('.row.exchange', { hasText: 'three' }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('quokka two')
    await expect.poll(() => page.locator('#filter-count').textContent()).toBe('1 of 3')
    await page.keyboard.press('Enter')
    await page.keyboard.press('j')
    await page.keyboard.press('3')
    await page.locator('.event-row .upstream', { hasText: 'a rar' }).first().waitFor()
    await page.locator('.event-row .client', { hasText: 'content_block_delta' }).first().waitFor()
    await page.keyboard.press('/')
    await page.keyboard.press('Control+A')
    await page.keyboard.press('Delete')
    await expect.poll(() => page.locator('.row.exchange').count()).toBe(3)
    // In a choice, keys choose.
    await page.locator('.again select').focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('k')
    expect(await page.locator('main h2').textContent()).toContain('two')
    expect(trouble).toEqual([])
    await page.close()
    await live.close()
    await upstream.close()
  })

  test('an answer that ends while somebody searches for its words is found', async () => {
    const script = steps()
    const upstream = await startUpstream(script.turn)
    const live = await startLive(upstream.url)
    const { page } = await openPage(browser, `${live.url}/_hydra/`)
    const asked = live.ask('Tell me something')
    await upstream.request(0)
    await page.locator('.row.exchange', { hasText: 'Tell me something' }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('"second words"')
    await expect.poll(() => page.locator('#filter-count').textContent()).toBe('0 of 1')
    for (const text of ['The first', 'The first and the second words.', '']) {
      script.next()
      // oxlint-disable-next-line no-await-in-loop -- one step after the other
      if (text !== '') await page.locator('.utterance.model', { hasText: text }).waitFor()
    }
    await asked
    await expect.poll(() => page.locator('#filter-count').textContent()).toBe('1 of 1')
    await page.close()
    await live.close()
    await upstream.close()
  })

  test('who has scrolled to the end of an answer that streams in stays there', async () => {
    let release: () => void = nothing
    const upstream = await startUpstream(async function* (): AsyncIterable<Step> {
      yield head()
      yield event(chunk({ role: 'assistant', content: 'a line\n'.repeat(100) }))
      await new Promise<void>((resolve) => (release = resolve))
      yield event(chunk({ content: 'another line\n'.repeat(100) }))
      yield event(chunk({ content: 'the last words' }))
      yield event(finishChunk('stop'))
      yield event(DONE)
    })
    const live = await startLive(upstream.url)
    const { page } = await openPage(browser, `${live.url}/_hydra/`)
    const asked = live.ask('Tell me many lines')
    await page.locator('.utterance.model', { hasText: 'a line' }).waitFor()
    await page.mouse.move(900, 400)
    await page.mouse.wheel(0, 100_000)
    await expect.poll(() => page.evaluate<number>('scrollY')).toBeGreaterThan(500)
    await page.waitForTimeout(200)
    release()
    await asked
    await page.locator('.utterance.model', { hasText: 'the last words' }).waitFor()
    const left = 'document.documentElement.scrollHeight - innerHeight - scrollY'
    await expect.poll(() => page.evaluate<number>(left)).toBeLessThan(100)
    await page.close()
    await live.close()
    await upstream.close()
  })

  test('what happened before the page was opened is there, and sent again both answers are side by side', async () => {
    const turns = ['The first answer', 'The second answer'].map((text) => answer({ text }))
    const upstream = await startUpstream(turns)
    const live = await startLive(upstream.url)
    await live.ask('Who is the best?')
    const { page, trouble } = await openPage(browser, `${live.url}/_hydra/`)
    await page.locator('.utterance.model', { hasText: 'The first answer' }).waitFor()
    await page.locator('.again input').fill('another-model')
    await page.locator('.again select').selectOption('other')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    const columns = page.locator('.compare .answer')
    await columns.filter({ hasText: 'The second answer' }).waitFor()
    expect(await columns.count()).toBe(2)
    expect(await columns.first().textContent()).toContain('The first answer')
    expect(await columns.last().textContent()).toContain('gpt-other')
    expect(await axeFindings(page)).toEqual([])
    expect(trouble).toEqual([])
    const sent = await upstream.request(1)
    expect(sent.headers['x-hydra-again']).toBeUndefined()
    await page.close()
    await live.close()
    await upstream.close()
  })

  test('with a key set the page asks for it once, and keeps no key where a script could read it', async () => {
    const key = 'the-key-of-this-proxy-0123456789'
    const upstream = await startUpstream(answer({ text: 'hello' }))
    const live = await startLive(upstream.url, { key })
    await live.ask('Who is there?')
    const { page } = await openPage(browser, `${live.url}/_hydra/`)
    await page.locator('input[name=key]').fill('wrong')
    await page.keyboard.press('Enter')
    await page.getByText('That is not the key.').waitFor()
    expect(await axeFindings(page)).toEqual([])
    await page.locator('input[name=key]').fill(key)
    await page.keyboard.press('Enter')
    await page.locator('.row.exchange', { hasText: 'Who is there?' }).waitFor()
    expect(await page.evaluate('document.cookie + JSON.stringify(localStorage)')).toBe('{}')
    await page.reload()
    await page.locator('.row.exchange', { hasText: 'Who is there?' }).waitFor()
    await page.close()
    await live.close()
    await upstream.close()
  })
})
