import type { SecretShape } from '../src/secrets/secret-shapes.ts'

const TAIL = 'aB3dE5fG7hJ9kL1mN2pQ4rS6'

/** A made-up key of a shape; each class of characters and each group of its beginning by the first of its choices. */
export function exampleOf({ beginning }: SecretShape): string {
  const first = beginning
    .replaceAll(/\(\?:(\w+)\|[^)]*\)/g, '$1')
    .replaceAll(/\[(\w)[^\]]*\]/g, '$1')
    .replaceAll('\\', '')
  return first + TAIL
}

/** What begins like a key and is none. */
export const ORDINARY_NAMES: readonly string[] = [
  'sk_buff_head_init_locked',
  'pk-button-with-a-long-name',
  'fw_upload_requested_again',
  'task-force-of-the-company',
]
