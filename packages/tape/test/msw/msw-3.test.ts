import { setupServer } from 'msw/node'
import { mswSuite } from './suite.ts'

mswSuite(setupServer)
