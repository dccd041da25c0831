import { afterAll } from 'vitest'
import { removeTemporaryFolders } from './temporary.ts'

// Here and not beside what it cleans up: a module that tests share is run once, and this is run for each of their files.
afterAll(removeTemporaryFolders)
