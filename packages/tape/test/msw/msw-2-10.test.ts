import { setupServer } from 'msw-2-10/node'
import { vi } from 'vitest'
import { mswSuite } from './suite.ts'

vi.mock('msw', () => import('msw-2-10'))

mswSuite(setupServer)
