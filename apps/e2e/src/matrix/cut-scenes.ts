import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, expectPrinted } from '../expectations.ts'
import { type Ended, rounds, type Scene } from './scene.ts'
import type { Fault } from './write-answer.ts'

const WORDS = 'This answer has a beginning, and it has an END-9.'

/** A provider whose machine goes down in the middle of its words. */
export const cutText: Scene = {
  name: 'cut-text',
  title: 'a connection that breaks in the words of an answer: the agent asks again',
  begin: () => cutInText({ cut: 'text', isClean: false }),
}

/** A provider that hangs up as if it were finished. */
export const cutTextCleanly: Scene = {
  name: 'cut-cleanly',
  title: 'an answer that ends too early: the agent asks again',
  begin: () => cutInText({ cut: 'text', isClean: true }),
}

function cutInText(fault: Fault): ReturnType<Scene['begin']> {
  return {
    say: (_, number) => (number === 0 ? { answer: { text: WORDS }, fault } : { text: WORDS }),
    expect: (ended) => {
      expectPrinted(ended.outcome, WORDS)
      expectAskedAgain(ended)
    },
  }
}

const FILES = Array.from({ length: 12 }, (_, index) => `file-${index}`)

/** A provider whose machine goes down in the middle of a call: half a command must not run. */
export const cutCall: Scene = {
  name: 'cut-call',
  title: 'a connection that breaks in a call: it is not run, the agent asks again',
  begin({ shell }) {
    const answer = { text: 'Running it.', calls: [shell(`touch ${FILES.join('; touch ')}`)] }
    return {
      say(asked, number) {
        if (number === 0) return { answer, fault: { cut: 'call', isClean: false } }
        return rounds(asked) === 0 ? answer : { text: 'wholly done' }
      },
      expect(ended) {
        expectPrinted(ended.outcome, 'wholly done')
        const made = FILES.filter((file) => existsSync(join(ended.folder, file))).length
        expect(made === FILES.length, `${made} of ${FILES.length} files: half of a command was run`)
        expectAskedAgain(ended)
      },
    }
  },
}

function expectAskedAgain({ asked }: Ended): void {
  expect(asked.length > 1, 'the agent did not ask again')
}
