#!/usr/bin/env -S node --max-semi-space-size=8 --heap-growing-percent=100
import { readFileSync } from 'node:fs'
import { startProgram } from '@hydra/cli/start'

void startProgram({
  name: 'hydra',
  manifest: new URL('../package.json', import.meta.url),
  manifestText: readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  load: () => import('./main.ts'),
})
