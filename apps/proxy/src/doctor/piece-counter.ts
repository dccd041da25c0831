import type { BlockHead, MessageSink } from '@hydra/core'

/** Counts the pieces in which an answer's words come. */
export class PieceCounter implements MessageSink {
  pieces = 0
  calls = 0

  messageStart(): void {
    // The head has no words.
  }

  blockStart(block: BlockHead): void {
    if (block.type === 'tool_use') this.calls += 1
  }

  text(): void {
    this.pieces += 1
  }

  thinking(): void {
    this.pieces += 1
  }

  inputJson(): void {
    this.pieces += 1
  }

  signature(): void {
    // A proof is not for people.
  }

  extra(): void {
    // Neither are citations.
  }

  blockStop(): void {
    // The next one begins with words of its own.
  }

  messageStop(): void {
    // The reader knows that it ended.
  }

  error(): void {
    // The reader keeps it.
  }
}
