import { readFileSync } from 'node:fs'
import Anthropic from '@anthropic-ai/sdk'
import { askAboutWeather } from '../../../packages/tape/example/weather-agent.ts'

// An agent with a tool that reads a file: what the tool says depends on where it runs.
const client = new Anthropic({ maxRetries: 0 })
const question = process.env['QUESTION'] ?? 'What is the weather in Oslo?'
const answer = await askAboutWeather(client, question, () => readFileSync('weather.txt', 'utf8').trim())
process.stdout.write(`${answer}\n`)
