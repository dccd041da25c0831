import { type Command, commandLines, helpText, leadingOptions, type OptionTable } from '@hydra/cli'
import { IMPORT_HELP } from '../import/import-options.ts'
import { EXPLAIN_HELP } from '../explain/explain-options.ts'
import { OPTIONS, RUN_OPTIONS } from '../settings/options.ts'
import { providerLines } from '../settings/providers.ts'
import { KEYS_HELP } from '../team/keys-options.ts'
import { USAGE_HELP } from '../team/usage-options.ts'
import { withoutSeparator } from './parse-options.ts'

const PROVIDERS = 'Providers, the variable of their key, and their address'
const KEYS = 'Keys come from these variables, never from a request.'

/** The help of a command that takes the options of the proxy. */
function optionsHelp(text: {
  readonly title: string
  readonly usage: string
  readonly about: string
  readonly examples: readonly string[]
  readonly options?: OptionTable
}): string {
  const { title, usage, about, examples, options = OPTIONS } = text
  const sections = { [PROVIDERS]: [...providerLines(), KEYS] }
  return helpText({ title, usage: [usage], about, options, sections, examples })
}

/** The commands of `hydra`. Each is loaded when it runs: help and mistakes are answered at once. */
export const COMMANDS: readonly Command[] = [
  {
    name: 'serve',
    summary: 'run the proxy',
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
    summary: 'start the proxy if none runs, and run an agent or any command against it',
    help: optionsHelp({
      title: 'hydra run: start the proxy if none runs, and run an agent or any command against it',
      usage: 'hydra run [options] COMMAND [arguments of the command]',
      about: `claude, codex, opencode, pi, gemini, qwen, kimi and copilot get what each needs: variables, options in front of yours,
or a file that is removed afterwards; their own settings stay. Any other command gets the variables that the SDKs of
Anthropic, OpenAI and Google read. The exit code of the command comes back, and signals go on to it. Options of hydra
come before it. The settings of a proxy that runs already count more than these.`,
      options: RUN_OPTIONS,
      examples: [
        'hydra run --list',
        'hydra run claude -p "say hi"',
        'hydra run codex exec "list the files"',
        'OPENAI_API_KEY=… hydra run --model gpt-5.1 claude',
        'hydra run node my-script.js                      any program on one of the SDKs',
        'hydra run --provider ollama --model qwen3-coder -- claude --help',
      ],
    }),
    // What follows the command is for the command, also its --help.
    ownArguments: (args) => leadingOptions(args, RUN_OPTIONS),
    run: async (args) => (await import('../run/run.ts')).run(args),
  },
  {
    name: 'statusline',
    summary: 'what Claude Code shows below its prompt: who really answers, and what it cost',
    help: helpText({
      title: 'hydra statusline: what Claude Code shows below its prompt',
      usage: ['hydra statusline < STATUS'],
      about: `Claude Code runs it and gives it its status on standard input, if its settings say so:
{ "statusLine": { "type": "command", "command": "hydra statusline" } }
It asks the proxy at ANTHROPIC_BASE_URL who answered the session last, and what all of it cost at list price.`,
      options: {},
      sections: {},
      examples: [`echo '{"session_id":"…","model":{"id":"claude-opus-5"}}' | hydra statusline`],
    }),
    run: async (args) => (await import('../statusline/statusline.ts')).statusline(args),
  },
  {
    name: 'doctor',
    summary: 'check port, key, reachability, streaming, tools and the time to the first token',
    help: optionsHelp({
      title: 'hydra doctor: check port, key, reachability, streaming, tools and the time to the first token',
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
    name: 'keys',
    summary: 'make, list, revoke and rotate the keys of a team',
    help: KEYS_HELP,
    run: async (args) => (await import('../team/keys.ts')).keys(args),
  },
  {
    name: 'usage',
    summary: 'show what was used, by key, owner, model, agent or day',
    help: USAGE_HELP,
    run: async (args) => (await import('../team/usage.ts')).usage(args),
  },
  {
    name: 'explain',
    summary: 'show how a request is translated, block by block',
    help: EXPLAIN_HELP,
    run: async (args) => (await import('../explain/explain.ts')).explain(args),
  },
  {
    name: 'import',
    summary: 'write the configuration of claude-code-router or LiteLLM as one of ours',
    help: IMPORT_HELP,
    run: async (args) => (await import('../import/import.ts')).importConfig(args),
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
  hydra run codex exec "list the files"
  hydra serve --help
`
