/** What `hydra --help` prints. */
export const HELP = `hydra: Claude Code and other agents on any model

Usage
  hydra serve [options]              run the proxy (what \`pnpm start\` does)
  hydra run [options] claude [args]  start the proxy if none runs, and run a command against it
  hydra doctor [options]             check port, key, reachability, streaming and the time to the first token
  hydra check [options]              check the settings and print the effective routes
  hydra explain FILE [options]       show how a request is translated, block by block (see hydra explain --help)

Options (and the environment variable that does the same)
  -p, --port N            port to listen on, default 3456, 0 for any  HYDRA_PROXY_PORT
      --host ADDRESS      address to listen on, default 127.0.0.1
  -m, --model NAME        the model to call                           HYDRA_TARGET_MODEL
      --provider NAME     a profile, default openai                   HYDRA_TARGET_PROVIDER
      --target-url URL    base URL or full address of the endpoint    HYDRA_TARGET_URL
      --spoof NAME        the model name told to the client           HYDRA_SPOOF_MODEL
      --passthrough WHAT  lead, *, or model names (comma-separated)   HYDRA_PASSTHROUGH
      --anthropic-url URL where passed requests go                    HYDRA_ANTHROPIC_URL
      --key KEY           the key clients must bring                  HYDRA_KEY
  -c, --config FILE       hydra.config.json or .ts
      --workers N         processes that serve, default 1
      --log FORMAT        pretty, json, debug or silent               DEBUG_MESSAGE_CONVERSION=true
      --record DIR        write every exchange to a tape in DIR           HYDRA_RECORD
      --record-policy P   when a tape cannot be written: lenient (go on, the default) or strict (refuse)
      --loop-guard MODE   on a model in circles: off, warn, notify, stop  HYDRA_LOOP_GUARD
      --insecure          listen off loopback without a key
  -h, --help              this text
      --version           the version

Keys come from the provider's variable (OPENAI_API_KEY, OPENROUTER_API_KEY, GROQ_API_KEY, …), never from a request.

Examples
  hydra serve                                                  the built-in demo model, no key needed
  OPENAI_API_KEY=… hydra serve --model gpt-5.1
  hydra serve --provider ollama --model qwen3-coder
  hydra serve --target-url http://127.0.0.1:8000/v1 --provider vllm --model my-model
  hydra serve --model gpt-5.1 --passthrough lead               the lead on Claude, teammates on gpt-5.1
  hydra serve --model gpt-5.1 --record tapes                   one tape per session, without secrets
  hydra run claude -p "say hi"
`
