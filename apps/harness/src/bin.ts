#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { startProgram } from '@hydra/cli/start'

void startProgram({
  name: 'hydra-tape',
  manifest: new URL('../package.json', import.meta.url),
  manifestText: readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  load: () => import('./main.ts'),
})
