import { type Command, commandLines, helpText, leadingOptions } from '@hydra/cli'
import { EXPLAIN_HELP } from '../explain/explain-options.ts'
import { OPTIONS } from '../settings/options.ts'
import { providerLines } from '../settings/providers.ts'
import { withoutSeparator } from './parse-options.ts'

const PROVIDERS = 'Providers, the variable of their key, and their address'
const KEYS = 'Keys come from these variables, never from a request.'

/** The help of a command that takes the options of the proxy. */
function optionsHelp(text: {
  readonly title: string
  readonly usage: string
  readonly about: string
  readonly examples: readonly string[]
}): string {
  const { title, usage, about, examples } = text
  const sections = { [PROVIDERS]: [...providerLines(), KEYS] }
  return helpText({ title, usage: [usage], about, options: OPTIONS, sections, examples })
}

/** The commands of `hydra`. Each is loaded when it runs: help and mistakes are answered at once. */
export const COMMANDS: readonly Command[] = [
  {
    name: 'serve',
    summary: 'run the proxy (what `pnpm start` does)',
    help: optionsHelp({
      title: 'hydra serve: run the proxy',
      usage: 'hydra serve [options]',
      about: `It runs until it is stopped. Without a model, a provider, an address or a configuration the built-in demo model
answers. An option counts more than the variable behind it, and that more than the configuration.`,
      examples: [
        'hydra serve                                      the built-in demo model, no key needed',
        'OPENAI_API_KEY=… hydra serve --model gpt-5.1',
        'hydra serve --provider ollama --model qwen3-coder',
        'hydra serve --target-url http://127.0.0.1:8000/v1 --provider vllm --model my-model',
        'hydra serve --model gpt-5.1 --passthrough lead   the lead on Claude, teammates on gpt-5.1',
        'hydra serve --model gpt-5.1 --record tapes       one tape per session, without secrets',
      ],
    }),
    ownArguments: withoutSeparator,
    run: async (args) => (await import('../serve/serve.ts')).serve(args),
  },
  {
    name: 'run',
    summary: 'start the proxy if none runs, and run a command against it',
    help: optionsHelp({
      title: 'hydra run: start the proxy if none runs, and run a command against it',
      usage: 'hydra run [options] COMMAND [arguments of the command]',
      about: `The command gets the environment that Claude Code and the Anthropic SDKs read; its exit code comes back. Options of
hydra come before it. The settings of a proxy that runs already count more than these.`,
      examples: [
        'hydra run claude -p "say hi"',
        'OPENAI_API_KEY=… hydra run --model gpt-5.1 claude',
        'hydra run --provider ollama --model qwen3-coder -- claude --help',
      ],
    }),
    // What follows the command is for the command, also its --help.
    ownArguments: (args) => leadingOptions(args, OPTIONS),
    run: async (args) => (await import('../run/run.ts')).run(args),
  },
  {
    name: 'doctor',
    summary: 'check port, key, reachability, streaming and the time to the first token',
    help: optionsHelp({
      title: 'hydra doctor: check port, key, reachability, streaming and the time to the first token',
      usage: 'hydra doctor [options]',
      about:
        'Takes the options of hydra serve, and asks every model that they name. Exit code 1 if something is wrong.',
      examples: [
        'hydra doctor --provider ollama --model qwen3-coder',
        'hydra doctor --config hydra.config.json',
      ],
    }),
    ownArguments: withoutSeparator,
    run: async (args) => (await import('../doctor/doctor.ts')).doctor(args),
  },
  {
    name: 'check',
    summary: 'check the settings and print the effective routes',
    help: optionsHelp({
      title: 'hydra check: check the settings and print the effective routes',
      usage: 'hydra check [options]',
      about: 'Takes the options of hydra serve, and reads them as it does. Nothing is sent anywhere.',
      examples: ['hydra check --config hydra.config.json', 'hydra check --model gpt-5.1 --passthrough lead'],
    }),
    ownArguments: withoutSeparator,
    run: async (args) => (await import('../check.ts')).check(args),
  },
  {
    name: 'explain',
    summary: 'show how a request is translated, block by block',
    help: EXPLAIN_HELP,
    run: async (args) => (await import('../explain/explain.ts')).explain(args),
  },
]

/** What `hydra --help` prints. */
export const HELP: string = `hydra: Claude Code and other agents on any model

Usage
  hydra COMMAND [options]

Commands
${commandLines(COMMANDS)
  .map((line) => `  ${line}`)
  .join('\n')}

Options
  -h, --help     this text; after a command, its options, the providers and examples
      --version  the version

Options without a command are for hydra serve.

${PROVIDERS}
${providerLines()
  .map((line) => `  ${line}`)
  .join('\n')}

Examples
  hydra serve                                      the built-in demo model, no key needed
  OPENAI_API_KEY=… hydra serve --model gpt-5.1
  hydra serve --provider ollama --model qwen3-coder
  hydra run claude -p "say hi"
  hydra serve --help
`
