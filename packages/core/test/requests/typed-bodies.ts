import type { ChatCompletionCreateParams } from 'openai/resources/chat/completions'

/** The golden bodies for OpenAI, written by UPDATE_GOLDENS=1: this file compiles when they fit its types. */
export const TYPED_BODIES: Readonly<Record<string, ChatCompletionCreateParams>> = {
  'annotations-of-tools-are-dropped.openai.gpt-4o.expected.json': {
    model: 'gpt-4o',
    max_completion_tokens: 4096,
    tools: [
      {
        type: 'function',
        function: {
          name: 'Read',
          description: 'Reads a file.',
          parameters: {
            type: 'object',
            properties: {
              file_path: {
                type: 'string',
                description: 'The absolute path.',
              },
              offset: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
              limit: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
            },
            required: ['file_path'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'Closed',
          description: 'Placeholder.',
          parameters: {
            type: 'object',
            properties: {
              a: {
                type: 'string',
              },
            },
            required: ['a'],
            additionalProperties: false,
          },
          strict: true,
        },
      },
    ],
    messages: [
      {
        role: 'user',
        content: 'Go.',
      },
    ],
  },
  'answer-that-was-cut-is-resumed.expected.json': {
    model: 'gpt-4o',
    max_completion_tokens: 16384,
    safety_identifier: '2303775f10d93d3d52313af48c4be10162150dfa92a5a9de70285f00edaf0108',
    prompt_cache_key: '11111111-2222-4333-8444-555555555555',
    stream: true,
    stream_options: {
      include_usage: true,
    },
    tools: [
      {
        type: 'function',
        function: {
          name: 'Read',
          description: 'Reads a file.',
          parameters: {
            type: 'object',
            properties: {
              file_path: {
                type: 'string',
                description: 'The absolute path.',
              },
              offset: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
              limit: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
            },
            required: ['file_path'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'Bash',
          description: 'Runs a command.',
          parameters: {
            type: 'object',
            properties: {
              command: {
                type: 'string',
              },
              timeout: {
                type: 'number',
              },
              run_in_background: {
                type: 'boolean',
              },
            },
            required: ['command'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'Edit',
          description: 'Replaces text in a file.',
          parameters: {
            type: 'object',
            properties: {
              file_path: {
                type: 'string',
              },
              old_string: {
                type: 'string',
              },
              new_string: {
                type: 'string',
              },
              replace_all: {
                type: 'boolean',
                default: false,
              },
            },
            required: ['file_path', 'old_string', 'new_string'],
            additionalProperties: false,
          },
        },
      },
    ],
    messages: [
      {
        role: 'system',
        content:
          'You are an agent under test.\n\nPlaceholder for the long instructions.\n\n# Environment\nWorking directory: /srv/example',
      },
      {
        role: 'user',
        content: 'Tell a story.',
      },
      {
        role: 'assistant',
        content: 'Once upon a',
      },
      {
        role: 'user',
        content: 'Placeholder: the answer above was cut off, go on from there.',
      },
    ],
  },
  'client-tools-with-built-in-schemas.expected.json': {
    model: 'gpt-4o',
    max_completion_tokens: 4096,
    tools: [
      {
        type: 'function',
        function: {
          name: 'bash',
          description: 'Runs a command in a persistent bash session and returns its output.',
          parameters: {
            type: 'object',
            properties: {
              command: {
                type: 'string',
                description: 'The command to run. Required unless the session is restarted.',
              },
              restart: {
                type: 'boolean',
                description: 'Restarts the session.',
              },
            },
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'str_replace_based_edit_tool',
          description: 'Views, creates and edits text files.',
          parameters: {
            type: 'object',
            properties: {
              command: {
                type: 'string',
                enum: ['view', 'create', 'str_replace', 'insert', 'undo_edit'],
                description: 'What to do.',
              },
              path: {
                type: 'string',
                description: 'The absolute path of the file or directory.',
              },
              file_text: {
                type: 'string',
                description: 'The content of the file, for create.',
              },
              old_str: {
                type: 'string',
                description: 'The text to replace, for str_replace: it must occur exactly once.',
              },
              new_str: {
                type: 'string',
                description: 'The new text, for str_replace.',
              },
              insert_line: {
                type: 'integer',
                description: 'The line after which to insert, for insert.',
              },
              insert_text: {
                type: 'string',
                description: 'The text to insert, for insert.',
              },
              view_range: {
                type: 'array',
                items: {
                  type: 'integer',
                },
                description: 'The first and the last line to show, for view.',
              },
            },
            required: ['command', 'path'],
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'memory',
          description: 'Keeps notes in files under /memories that outlast this conversation.',
          parameters: {
            type: 'object',
            properties: {
              command: {
                type: 'string',
                enum: ['view', 'create', 'str_replace', 'insert', 'delete', 'rename'],
                description: 'What to do.',
              },
              path: {
                type: 'string',
                description: 'The path of the file or directory, under /memories.',
              },
              file_text: {
                type: 'string',
                description: 'The content of the file, for create.',
              },
              old_str: {
                type: 'string',
                description: 'The text to replace, for str_replace.',
              },
              new_str: {
                type: 'string',
                description: 'The new text, for str_replace.',
              },
              insert_line: {
                type: 'integer',
                description: 'The line at which to insert, for insert.',
              },
              insert_text: {
                type: 'string',
                description: 'The text to insert, for insert.',
              },
              old_path: {
                type: 'string',
                description: 'The path to rename, for rename.',
              },
              new_path: {
                type: 'string',
                description: 'The new path, for rename.',
              },
              view_range: {
                type: 'array',
                items: {
                  type: 'integer',
                },
                description: 'The first and the last line to show, for view.',
              },
            },
            required: ['command'],
          },
        },
      },
    ],
    messages: [
      {
        role: 'user',
        content: 'Edit a file.',
      },
    ],
  },
  'compact-request-ends-with-a-system-message.expected.json': {
    model: 'gpt-4o',
    max_completion_tokens: 16384,
    safety_identifier: '2303775f10d93d3d52313af48c4be10162150dfa92a5a9de70285f00edaf0108',
    prompt_cache_key: '11111111-2222-4333-8444-555555555555',
    stream: true,
    stream_options: {
      include_usage: true,
    },
    tools: [
      {
        type: 'function',
        function: {
          name: 'Read',
          description: 'Reads a file.',
          parameters: {
            type: 'object',
            properties: {
              file_path: {
                type: 'string',
                description: 'The absolute path.',
              },
              offset: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
              limit: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
            },
            required: ['file_path'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'Bash',
          description: 'Runs a command.',
          parameters: {
            type: 'object',
            properties: {
              command: {
                type: 'string',
              },
              timeout: {
                type: 'number',
              },
              run_in_background: {
                type: 'boolean',
              },
            },
            required: ['command'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'Edit',
          description: 'Replaces text in a file.',
          parameters: {
            type: 'object',
            properties: {
              file_path: {
                type: 'string',
              },
              old_string: {
                type: 'string',
              },
              new_string: {
                type: 'string',
              },
              replace_all: {
                type: 'boolean',
                default: false,
              },
            },
            required: ['file_path', 'old_string', 'new_string'],
            additionalProperties: false,
          },
        },
      },
    ],
    messages: [
      {
        role: 'system',
        content:
          'You are an agent under test.\n\nPlaceholder for the long instructions.\n\n# Environment\nWorking directory: /srv/example',
      },
      {
        role: 'user',
        content: 'Read /tmp/hello.py and explain it.',
      },
      {
        role: 'system',
        content: 'Placeholder for what the agent is told after the first prompt.',
      },
      {
        role: 'assistant',
        content: 'Let me read that file.',
        tool_calls: [
          {
            id: 'toolu_01AAAAAAAAAAAAAAAAAAAAAA',
            type: 'function',
            function: {
              name: 'Read',
              arguments: '{"file_path":"/tmp/hello.py"}',
            },
          },
        ],
      },
      {
        role: 'tool',
        tool_call_id: 'toolu_01AAAAAAAAAAAAAAAAAAAAAA',
        content: "1\tprint('hello world')",
      },
      {
        role: 'assistant',
        content: 'It prints a greeting.',
      },
      {
        role: 'user',
        content: 'Placeholder: answer with text only and summarise the conversation.',
      },
    ],
  },
  'compaction-block.expected.json': {
    model: 'gpt-4o',
    max_completion_tokens: 4096,
    messages: [
      {
        role: 'user',
        content: 'Long ago.',
      },
      {
        role: 'assistant',
        content: '[Summary of the conversation so far]\nThey talked about files.\n\nWhere were we?',
      },
      {
        role: 'user',
        content: 'At the end.',
      },
    ],
  },
  'consecutive-turns-of-one-side.openai.gpt-4o.expected.json': {
    model: 'gpt-4o',
    max_completion_tokens: 4096,
    tools: [
      {
        type: 'function',
        function: {
          name: 'Bash',
          description: 'Runs a command.',
          parameters: {
            type: 'object',
            properties: {
              command: {
                type: 'string',
              },
              timeout: {
                type: 'number',
              },
              run_in_background: {
                type: 'boolean',
              },
            },
            required: ['command'],
            additionalProperties: false,
          },
        },
      },
    ],
    messages: [
      {
        role: 'user',
        content: 'One.',
      },
      {
        role: 'user',
        content: 'Two.',
      },
      {
        role: 'assistant',
        content: 'Three.',
      },
      {
        role: 'assistant',
        content: 'Four.',
        tool_calls: [
          {
            id: 'toolu_C1',
            type: 'function',
            function: {
              name: 'Bash',
              arguments: '{"command":"a"}',
            },
          },
        ],
      },
      {
        role: 'tool',
        tool_call_id: 'toolu_C1',
        content: '5',
      },
      {
        role: 'user',
        content: 'Six.',
      },
    ],
  },
  'conversation-goes-on-after-a-tool.expected.json': {
    model: 'gpt-4o',
    max_completion_tokens: 16384,
    safety_identifier: '2303775f10d93d3d52313af48c4be10162150dfa92a5a9de70285f00edaf0108',
    prompt_cache_key: '11111111-2222-4333-8444-555555555555',
    stream: true,
    stream_options: {
      include_usage: true,
    },
    tools: [
      {
        type: 'function',
        function: {
          name: 'Read',
          description: 'Reads a file.',
          parameters: {
            type: 'object',
            properties: {
              file_path: {
                type: 'string',
                description: 'The absolute path.',
              },
              offset: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
              limit: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
            },
            required: ['file_path'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'Bash',
          description: 'Runs a command.',
          parameters: {
            type: 'object',
            properties: {
              command: {
                type: 'string',
              },
              timeout: {
                type: 'number',
              },
              run_in_background: {
                type: 'boolean',
              },
            },
            required: ['command'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'Edit',
          description: 'Replaces text in a file.',
          parameters: {
            type: 'object',
            properties: {
              file_path: {
                type: 'string',
              },
              old_string: {
                type: 'string',
              },
              new_string: {
                type: 'string',
              },
              replace_all: {
                type: 'boolean',
                default: false,
              },
            },
            required: ['file_path', 'old_string', 'new_string'],
            additionalProperties: false,
          },
        },
      },
    ],
    messages: [
      {
        role: 'system',
        content:
          'You are an agent under test.\n\nPlaceholder for the long instructions.\n\n# Environment\nWorking directory: /srv/example',
      },
      {
        role: 'user',
        content: 'Read /tmp/hello.py and explain it.',
      },
      {
        role: 'system',
        content: 'Placeholder for what the agent is told after the first prompt.',
      },
      {
        role: 'assistant',
        content: 'Let me read that file.',
        tool_calls: [
          {
            id: 'toolu_01AAAAAAAAAAAAAAAAAAAAAA',
            type: 'function',
            function: {
              name: 'Read',
              arguments: '{"file_path":"/tmp/hello.py"}',
            },
          },
        ],
      },
      {
        role: 'tool',
        tool_call_id: 'toolu_01AAAAAAAAAAAAAAAAAAAAAA',
        content: "1\tprint('hello world')",
      },
      {
        role: 'assistant',
        content: 'It prints a greeting.',
      },
      {
        role: 'user',
        content: 'Change it to say goodbye.',
      },
    ],
  },
  'deferred-tools-are-offered-once-referenced.expected.json': {
    model: 'gpt-4o',
    max_completion_tokens: 16384,
    safety_identifier: '2303775f10d93d3d52313af48c4be10162150dfa92a5a9de70285f00edaf0108',
    prompt_cache_key: '11111111-2222-4333-8444-555555555555',
    stream: true,
    stream_options: {
      include_usage: true,
    },
    tools: [
      {
        type: 'function',
        function: {
          name: 'Read',
          description: 'Reads a file.',
          parameters: {
            type: 'object',
            properties: {
              file_path: {
                type: 'string',
                description: 'The absolute path.',
              },
              offset: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
              limit: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
            },
            required: ['file_path'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'Bash',
          description: 'Runs a command.',
          parameters: {
            type: 'object',
            properties: {
              command: {
                type: 'string',
              },
              timeout: {
                type: 'number',
              },
              run_in_background: {
                type: 'boolean',
              },
            },
            required: ['command'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'Edit',
          description: 'Replaces text in a file.',
          parameters: {
            type: 'object',
            properties: {
              file_path: {
                type: 'string',
              },
              old_string: {
                type: 'string',
              },
              new_string: {
                type: 'string',
              },
              replace_all: {
                type: 'boolean',
                default: false,
              },
            },
            required: ['file_path', 'old_string', 'new_string'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'ToolSearch',
          description: 'Finds deferred tools by name.',
          parameters: {
            type: 'object',
            properties: {
              query: {
                type: 'string',
              },
              max_results: {
                type: 'number',
                default: 5,
              },
            },
            required: ['query', 'max_results'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'TaskCreate',
          description: 'Placeholder for TaskCreate.',
          parameters: {
            type: 'object',
            properties: {
              subject: {
                type: 'string',
              },
            },
            required: [],
            additionalProperties: false,
          },
        },
      },
    ],
    messages: [
      {
        role: 'system',
        content:
          'You are an agent under test.\n\nPlaceholder for the long instructions.\n\n# Environment\nWorking directory: /srv/example',
      },
      {
        role: 'user',
        content: 'Make a task.',
      },
      {
        role: 'system',
        content: 'Placeholder for what the agent is told after the first prompt.',
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'toolu_T1',
            type: 'function',
            function: {
              name: 'ToolSearch',
              arguments: '{"query":"select:TaskCreate","max_results":5}',
            },
          },
        ],
      },
      {
        role: 'tool',
        tool_call_id: 'toolu_T1',
        content: 'Tool TaskCreate is now available.',
      },
      {
        role: 'user',
        content: 'Tool loaded.',
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'toolu_T2',
            type: 'function',
            function: {
              name: 'TaskCreate',
              arguments: '{"subject":"write tests"}',
            },
          },
        ],
      },
      {
        role: 'tool',
        tool_call_id: 'toolu_T2',
        content: 'Task #1 created',
      },
    ],
  },
  'deferred-tools-wait-until-referenced.expected.json': {
    model: 'gpt-4o',
    max_completion_tokens: 16384,
    safety_identifier: '2303775f10d93d3d52313af48c4be10162150dfa92a5a9de70285f00edaf0108',
    prompt_cache_key: '11111111-2222-4333-8444-555555555555',
    stream: true,
    stream_options: {
      include_usage: true,
    },
    tools: [
      {
        type: 'function',
        function: {
          name: 'Read',
          description: 'Reads a file.',
          parameters: {
            type: 'object',
            properties: {
              file_path: {
                type: 'string',
                description: 'The absolute path.',
              },
              offset: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
              limit: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
            },
            required: ['file_path'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'Bash',
          description: 'Runs a command.',
          parameters: {
            type: 'object',
            properties: {
              command: {
                type: 'string',
              },
              timeout: {
                type: 'number',
              },
              run_in_background: {
                type: 'boolean',
              },
            },
            required: ['command'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'Edit',
          description: 'Replaces text in a file.',
          parameters: {
            type: 'object',
            properties: {
              file_path: {
                type: 'string',
              },
              old_string: {
                type: 'string',
              },
              new_string: {
                type: 'string',
              },
              replace_all: {
                type: 'boolean',
                default: false,
              },
            },
            required: ['file_path', 'old_string', 'new_string'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'ToolSearch',
          description: 'Finds deferred tools by name.',
          parameters: {
            type: 'object',
            properties: {
              query: {
                type: 'string',
              },
              max_results: {
                type: 'number',
                default: 5,
              },
            },
            required: ['query', 'max_results'],
            additionalProperties: false,
          },
        },
      },
    ],
    messages: [
      {
        role: 'system',
        content:
          'You are an agent under test.\n\nPlaceholder for the long instructions.\n\n# Environment\nWorking directory: /srv/example',
      },
      {
        role: 'user',
        content: 'Say hello.',
      },
      {
        role: 'system',
        content: 'Placeholder for what the agent is told after the first prompt.',
      },
    ],
  },
  'documents-of-every-kind.openai.gpt-4o.expected.json': {
    model: 'gpt-4o',
    max_completion_tokens: 4096,
    messages: [
      {
        role: 'user',
        content: [
          {
            type: 'file',
            file: {
              filename: 'Invoice.pdf',
              file_data:
                'data:application/pdf;base64,JVBERi0xLjQKMSAwIG9iago8PD4+CmVuZG9iagp0cmFpbGVyCjw8Pj4KJSVFT0YK',
            },
          },
          {
            type: 'file',
            file: {
              filename: 'document.pdf',
              file_data:
                'data:application/pdf;base64,JVBERi0xLjQKMSAwIG9iago8PD4+CmVuZG9iagp0cmFpbGVyCjw8Pj4KJSVFT0YK',
            },
          },
          {
            type: 'text',
            text: 'Notes\nFrom the archive.\nFirst line.\nSecond line.',
          },
          {
            type: 'text',
            text: 'Parts\npart one\n[image left out]\npart two',
          },
          {
            type: 'text',
            text: 'A hit\nhttps://search.example/1\nwhat it says',
          },
          {
            type: 'text',
            text: 'Summarise all of it.',
          },
        ],
      },
    ],
  },
  'duplicate-ids-in-different-turns.expected.json': {
    model: 'gpt-4o',
    max_completion_tokens: 4096,
    tools: [
      {
        type: 'function',
        function: {
          name: 'Bash',
          description: 'Runs a command.',
          parameters: {
            type: 'object',
            properties: {
              command: {
                type: 'string',
              },
              timeout: {
                type: 'number',
              },
              run_in_background: {
                type: 'boolean',
              },
            },
            required: ['command'],
            additionalProperties: false,
          },
        },
      },
    ],
    messages: [
      {
        role: 'user',
        content: 'Count.',
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'call_0',
            type: 'function',
            function: {
              name: 'Bash',
              arguments: '{"command":"echo 1"}',
            },
          },
        ],
      },
      {
        role: 'tool',
        tool_call_id: 'call_0',
        content: '1',
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'call_0_2',
            type: 'function',
            function: {
              name: 'Bash',
              arguments: '{"command":"echo 2"}',
            },
          },
        ],
      },
      {
        role: 'tool',
        tool_call_id: 'call_0_2',
        content: '2',
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'call_0_3',
            type: 'function',
            function: {
              name: 'Bash',
              arguments: '{"command":"echo 3"}',
            },
          },
          {
            id: 'call_0_4',
            type: 'function',
            function: {
              name: 'Bash',
              arguments: '{"command":"echo 4"}',
            },
          },
        ],
      },
      {
        role: 'tool',
        tool_call_id: 'call_0_3',
        content: '3',
      },
      {
        role: 'tool',
        tool_call_id: 'call_0_4',
        content: '4',
      },
    ],
  },
  'empty-results.openai.gpt-4o.expected.json': {
    model: 'gpt-4o',
    max_completion_tokens: 4096,
    tools: [
      {
        type: 'function',
        function: {
          name: 'Bash',
          description: 'Runs a command.',
          parameters: {
            type: 'object',
            properties: {
              command: {
                type: 'string',
              },
              timeout: {
                type: 'number',
              },
              run_in_background: {
                type: 'boolean',
              },
            },
            required: ['command'],
            additionalProperties: false,
          },
        },
      },
    ],
    messages: [
      {
        role: 'user',
        content: 'Run.',
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'toolu_E1',
            type: 'function',
            function: {
              name: 'Bash',
              arguments: '{"command":"true"}',
            },
          },
          {
            id: 'toolu_E2',
            type: 'function',
            function: {
              name: 'Bash',
              arguments: '{"command":"true"}',
            },
          },
          {
            id: 'toolu_E3',
            type: 'function',
            function: {
              name: 'Bash',
              arguments: '{"command":"true"}',
            },
          },
        ],
      },
      {
        role: 'tool',
        tool_call_id: 'toolu_E1',
        content: '',
      },
      {
        role: 'tool',
        tool_call_id: 'toolu_E2',
        content: '',
      },
      {
        role: 'tool',
        tool_call_id: 'toolu_E3',
        content: '',
      },
    ],
  },
  'failing-tools-say-error.expected.json': {
    model: 'gpt-4o',
    max_completion_tokens: 16384,
    safety_identifier: '2303775f10d93d3d52313af48c4be10162150dfa92a5a9de70285f00edaf0108',
    prompt_cache_key: '11111111-2222-4333-8444-555555555555',
    stream: true,
    stream_options: {
      include_usage: true,
    },
    tools: [
      {
        type: 'function',
        function: {
          name: 'Read',
          description: 'Reads a file.',
          parameters: {
            type: 'object',
            properties: {
              file_path: {
                type: 'string',
                description: 'The absolute path.',
              },
              offset: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
              limit: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
            },
            required: ['file_path'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'Bash',
          description: 'Runs a command.',
          parameters: {
            type: 'object',
            properties: {
              command: {
                type: 'string',
              },
              timeout: {
                type: 'number',
              },
              run_in_background: {
                type: 'boolean',
              },
            },
            required: ['command'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'Edit',
          description: 'Replaces text in a file.',
          parameters: {
            type: 'object',
            properties: {
              file_path: {
                type: 'string',
              },
              old_string: {
                type: 'string',
              },
              new_string: {
                type: 'string',
              },
              replace_all: {
                type: 'boolean',
                default: false,
              },
            },
            required: ['file_path', 'old_string', 'new_string'],
            additionalProperties: false,
          },
        },
      },
    ],
    messages: [
      {
        role: 'system',
        content:
          'You are an agent under test.\n\nPlaceholder for the long instructions.\n\n# Environment\nWorking directory: /srv/example',
      },
      {
        role: 'user',
        content: 'Try these.',
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'toolu_F1',
            type: 'function',
            function: {
              name: 'Bash',
              arguments: '{"command":"exit 3"}',
            },
          },
          {
            id: 'toolu_F2',
            type: 'function',
            function: {
              name: 'Nope',
              arguments: '{}',
            },
          },
          {
            id: 'toolu_F3',
            type: 'function',
            function: {
              name: 'Read',
              arguments: '{"file_path":"/none"}',
            },
          },
          {
            id: 'toolu_F4',
            type: 'function',
            function: {
              name: 'Bash',
              arguments: '{"command":"true"}',
            },
          },
          {
            id: 'toolu_F5',
            type: 'function',
            function: {
              name: 'Bash',
              arguments: '{"command":"kill"}',
            },
          },
        ],
      },
      {
        role: 'tool',
        tool_call_id: 'toolu_F1',
        content: 'Exit code 3\nno luck',
      },
      {
        role: 'tool',
        tool_call_id: 'toolu_F2',
        content: '<tool_use_error>Error: No such tool available: Nope</tool_use_error>',
      },
      {
        role: 'tool',
        tool_call_id: 'toolu_F3',
        content: 'Error: File does not exist.',
      },
      {
        role: 'tool',
        tool_call_id: 'toolu_F4',
        content: 'fine',
      },
      {
        role: 'tool',
        tool_call_id: 'toolu_F5',
        content: 'Error: the tool failed without a message',
      },
    ],
  },
  'fields-nobody-knows.expected.json': {
    model: 'gpt-4o',
    max_completion_tokens: 16384,
    safety_identifier: '2303775f10d93d3d52313af48c4be10162150dfa92a5a9de70285f00edaf0108',
    prompt_cache_key: '11111111-2222-4333-8444-555555555555',
    stream: true,
    stream_options: {
      include_usage: true,
    },
    tools: [
      {
        type: 'function',
        function: {
          name: 'Read',
          description: 'Reads a file.',
          parameters: {
            type: 'object',
            properties: {
              file_path: {
                type: 'string',
                description: 'The absolute path.',
              },
              offset: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
              limit: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
            },
            required: ['file_path'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'Bash',
          description: 'Runs a command.',
          parameters: {
            type: 'object',
            properties: {
              command: {
                type: 'string',
              },
              timeout: {
                type: 'number',
              },
              run_in_background: {
                type: 'boolean',
              },
            },
            required: ['command'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'Edit',
          description: 'Replaces text in a file.',
          parameters: {
            type: 'object',
            properties: {
              file_path: {
                type: 'string',
              },
              old_string: {
                type: 'string',
              },
              new_string: {
                type: 'string',
              },
              replace_all: {
                type: 'boolean',
                default: false,
              },
            },
            required: ['file_path', 'old_string', 'new_string'],
            additionalProperties: false,
          },
        },
      },
    ],
    messages: [
      {
        role: 'system',
        content:
          'You are an agent under test.\n\nPlaceholder for the long instructions.\n\n# Environment\nWorking directory: /srv/example',
      },
      {
        role: 'user',
        content: 'Go.',
      },
    ],
  },
  'first-turn-is-the-assistants.openai.gpt-4o.expected.json': {
    model: 'gpt-4o',
    max_completion_tokens: 4096,
    messages: [
      {
        role: 'assistant',
        content: 'How can I help?',
      },
      {
        role: 'user',
        content: 'Say hello.',
      },
    ],
  },
  'gemini-signatures-come-back.openai.gpt-4o.expected.json': {
    model: 'gpt-4o',
    max_completion_tokens: 4096,
    tools: [
      {
        type: 'function',
        function: {
          name: 'Bash',
          description: 'Runs a command.',
          parameters: {
            type: 'object',
            properties: {
              command: {
                type: 'string',
              },
              timeout: {
                type: 'number',
              },
              run_in_background: {
                type: 'boolean',
              },
            },
            required: ['command'],
            additionalProperties: false,
          },
        },
      },
    ],
    messages: [
      {
        role: 'user',
        content: 'Check the weather.',
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'call_g1',
            type: 'function',
            function: {
              name: 'Bash',
              arguments: '{"command":"weather"}',
            },
          },
          {
            id: 'call_g2',
            type: 'function',
            function: {
              name: 'Bash',
              arguments: '{"command":"date"}',
            },
          },
        ],
      },
      {
        role: 'tool',
        tool_call_id: 'call_g1',
        content: 'sunny',
      },
      {
        role: 'tool',
        tool_call_id: 'call_g2',
        content: 'Monday',
      },
    ],
  },
  'ids-over-40-characters.expected.json': {
    model: 'gpt-4o',
    max_completion_tokens: 4096,
    tools: [
      {
        type: 'function',
        function: {
          name: 'Read',
          description: 'Reads a file.',
          parameters: {
            type: 'object',
            properties: {
              file_path: {
                type: 'string',
                description: 'The absolute path.',
              },
              offset: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
              limit: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
            },
            required: ['file_path'],
            additionalProperties: false,
          },
        },
      },
    ],
    messages: [
      {
        role: 'user',
        content: 'Read.',
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: '72ba1670850968c42badff902f63fdd0',
            type: 'function',
            function: {
              name: 'Read',
              arguments: '{"file_path":"/a"}',
            },
          },
        ],
      },
      {
        role: 'tool',
        tool_call_id: '72ba1670850968c42badff902f63fdd0',
        content: 'a',
      },
    ],
  },
  'image-results-follow-all-results.openai.gpt-4o.expected.json': {
    model: 'gpt-4o',
    max_completion_tokens: 16384,
    safety_identifier: '2303775f10d93d3d52313af48c4be10162150dfa92a5a9de70285f00edaf0108',
    prompt_cache_key: '11111111-2222-4333-8444-555555555555',
    stream: true,
    stream_options: {
      include_usage: true,
    },
    tools: [
      {
        type: 'function',
        function: {
          name: 'Read',
          description: 'Reads a file.',
          parameters: {
            type: 'object',
            properties: {
              file_path: {
                type: 'string',
                description: 'The absolute path.',
              },
              offset: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
              limit: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
            },
            required: ['file_path'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'Bash',
          description: 'Runs a command.',
          parameters: {
            type: 'object',
            properties: {
              command: {
                type: 'string',
              },
              timeout: {
                type: 'number',
              },
              run_in_background: {
                type: 'boolean',
              },
            },
            required: ['command'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'Edit',
          description: 'Replaces text in a file.',
          parameters: {
            type: 'object',
            properties: {
              file_path: {
                type: 'string',
              },
              old_string: {
                type: 'string',
              },
              new_string: {
                type: 'string',
              },
              replace_all: {
                type: 'boolean',
                default: false,
              },
            },
            required: ['file_path', 'old_string', 'new_string'],
            additionalProperties: false,
          },
        },
      },
    ],
    messages: [
      {
        role: 'system',
        content:
          'You are an agent under test.\n\nPlaceholder for the long instructions.\n\n# Environment\nWorking directory: /srv/example',
      },
      {
        role: 'user',
        content: 'Look at both.',
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'toolu_I1',
            type: 'function',
            function: {
              name: 'Read',
              arguments: '{"file_path":"/a.png"}',
            },
          },
          {
            id: 'toolu_I2',
            type: 'function',
            function: {
              name: 'Read',
              arguments: '{"file_path":"/b.txt"}',
            },
          },
        ],
      },
      {
        role: 'tool',
        tool_call_id: 'toolu_I1',
        content: '[1 attachment(s), in the user message that follows the results]',
      },
      {
        role: 'tool',
        tool_call_id: 'toolu_I2',
        content: 'plain',
      },
      {
        role: 'user',
        content: [
          {
            type: 'text',
            text: '[Attachments of the tool result toolu_I1]',
          },
          {
            type: 'image_url',
            image_url: {
              url: 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
            },
          },
          {
            type: 'text',
            text: 'Compare them.',
          },
        ],
      },
    ],
  },
  'images-in-a-user-turn.openai.gpt-4o.expected.json': {
    model: 'gpt-4o',
    max_completion_tokens: 16384,
    safety_identifier: '2303775f10d93d3d52313af48c4be10162150dfa92a5a9de70285f00edaf0108',
    prompt_cache_key: '11111111-2222-4333-8444-555555555555',
    stream: true,
    stream_options: {
      include_usage: true,
    },
    tools: [
      {
        type: 'function',
        function: {
          name: 'Read',
          description: 'Reads a file.',
          parameters: {
            type: 'object',
            properties: {
              file_path: {
                type: 'string',
                description: 'The absolute path.',
              },
              offset: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
              limit: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
            },
            required: ['file_path'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'Bash',
          description: 'Runs a command.',
          parameters: {
            type: 'object',
            properties: {
              command: {
                type: 'string',
              },
              timeout: {
                type: 'number',
              },
              run_in_background: {
                type: 'boolean',
              },
            },
            required: ['command'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'Edit',
          description: 'Replaces text in a file.',
          parameters: {
            type: 'object',
            properties: {
              file_path: {
                type: 'string',
              },
              old_string: {
                type: 'string',
              },
              new_string: {
                type: 'string',
              },
              replace_all: {
                type: 'boolean',
                default: false,
              },
            },
            required: ['file_path', 'old_string', 'new_string'],
            additionalProperties: false,
          },
        },
      },
    ],
    messages: [
      {
        role: 'system',
        content:
          'You are an agent under test.\n\nPlaceholder for the long instructions.\n\n# Environment\nWorking directory: /srv/example',
      },
      {
        role: 'user',
        content: [
          {
            type: 'text',
            text: 'What is on these?',
          },
          {
            type: 'image_url',
            image_url: {
              url: 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
            },
          },
          {
            type: 'image_url',
            image_url: {
              url: 'https://images.example/two.png',
            },
          },
          {
            type: 'text',
            text: '[Image: source: /srv/example/1.png]',
          },
        ],
      },
    ],
  },
  'interrupted-call-at-the-end.expected.json': {
    model: 'gpt-4o',
    max_completion_tokens: 16384,
    safety_identifier: '2303775f10d93d3d52313af48c4be10162150dfa92a5a9de70285f00edaf0108',
    prompt_cache_key: '11111111-2222-4333-8444-555555555555',
    stream: true,
    stream_options: {
      include_usage: true,
    },
    tools: [
      {
        type: 'function',
        function: {
          name: 'Read',
          description: 'Reads a file.',
          parameters: {
            type: 'object',
            properties: {
              file_path: {
                type: 'string',
                description: 'The absolute path.',
              },
              offset: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
              limit: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
            },
            required: ['file_path'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'Bash',
          description: 'Runs a command.',
          parameters: {
            type: 'object',
            properties: {
              command: {
                type: 'string',
              },
              timeout: {
                type: 'number',
              },
              run_in_background: {
                type: 'boolean',
              },
            },
            required: ['command'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'Edit',
          description: 'Replaces text in a file.',
          parameters: {
            type: 'object',
            properties: {
              file_path: {
                type: 'string',
              },
              old_string: {
                type: 'string',
              },
              new_string: {
                type: 'string',
              },
              replace_all: {
                type: 'boolean',
                default: false,
              },
            },
            required: ['file_path', 'old_string', 'new_string'],
            additionalProperties: false,
          },
        },
      },
    ],
    messages: [
      {
        role: 'system',
        content:
          'You are an agent under test.\n\nPlaceholder for the long instructions.\n\n# Environment\nWorking directory: /srv/example',
      },
      {
        role: 'user',
        content: 'Do it.',
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'toolu_X1',
            type: 'function',
            function: {
              name: 'Bash',
              arguments: '{"command":"sleep 100"}',
            },
          },
        ],
      },
      {
        role: 'tool',
        tool_call_id: 'toolu_X1',
        content: 'Error: The tool call was interrupted and has no result.',
      },
    ],
  },
  'interrupted-calls-get-a-stand-in.openai.gpt-4o.expected.json': {
    model: 'gpt-4o',
    max_completion_tokens: 16384,
    safety_identifier: '2303775f10d93d3d52313af48c4be10162150dfa92a5a9de70285f00edaf0108',
    prompt_cache_key: '11111111-2222-4333-8444-555555555555',
    stream: true,
    stream_options: {
      include_usage: true,
    },
    tools: [
      {
        type: 'function',
        function: {
          name: 'Read',
          description: 'Reads a file.',
          parameters: {
            type: 'object',
            properties: {
              file_path: {
                type: 'string',
                description: 'The absolute path.',
              },
              offset: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
              limit: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
            },
            required: ['file_path'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'Bash',
          description: 'Runs a command.',
          parameters: {
            type: 'object',
            properties: {
              command: {
                type: 'string',
              },
              timeout: {
                type: 'number',
              },
              run_in_background: {
                type: 'boolean',
              },
            },
            required: ['command'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'Edit',
          description: 'Replaces text in a file.',
          parameters: {
            type: 'object',
            properties: {
              file_path: {
                type: 'string',
              },
              old_string: {
                type: 'string',
              },
              new_string: {
                type: 'string',
              },
              replace_all: {
                type: 'boolean',
                default: false,
              },
            },
            required: ['file_path', 'old_string', 'new_string'],
            additionalProperties: false,
          },
        },
      },
    ],
    messages: [
      {
        role: 'system',
        content:
          'You are an agent under test.\n\nPlaceholder for the long instructions.\n\n# Environment\nWorking directory: /srv/example',
      },
      {
        role: 'user',
        content: 'Do it.',
      },
      {
        role: 'assistant',
        content: 'Starting.',
        tool_calls: [
          {
            id: 'toolu_X1',
            type: 'function',
            function: {
              name: 'Bash',
              arguments: '{"command":"sleep 100"}',
            },
          },
          {
            id: 'toolu_X2',
            type: 'function',
            function: {
              name: 'Bash',
              arguments: '{"command":"date"}',
            },
          },
        ],
      },
      {
        role: 'tool',
        tool_call_id: 'toolu_X1',
        content: 'Error: The tool call was interrupted and has no result.',
      },
      {
        role: 'tool',
        tool_call_id: 'toolu_X2',
        content: 'Monday',
      },
      {
        role: 'user',
        content: '[Request interrupted by user]',
      },
      {
        role: 'user',
        content: 'Never mind, do this instead.',
      },
    ],
  },
  'kimi-ids-come-back.openai.gpt-4o.expected.json': {
    model: 'gpt-4o',
    max_completion_tokens: 4096,
    tools: [
      {
        type: 'function',
        function: {
          name: 'Read',
          description: 'Reads a file.',
          parameters: {
            type: 'object',
            properties: {
              file_path: {
                type: 'string',
                description: 'The absolute path.',
              },
              offset: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
              limit: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
            },
            required: ['file_path'],
            additionalProperties: false,
          },
        },
      },
    ],
    messages: [
      {
        role: 'user',
        content: 'Read.',
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'functions.Read:0',
            type: 'function',
            function: {
              name: 'Read',
              arguments: '{"file_path":"/a"}',
            },
          },
        ],
      },
      {
        role: 'tool',
        tool_call_id: 'functions.Read:0',
        content: 'a',
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'hyd2_ZnVuY3Rpb25zLlJlYWQ6MA',
            type: 'function',
            function: {
              name: 'Read',
              arguments: '{"file_path":"/b"}',
            },
          },
        ],
      },
      {
        role: 'tool',
        tool_call_id: 'hyd2_ZnVuY3Rpb25zLlJlYWQ6MA',
        content: 'b',
      },
    ],
  },
  'late-result-moves-to-its-call.expected.json': {
    model: 'gpt-4o',
    max_completion_tokens: 16384,
    safety_identifier: '2303775f10d93d3d52313af48c4be10162150dfa92a5a9de70285f00edaf0108',
    prompt_cache_key: '11111111-2222-4333-8444-555555555555',
    stream: true,
    stream_options: {
      include_usage: true,
    },
    tools: [
      {
        type: 'function',
        function: {
          name: 'Read',
          description: 'Reads a file.',
          parameters: {
            type: 'object',
            properties: {
              file_path: {
                type: 'string',
                description: 'The absolute path.',
              },
              offset: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
              limit: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
            },
            required: ['file_path'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'Bash',
          description: 'Runs a command.',
          parameters: {
            type: 'object',
            properties: {
              command: {
                type: 'string',
              },
              timeout: {
                type: 'number',
              },
              run_in_background: {
                type: 'boolean',
              },
            },
            required: ['command'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'Edit',
          description: 'Replaces text in a file.',
          parameters: {
            type: 'object',
            properties: {
              file_path: {
                type: 'string',
              },
              old_string: {
                type: 'string',
              },
              new_string: {
                type: 'string',
              },
              replace_all: {
                type: 'boolean',
                default: false,
              },
            },
            required: ['file_path', 'old_string', 'new_string'],
            additionalProperties: false,
          },
        },
      },
    ],
    messages: [
      {
        role: 'system',
        content:
          'You are an agent under test.\n\nPlaceholder for the long instructions.\n\n# Environment\nWorking directory: /srv/example',
      },
      {
        role: 'user',
        content: 'Do it.',
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'toolu_W1',
            type: 'function',
            function: {
              name: 'Bash',
              arguments: '{"command":"make"}',
            },
          },
        ],
      },
      {
        role: 'tool',
        tool_call_id: 'toolu_W1',
        content: 'made',
      },
      {
        role: 'user',
        content: 'Hurry up.',
      },
      {
        role: 'assistant',
        content: 'Still running.',
      },
      {
        role: 'user',
        content: 'And now?',
      },
    ],
  },
  'many-stop-sequences.openai.gpt-4o.expected.json': {
    model: 'gpt-4o',
    max_completion_tokens: 4096,
    messages: [
      {
        role: 'user',
        content: 'Count.',
      },
    ],
  },
  'many-stop-sequences.openai.gpt-5.expected.json': {
    model: 'gpt-5',
    max_completion_tokens: 4096,
    messages: [
      {
        role: 'user',
        content: 'Count.',
      },
    ],
  },
  'mcp-image-result-between-texts.expected.json': {
    model: 'gpt-4o',
    max_completion_tokens: 16384,
    safety_identifier: '2303775f10d93d3d52313af48c4be10162150dfa92a5a9de70285f00edaf0108',
    prompt_cache_key: '11111111-2222-4333-8444-555555555555',
    stream: true,
    stream_options: {
      include_usage: true,
    },
    tools: [
      {
        type: 'function',
        function: {
          name: 'Read',
          description: 'Reads a file.',
          parameters: {
            type: 'object',
            properties: {
              file_path: {
                type: 'string',
                description: 'The absolute path.',
              },
              offset: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
              limit: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
            },
            required: ['file_path'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'Bash',
          description: 'Runs a command.',
          parameters: {
            type: 'object',
            properties: {
              command: {
                type: 'string',
              },
              timeout: {
                type: 'number',
              },
              run_in_background: {
                type: 'boolean',
              },
            },
            required: ['command'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'Edit',
          description: 'Replaces text in a file.',
          parameters: {
            type: 'object',
            properties: {
              file_path: {
                type: 'string',
              },
              old_string: {
                type: 'string',
              },
              new_string: {
                type: 'string',
              },
              replace_all: {
                type: 'boolean',
                default: false,
              },
            },
            required: ['file_path', 'old_string', 'new_string'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'mcp__browser__screenshot',
          description: 'Placeholder.',
          parameters: {
            type: 'object',
            properties: {
              full: {
                type: 'boolean',
              },
            },
          },
        },
      },
    ],
    messages: [
      {
        role: 'system',
        content:
          'You are an agent under test.\n\nPlaceholder for the long instructions.\n\n# Environment\nWorking directory: /srv/example',
      },
      {
        role: 'user',
        content: 'Take a screenshot.',
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'toolu_M1',
            type: 'function',
            function: {
              name: 'mcp__browser__screenshot',
              arguments: '{"full":true}',
            },
          },
        ],
      },
      {
        role: 'tool',
        tool_call_id: 'toolu_M1',
        content: 'before\nafter\n[1 attachment(s), in the user message that follows the results]',
      },
      {
        role: 'user',
        content: [
          {
            type: 'text',
            text: '[Attachments of the tool result toolu_M1]',
          },
          {
            type: 'image_url',
            image_url: {
              url: 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
            },
          },
        ],
      },
    ],
  },
  'mcp-names-of-100-characters.expected.json': {
    model: 'gpt-4o',
    max_completion_tokens: 16384,
    safety_identifier: '2303775f10d93d3d52313af48c4be10162150dfa92a5a9de70285f00edaf0108',
    prompt_cache_key: '11111111-2222-4333-8444-555555555555',
    stream: true,
    stream_options: {
      include_usage: true,
    },
    tools: [
      {
        type: 'function',
        function: {
          name: 'Read',
          description: 'Reads a file.',
          parameters: {
            type: 'object',
            properties: {
              file_path: {
                type: 'string',
                description: 'The absolute path.',
              },
              offset: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
              limit: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
            },
            required: ['file_path'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'mcp__a-server-with-a-rather-long-name__a_tool_whose_nam_0d74660f',
          description: 'Placeholder.',
          parameters: {
            type: 'object',
            properties: {
              a: {
                type: 'number',
              },
            },
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'mcp__a-server-with-a-rather-long-name__a_tool_whose_nam_e7359bbe',
          description: 'Placeholder.',
          parameters: {
            type: 'object',
            properties: {},
          },
        },
      },
    ],
    tool_choice: {
      type: 'function',
      function: {
        name: 'mcp__a-server-with-a-rather-long-name__a_tool_whose_nam_0d74660f',
      },
    },
    messages: [
      {
        role: 'system',
        content:
          'You are an agent under test.\n\nPlaceholder for the long instructions.\n\n# Environment\nWorking directory: /srv/example',
      },
      {
        role: 'user',
        content: 'Use the long one.',
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'toolu_L1',
            type: 'function',
            function: {
              name: 'mcp__a-server-with-a-rather-long-name__a_tool_whose_nam_0d74660f',
              arguments: '{"a":1}',
            },
          },
        ],
      },
      {
        role: 'tool',
        tool_call_id: 'toolu_L1',
        content: 'ok',
      },
    ],
  },
  'names-with-other-characters.expected.json': {
    model: 'gpt-4o',
    max_completion_tokens: 16384,
    safety_identifier: '2303775f10d93d3d52313af48c4be10162150dfa92a5a9de70285f00edaf0108',
    prompt_cache_key: '11111111-2222-4333-8444-555555555555',
    stream: true,
    stream_options: {
      include_usage: true,
    },
    tools: [
      {
        type: 'function',
        function: {
          name: 'files_read_v1_e7520624',
          description: 'Placeholder.',
          parameters: {
            type: 'object',
            properties: {},
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'files_read_v1',
          parameters: {
            type: 'object',
            properties: {},
          },
        },
      },
    ],
    messages: [
      {
        role: 'system',
        content:
          'You are an agent under test.\n\nPlaceholder for the long instructions.\n\n# Environment\nWorking directory: /srv/example',
      },
      {
        role: 'user',
        content: 'Use it.',
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'toolu_N1',
            type: 'function',
            function: {
              name: 'files_read_v1_e7520624',
              arguments: '{}',
            },
          },
        ],
      },
      {
        role: 'tool',
        tool_call_id: 'toolu_N1',
        content: 'ok',
      },
    ],
  },
  'older-user-id-names-the-session.openai.gpt-4o.expected.json': {
    model: 'gpt-4o',
    max_completion_tokens: 4096,
    safety_identifier: 'c203c36de271ddef0894b1f403d448798cf9eb38d3ca6a4a3e3b94a84d0866bc',
    prompt_cache_key: '99999999-aaaa-4bbb-8ccc-dddddddddddd',
    messages: [
      {
        role: 'user',
        content: 'Hi',
      },
    ],
  },
  'orphan-results-after-compaction.openai.gpt-4o.expected.json': {
    model: 'gpt-4o',
    max_completion_tokens: 16384,
    safety_identifier: '2303775f10d93d3d52313af48c4be10162150dfa92a5a9de70285f00edaf0108',
    prompt_cache_key: '11111111-2222-4333-8444-555555555555',
    stream: true,
    stream_options: {
      include_usage: true,
    },
    tools: [
      {
        type: 'function',
        function: {
          name: 'Read',
          description: 'Reads a file.',
          parameters: {
            type: 'object',
            properties: {
              file_path: {
                type: 'string',
                description: 'The absolute path.',
              },
              offset: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
              limit: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
            },
            required: ['file_path'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'Bash',
          description: 'Runs a command.',
          parameters: {
            type: 'object',
            properties: {
              command: {
                type: 'string',
              },
              timeout: {
                type: 'number',
              },
              run_in_background: {
                type: 'boolean',
              },
            },
            required: ['command'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'Edit',
          description: 'Replaces text in a file.',
          parameters: {
            type: 'object',
            properties: {
              file_path: {
                type: 'string',
              },
              old_string: {
                type: 'string',
              },
              new_string: {
                type: 'string',
              },
              replace_all: {
                type: 'boolean',
                default: false,
              },
            },
            required: ['file_path', 'old_string', 'new_string'],
            additionalProperties: false,
          },
        },
      },
    ],
    messages: [
      {
        role: 'system',
        content:
          'You are an agent under test.\n\nPlaceholder for the long instructions.\n\n# Environment\nWorking directory: /srv/example',
      },
      {
        role: 'user',
        content: [
          {
            type: 'text',
            text: 'Summary of the earlier conversation: a file was read.',
          },
          {
            type: 'text',
            text: '[Result of an earlier tool call that is no longer part of the conversation]',
          },
          {
            type: 'text',
            text: 'the old content',
          },
          {
            type: 'text',
            text: '[Error result of an earlier tool call that is no longer part of the conversation]',
          },
          {
            type: 'text',
            text: 'it broke',
          },
          {
            type: 'image_url',
            image_url: {
              url: 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
            },
          },
        ],
      },
      {
        role: 'assistant',
        content: 'Going on.',
      },
      {
        role: 'user',
        content: 'Good.',
      },
    ],
  },
  'parallel-results-in-completion-order.expected.json': {
    model: 'gpt-4o',
    max_completion_tokens: 16384,
    safety_identifier: '2303775f10d93d3d52313af48c4be10162150dfa92a5a9de70285f00edaf0108',
    prompt_cache_key: '11111111-2222-4333-8444-555555555555',
    stream: true,
    stream_options: {
      include_usage: true,
    },
    tools: [
      {
        type: 'function',
        function: {
          name: 'Read',
          description: 'Reads a file.',
          parameters: {
            type: 'object',
            properties: {
              file_path: {
                type: 'string',
                description: 'The absolute path.',
              },
              offset: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
              limit: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
            },
            required: ['file_path'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'Bash',
          description: 'Runs a command.',
          parameters: {
            type: 'object',
            properties: {
              command: {
                type: 'string',
              },
              timeout: {
                type: 'number',
              },
              run_in_background: {
                type: 'boolean',
              },
            },
            required: ['command'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'Edit',
          description: 'Replaces text in a file.',
          parameters: {
            type: 'object',
            properties: {
              file_path: {
                type: 'string',
              },
              old_string: {
                type: 'string',
              },
              new_string: {
                type: 'string',
              },
              replace_all: {
                type: 'boolean',
                default: false,
              },
            },
            required: ['file_path', 'old_string', 'new_string'],
            additionalProperties: false,
          },
        },
      },
    ],
    messages: [
      {
        role: 'system',
        content:
          'You are an agent under test.\n\nPlaceholder for the long instructions.\n\n# Environment\nWorking directory: /srv/example',
      },
      {
        role: 'user',
        content: 'Read three files.',
      },
      {
        role: 'assistant',
        content: 'Reading all three.',
        tool_calls: [
          {
            id: 'toolu_P1',
            type: 'function',
            function: {
              name: 'Read',
              arguments: '{"file_path":"/a"}',
            },
          },
          {
            id: 'toolu_P2',
            type: 'function',
            function: {
              name: 'Read',
              arguments: '{"file_path":"/b"}',
            },
          },
          {
            id: 'toolu_P3',
            type: 'function',
            function: {
              name: 'Read',
              arguments: '{"file_path":"/c"}',
            },
          },
        ],
      },
      {
        role: 'tool',
        tool_call_id: 'toolu_P1',
        content: 'content of a',
      },
      {
        role: 'tool',
        tool_call_id: 'toolu_P2',
        content: 'content of b',
      },
      {
        role: 'tool',
        tool_call_id: 'toolu_P3',
        content: 'content of c',
      },
      {
        role: 'user',
        content: '<system-reminder>\nPlaceholder for a hint.\n</system-reminder>',
      },
    ],
  },
  'pdf-result.openai.gpt-4o.expected.json': {
    model: 'gpt-4o',
    max_completion_tokens: 16384,
    safety_identifier: '2303775f10d93d3d52313af48c4be10162150dfa92a5a9de70285f00edaf0108',
    prompt_cache_key: '11111111-2222-4333-8444-555555555555',
    stream: true,
    stream_options: {
      include_usage: true,
    },
    tools: [
      {
        type: 'function',
        function: {
          name: 'Read',
          description: 'Reads a file.',
          parameters: {
            type: 'object',
            properties: {
              file_path: {
                type: 'string',
                description: 'The absolute path.',
              },
              offset: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
              limit: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
            },
            required: ['file_path'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'Bash',
          description: 'Runs a command.',
          parameters: {
            type: 'object',
            properties: {
              command: {
                type: 'string',
              },
              timeout: {
                type: 'number',
              },
              run_in_background: {
                type: 'boolean',
              },
            },
            required: ['command'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'Edit',
          description: 'Replaces text in a file.',
          parameters: {
            type: 'object',
            properties: {
              file_path: {
                type: 'string',
              },
              old_string: {
                type: 'string',
              },
              new_string: {
                type: 'string',
              },
              replace_all: {
                type: 'boolean',
                default: false,
              },
            },
            required: ['file_path', 'old_string', 'new_string'],
            additionalProperties: false,
          },
        },
      },
    ],
    messages: [
      {
        role: 'system',
        content:
          'You are an agent under test.\n\nPlaceholder for the long instructions.\n\n# Environment\nWorking directory: /srv/example',
      },
      {
        role: 'user',
        content: 'Read the report.',
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'toolu_D1',
            type: 'function',
            function: {
              name: 'Read',
              arguments: '{"file_path":"/report.pdf"}',
            },
          },
        ],
      },
      {
        role: 'tool',
        tool_call_id: 'toolu_D1',
        content:
          'PDF file read: /report.pdf\n[1 attachment(s), in the user message that follows the results]',
      },
      {
        role: 'user',
        content: [
          {
            type: 'text',
            text: '[Attachments of the tool result toolu_D1]',
          },
          {
            type: 'file',
            file: {
              filename: 'report.pdf',
              file_data:
                'data:application/pdf;base64,JVBERi0xLjQKMSAwIG9iago8PD4+CmVuZG9iagp0cmFpbGVyCjw8Pj4KJSVFT0YK',
            },
          },
        ],
      },
    ],
  },
  'plain-prompt.openai.gpt-4o.expected.json': {
    model: 'gpt-4o',
    max_completion_tokens: 16384,
    safety_identifier: '2303775f10d93d3d52313af48c4be10162150dfa92a5a9de70285f00edaf0108',
    prompt_cache_key: '11111111-2222-4333-8444-555555555555',
    stream: true,
    stream_options: {
      include_usage: true,
    },
    tools: [
      {
        type: 'function',
        function: {
          name: 'Read',
          description: 'Reads a file.',
          parameters: {
            type: 'object',
            properties: {
              file_path: {
                type: 'string',
                description: 'The absolute path.',
              },
              offset: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
              limit: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
            },
            required: ['file_path'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'Bash',
          description: 'Runs a command.',
          parameters: {
            type: 'object',
            properties: {
              command: {
                type: 'string',
              },
              timeout: {
                type: 'number',
              },
              run_in_background: {
                type: 'boolean',
              },
            },
            required: ['command'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'Edit',
          description: 'Replaces text in a file.',
          parameters: {
            type: 'object',
            properties: {
              file_path: {
                type: 'string',
              },
              old_string: {
                type: 'string',
              },
              new_string: {
                type: 'string',
              },
              replace_all: {
                type: 'boolean',
                default: false,
              },
            },
            required: ['file_path', 'old_string', 'new_string'],
            additionalProperties: false,
          },
        },
      },
    ],
    messages: [
      {
        role: 'system',
        content:
          'You are an agent under test.\n\nPlaceholder for the long instructions.\n\n# Environment\nWorking directory: /srv/example',
      },
      {
        role: 'user',
        content: 'Say hello.',
      },
      {
        role: 'system',
        content: 'Placeholder for what the agent is told after the first prompt.',
      },
    ],
  },
  'plain-prompt.openai.gpt-5.expected.json': {
    model: 'gpt-5',
    max_completion_tokens: 128000,
    safety_identifier: '2303775f10d93d3d52313af48c4be10162150dfa92a5a9de70285f00edaf0108',
    prompt_cache_key: '11111111-2222-4333-8444-555555555555',
    stream: true,
    stream_options: {
      include_usage: true,
    },
    reasoning_effort: 'medium',
    tools: [
      {
        type: 'function',
        function: {
          name: 'Read',
          description: 'Reads a file.',
          parameters: {
            type: 'object',
            properties: {
              file_path: {
                type: 'string',
                description: 'The absolute path.',
              },
              offset: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
              limit: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
            },
            required: ['file_path'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'Bash',
          description: 'Runs a command.',
          parameters: {
            type: 'object',
            properties: {
              command: {
                type: 'string',
              },
              timeout: {
                type: 'number',
              },
              run_in_background: {
                type: 'boolean',
              },
            },
            required: ['command'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'Edit',
          description: 'Replaces text in a file.',
          parameters: {
            type: 'object',
            properties: {
              file_path: {
                type: 'string',
              },
              old_string: {
                type: 'string',
              },
              new_string: {
                type: 'string',
              },
              replace_all: {
                type: 'boolean',
                default: false,
              },
            },
            required: ['file_path', 'old_string', 'new_string'],
            additionalProperties: false,
          },
        },
      },
    ],
    messages: [
      {
        role: 'developer',
        content:
          'You are an agent under test.\n\nPlaceholder for the long instructions.\n\n# Environment\nWorking directory: /srv/example',
      },
      {
        role: 'user',
        content: 'Say hello.',
      },
      {
        role: 'developer',
        content: 'Placeholder for what the agent is told after the first prompt.',
      },
    ],
  },
  'plain-prompt-in-plan-mode-has-safeguards.expected.json': {
    model: 'gpt-4o',
    max_completion_tokens: 16384,
    safety_identifier: '2303775f10d93d3d52313af48c4be10162150dfa92a5a9de70285f00edaf0108',
    prompt_cache_key: '11111111-2222-4333-8444-555555555555',
    stream: true,
    stream_options: {
      include_usage: true,
    },
    tools: [
      {
        type: 'function',
        function: {
          name: 'Read',
          description: 'Reads a file.',
          parameters: {
            type: 'object',
            properties: {
              file_path: {
                type: 'string',
                description: 'The absolute path.',
              },
              offset: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
              limit: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
            },
            required: ['file_path'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'Bash',
          description: 'Runs a command.',
          parameters: {
            type: 'object',
            properties: {
              command: {
                type: 'string',
              },
              timeout: {
                type: 'number',
              },
              run_in_background: {
                type: 'boolean',
              },
            },
            required: ['command'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'Edit',
          description: 'Replaces text in a file.',
          parameters: {
            type: 'object',
            properties: {
              file_path: {
                type: 'string',
              },
              old_string: {
                type: 'string',
              },
              new_string: {
                type: 'string',
              },
              replace_all: {
                type: 'boolean',
                default: false,
              },
            },
            required: ['file_path', 'old_string', 'new_string'],
            additionalProperties: false,
          },
        },
      },
    ],
    messages: [
      {
        role: 'system',
        content:
          'You are an agent under test.\n\nPlaceholder for the long instructions.\n\n# Environment\nWorking directory: /srv/example',
      },
      {
        role: 'user',
        content: 'Plan the change.',
      },
      {
        role: 'system',
        content: 'Placeholder for what the agent is told after the first prompt.',
      },
    ],
  },
  'prefill-is-kept-with-a-note.expected.json': {
    model: 'gpt-4o',
    max_completion_tokens: 4096,
    messages: [
      {
        role: 'user',
        content: 'Answer in JSON.',
      },
      {
        role: 'assistant',
        content: '{',
      },
    ],
  },
  'results-after-other-blocks.expected.json': {
    model: 'gpt-4o',
    max_completion_tokens: 4096,
    tools: [
      {
        type: 'function',
        function: {
          name: 'Bash',
          description: 'Runs a command.',
          parameters: {
            type: 'object',
            properties: {
              command: {
                type: 'string',
              },
              timeout: {
                type: 'number',
              },
              run_in_background: {
                type: 'boolean',
              },
            },
            required: ['command'],
            additionalProperties: false,
          },
        },
      },
    ],
    messages: [
      {
        role: 'user',
        content: 'Go.',
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'toolu_B1',
            type: 'function',
            function: {
              name: 'Bash',
              arguments: '{"command":"a"}',
            },
          },
          {
            id: 'toolu_B2',
            type: 'function',
            function: {
              name: 'Bash',
              arguments: '{"command":"b"}',
            },
          },
        ],
      },
      {
        role: 'tool',
        tool_call_id: 'toolu_B1',
        content: '1',
      },
      {
        role: 'tool',
        tool_call_id: 'toolu_B2',
        content: '2',
      },
      {
        role: 'user',
        content: [
          {
            type: 'text',
            text: 'Look: ',
          },
          {
            type: 'image_url',
            image_url: {
              url: 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
            },
          },
          {
            type: 'text',
            text: 'that is all.',
          },
        ],
      },
    ],
  },
  'results-spread-over-user-turns.openai.gpt-4o.expected.json': {
    model: 'gpt-4o',
    max_completion_tokens: 16384,
    safety_identifier: '2303775f10d93d3d52313af48c4be10162150dfa92a5a9de70285f00edaf0108',
    prompt_cache_key: '11111111-2222-4333-8444-555555555555',
    stream: true,
    stream_options: {
      include_usage: true,
    },
    tools: [
      {
        type: 'function',
        function: {
          name: 'Read',
          description: 'Reads a file.',
          parameters: {
            type: 'object',
            properties: {
              file_path: {
                type: 'string',
                description: 'The absolute path.',
              },
              offset: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
              limit: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
            },
            required: ['file_path'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'Bash',
          description: 'Runs a command.',
          parameters: {
            type: 'object',
            properties: {
              command: {
                type: 'string',
              },
              timeout: {
                type: 'number',
              },
              run_in_background: {
                type: 'boolean',
              },
            },
            required: ['command'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'Edit',
          description: 'Replaces text in a file.',
          parameters: {
            type: 'object',
            properties: {
              file_path: {
                type: 'string',
              },
              old_string: {
                type: 'string',
              },
              new_string: {
                type: 'string',
              },
              replace_all: {
                type: 'boolean',
                default: false,
              },
            },
            required: ['file_path', 'old_string', 'new_string'],
            additionalProperties: false,
          },
        },
      },
    ],
    messages: [
      {
        role: 'system',
        content:
          'You are an agent under test.\n\nPlaceholder for the long instructions.\n\n# Environment\nWorking directory: /srv/example',
      },
      {
        role: 'user',
        content: 'Run both.',
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'toolu_S1',
            type: 'function',
            function: {
              name: 'Bash',
              arguments: '{"command":"sleep 1"}',
            },
          },
          {
            id: 'toolu_S2',
            type: 'function',
            function: {
              name: 'Bash',
              arguments: '{"command":"date"}',
            },
          },
        ],
      },
      {
        role: 'tool',
        tool_call_id: 'toolu_S1',
        content: '',
      },
      {
        role: 'tool',
        tool_call_id: 'toolu_S2',
        content: 'Monday',
      },
      {
        role: 'user',
        content: 'Both are done.',
      },
    ],
  },
  'sampling-fields.openai.gpt-4o.expected.json': {
    model: 'gpt-4o',
    max_completion_tokens: 4096,
    temperature: 0.2,
    top_p: 0.9,
    stop: ['END'],
    messages: [
      {
        role: 'user',
        content: 'Guess.',
      },
    ],
  },
  'sampling-fields.openai.gpt-5.expected.json': {
    model: 'gpt-5',
    max_completion_tokens: 4096,
    messages: [
      {
        role: 'user',
        content: 'Guess.',
      },
    ],
  },
  'server-tools-in-history.expected.json': {
    model: 'gpt-4o',
    max_completion_tokens: 4096,
    messages: [
      {
        role: 'user',
        content: 'Search.',
      },
      {
        role: 'assistant',
        content:
          '[server_tool_use] {"id":"srvtoolu_1","name":"web_search","input":{"query":"q"}}\n\n[web_search_tool_result] {"tool_use_id":"srvtoolu_1","content":[{"title":"A hit","url":"https://hit.example"}]}\n\nFound it.',
      },
      {
        role: 'user',
        content: 'Thanks.',
      },
    ],
  },
  'session-title-request-has-no-tools.openai.gpt-4o.expected.json': {
    model: 'gpt-4o',
    max_completion_tokens: 16384,
    response_format: {
      type: 'json_schema',
      json_schema: {
        name: 'output',
        schema: {
          type: 'object',
          properties: {
            title: {
              type: 'string',
            },
          },
          required: ['title'],
          additionalProperties: false,
        },
        strict: true,
      },
    },
    safety_identifier: '2303775f10d93d3d52313af48c4be10162150dfa92a5a9de70285f00edaf0108',
    prompt_cache_key: '11111111-2222-4333-8444-555555555555',
    stream: true,
    stream_options: {
      include_usage: true,
    },
    messages: [
      {
        role: 'system',
        content: 'Placeholder for the title instructions.',
      },
      {
        role: 'user',
        content: 'Write a title for this session: the login page is blank on phones.',
      },
    ],
  },
  'session-title-request-has-no-tools.openai.gpt-4.expected.json': {
    model: 'gpt-4',
    max_completion_tokens: 8192,
    response_format: {
      type: 'json_object',
    },
    safety_identifier: '2303775f10d93d3d52313af48c4be10162150dfa92a5a9de70285f00edaf0108',
    prompt_cache_key: '11111111-2222-4333-8444-555555555555',
    stream: true,
    stream_options: {
      include_usage: true,
    },
    messages: [
      {
        role: 'system',
        content:
          'Placeholder for the title instructions.\n\nAnswer with one JSON object that fits this JSON schema, and with nothing else:\n{"type":"object","properties":{"title":{"type":"string"}},"required":["title"],"additionalProperties":false}',
      },
      {
        role: 'user',
        content: 'Write a title for this session: the login page is blank on phones.',
      },
    ],
  },
  'structured-output-with-an-open-schema.openai.gpt-4o.expected.json': {
    model: 'gpt-4o',
    max_completion_tokens: 4096,
    response_format: {
      type: 'json_schema',
      json_schema: {
        name: 'output',
        schema: {
          type: 'object',
          properties: {
            items: {
              type: 'array',
              items: {
                type: 'string',
              },
            },
          },
        },
        strict: false,
      },
    },
    messages: [
      {
        role: 'system',
        content: 'Be brief.',
      },
      {
        role: 'user',
        content: 'List.',
      },
    ],
  },
  'subagent-reports-later.expected.json': {
    model: 'gpt-4o',
    max_completion_tokens: 16384,
    safety_identifier: '2303775f10d93d3d52313af48c4be10162150dfa92a5a9de70285f00edaf0108',
    prompt_cache_key: '11111111-2222-4333-8444-555555555555',
    stream: true,
    stream_options: {
      include_usage: true,
    },
    tools: [
      {
        type: 'function',
        function: {
          name: 'Read',
          description: 'Reads a file.',
          parameters: {
            type: 'object',
            properties: {
              file_path: {
                type: 'string',
                description: 'The absolute path.',
              },
              offset: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
              limit: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
            },
            required: ['file_path'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'Bash',
          description: 'Runs a command.',
          parameters: {
            type: 'object',
            properties: {
              command: {
                type: 'string',
              },
              timeout: {
                type: 'number',
              },
              run_in_background: {
                type: 'boolean',
              },
            },
            required: ['command'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'Edit',
          description: 'Replaces text in a file.',
          parameters: {
            type: 'object',
            properties: {
              file_path: {
                type: 'string',
              },
              old_string: {
                type: 'string',
              },
              new_string: {
                type: 'string',
              },
              replace_all: {
                type: 'boolean',
                default: false,
              },
            },
            required: ['file_path', 'old_string', 'new_string'],
            additionalProperties: false,
          },
        },
      },
    ],
    messages: [
      {
        role: 'system',
        content:
          'You are an agent under test.\n\nPlaceholder for the long instructions.\n\n# Environment\nWorking directory: /srv/example',
      },
      {
        role: 'user',
        content: 'Delegate it.',
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'toolu_G1',
            type: 'function',
            function: {
              name: 'Agent',
              arguments: '{"prompt":"look around"}',
            },
          },
        ],
      },
      {
        role: 'tool',
        tool_call_id: 'toolu_G1',
        content: 'Async agent launched. Placeholder.',
      },
      {
        role: 'assistant',
        content: 'Waiting.',
      },
      {
        role: 'user',
        content: '<system-reminder>\nPlaceholder: the agent has finished.\n</system-reminder>',
      },
    ],
  },
  'system-message-between-call-and-result.openai.gpt-4o.expected.json': {
    model: 'gpt-4o',
    max_completion_tokens: 16384,
    safety_identifier: '2303775f10d93d3d52313af48c4be10162150dfa92a5a9de70285f00edaf0108',
    prompt_cache_key: '11111111-2222-4333-8444-555555555555',
    stream: true,
    stream_options: {
      include_usage: true,
    },
    tools: [
      {
        type: 'function',
        function: {
          name: 'Read',
          description: 'Reads a file.',
          parameters: {
            type: 'object',
            properties: {
              file_path: {
                type: 'string',
                description: 'The absolute path.',
              },
              offset: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
              limit: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
            },
            required: ['file_path'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'Bash',
          description: 'Runs a command.',
          parameters: {
            type: 'object',
            properties: {
              command: {
                type: 'string',
              },
              timeout: {
                type: 'number',
              },
              run_in_background: {
                type: 'boolean',
              },
            },
            required: ['command'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'Edit',
          description: 'Replaces text in a file.',
          parameters: {
            type: 'object',
            properties: {
              file_path: {
                type: 'string',
              },
              old_string: {
                type: 'string',
              },
              new_string: {
                type: 'string',
              },
              replace_all: {
                type: 'boolean',
                default: false,
              },
            },
            required: ['file_path', 'old_string', 'new_string'],
            additionalProperties: false,
          },
        },
      },
    ],
    messages: [
      {
        role: 'system',
        content:
          'You are an agent under test.\n\nPlaceholder for the long instructions.\n\n# Environment\nWorking directory: /srv/example',
      },
      {
        role: 'user',
        content: 'Run.',
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'toolu_Z1',
            type: 'function',
            function: {
              name: 'Bash',
              arguments: '{"command":"date"}',
            },
          },
        ],
      },
      {
        role: 'tool',
        tool_call_id: 'toolu_Z1',
        content: 'Monday',
      },
      {
        role: 'system',
        content: 'Placeholder for a change of mode.',
      },
    ],
  },
  'system-message-is-cleared-by-the-next-user-turn.expected.json': {
    model: 'gpt-4o',
    max_completion_tokens: 4096,
    messages: [
      {
        role: 'user',
        content: 'One.',
      },
      {
        role: 'assistant',
        content: 'Two.',
      },
      {
        role: 'user',
        content: 'Three.',
      },
      {
        role: 'system',
        content: 'Only for now.',
      },
    ],
  },
  'system-messages-in-every-place.openai.gpt-5.expected.json': {
    model: 'gpt-5',
    max_completion_tokens: 128000,
    safety_identifier: '2303775f10d93d3d52313af48c4be10162150dfa92a5a9de70285f00edaf0108',
    prompt_cache_key: '11111111-2222-4333-8444-555555555555',
    stream: true,
    stream_options: {
      include_usage: true,
    },
    reasoning_effort: 'medium',
    tools: [
      {
        type: 'function',
        function: {
          name: 'Read',
          description: 'Reads a file.',
          parameters: {
            type: 'object',
            properties: {
              file_path: {
                type: 'string',
                description: 'The absolute path.',
              },
              offset: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
              limit: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
            },
            required: ['file_path'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'Bash',
          description: 'Runs a command.',
          parameters: {
            type: 'object',
            properties: {
              command: {
                type: 'string',
              },
              timeout: {
                type: 'number',
              },
              run_in_background: {
                type: 'boolean',
              },
            },
            required: ['command'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'Edit',
          description: 'Replaces text in a file.',
          parameters: {
            type: 'object',
            properties: {
              file_path: {
                type: 'string',
              },
              old_string: {
                type: 'string',
              },
              new_string: {
                type: 'string',
              },
              replace_all: {
                type: 'boolean',
                default: false,
              },
            },
            required: ['file_path', 'old_string', 'new_string'],
            additionalProperties: false,
          },
        },
      },
    ],
    messages: [
      {
        role: 'developer',
        content:
          'You are an agent under test.\n\nPlaceholder for the long instructions.\n\n# Environment\nWorking directory: /srv/example',
      },
      {
        role: 'developer',
        content: 'First of all.',
      },
      {
        role: 'user',
        content: 'One.',
      },
      {
        role: 'developer',
        content: 'After the user.\n\nIn two blocks.',
      },
      {
        role: 'assistant',
        content: 'Two.',
      },
      {
        role: 'developer',
        content: 'After the assistant.',
      },
      {
        role: 'user',
        content: 'Three.',
      },
      {
        role: 'developer',
        content: 'Last of all.',
      },
    ],
  },
  'system-prompt-as-text.openai.gpt-4o.expected.json': {
    model: 'gpt-4o',
    max_completion_tokens: 4096,
    messages: [
      {
        role: 'system',
        content: 'You are an agent under test.',
      },
      {
        role: 'user',
        content: 'Hi',
      },
    ],
  },
  'system-prompt-as-text.openai.o3-mini.expected.json': {
    model: 'o3-mini',
    max_completion_tokens: 4096,
    messages: [
      {
        role: 'developer',
        content: 'You are an agent under test.',
      },
      {
        role: 'user',
        content: 'Hi',
      },
    ],
  },
  'text-around-calls-in-one-turn.expected.json': {
    model: 'gpt-4o',
    max_completion_tokens: 4096,
    tools: [
      {
        type: 'function',
        function: {
          name: 'Bash',
          description: 'Runs a command.',
          parameters: {
            type: 'object',
            properties: {
              command: {
                type: 'string',
              },
              timeout: {
                type: 'number',
              },
              run_in_background: {
                type: 'boolean',
              },
            },
            required: ['command'],
            additionalProperties: false,
          },
        },
      },
    ],
    messages: [
      {
        role: 'user',
        content: 'Go.',
      },
      {
        role: 'assistant',
        content: 'First this.\n\nThen that.',
        tool_calls: [
          {
            id: 'toolu_A1',
            type: 'function',
            function: {
              name: 'Bash',
              arguments: '{"command":"a"}',
            },
          },
          {
            id: 'toolu_A2',
            type: 'function',
            function: {
              name: 'Bash',
              arguments: '{"command":"b"}',
            },
          },
        ],
      },
      {
        role: 'tool',
        tool_call_id: 'toolu_A1',
        content: '1',
      },
      {
        role: 'tool',
        tool_call_id: 'toolu_A2',
        content: '2',
      },
    ],
  },
  'thinking-budget-becomes-effort.openai.o3-mini.expected.json': {
    model: 'o3-mini',
    max_completion_tokens: 32000,
    reasoning_effort: 'high',
    messages: [
      {
        role: 'user',
        content: 'Think.',
      },
    ],
  },
  'thinking-budget-becomes-effort.openai.gpt-4o.expected.json': {
    model: 'gpt-4o',
    max_completion_tokens: 16384,
    messages: [
      {
        role: 'user',
        content: 'Think.',
      },
    ],
  },
  'thinking-disabled.openai.gpt-5.expected.json': {
    model: 'gpt-5',
    max_completion_tokens: 4096,
    reasoning_effort: 'minimal',
    messages: [
      {
        role: 'user',
        content: 'Quick.',
      },
    ],
  },
  'thinking-disabled.openai.gpt-5.1.expected.json': {
    model: 'gpt-5.1',
    max_completion_tokens: 4096,
    reasoning_effort: 'none',
    messages: [
      {
        role: 'user',
        content: 'Quick.',
      },
    ],
  },
  'thinking-disabled.openai.o3-mini.expected.json': {
    model: 'o3-mini',
    max_completion_tokens: 4096,
    messages: [
      {
        role: 'user',
        content: 'Quick.',
      },
    ],
  },
  'thinking-in-history.openai.gpt-4o.expected.json': {
    model: 'gpt-4o',
    max_completion_tokens: 16384,
    safety_identifier: '2303775f10d93d3d52313af48c4be10162150dfa92a5a9de70285f00edaf0108',
    prompt_cache_key: '11111111-2222-4333-8444-555555555555',
    stream: true,
    stream_options: {
      include_usage: true,
    },
    tools: [
      {
        type: 'function',
        function: {
          name: 'Read',
          description: 'Reads a file.',
          parameters: {
            type: 'object',
            properties: {
              file_path: {
                type: 'string',
                description: 'The absolute path.',
              },
              offset: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
              limit: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
            },
            required: ['file_path'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'Bash',
          description: 'Runs a command.',
          parameters: {
            type: 'object',
            properties: {
              command: {
                type: 'string',
              },
              timeout: {
                type: 'number',
              },
              run_in_background: {
                type: 'boolean',
              },
            },
            required: ['command'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'Edit',
          description: 'Replaces text in a file.',
          parameters: {
            type: 'object',
            properties: {
              file_path: {
                type: 'string',
              },
              old_string: {
                type: 'string',
              },
              new_string: {
                type: 'string',
              },
              replace_all: {
                type: 'boolean',
                default: false,
              },
            },
            required: ['file_path', 'old_string', 'new_string'],
            additionalProperties: false,
          },
        },
      },
    ],
    messages: [
      {
        role: 'system',
        content:
          'You are an agent under test.\n\nPlaceholder for the long instructions.\n\n# Environment\nWorking directory: /srv/example',
      },
      {
        role: 'user',
        content: 'Think, then read.',
      },
      {
        role: 'assistant',
        content: 'Reading.',
        tool_calls: [
          {
            id: 'toolu_H1',
            type: 'function',
            function: {
              name: 'Read',
              arguments: '{"file_path":"/a"}',
            },
          },
        ],
      },
      {
        role: 'tool',
        tool_call_id: 'toolu_H1',
        content: 'a',
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'toolu_H2',
            type: 'function',
            function: {
              name: 'Read',
              arguments: '{"file_path":"/b"}',
            },
          },
        ],
      },
      {
        role: 'tool',
        tool_call_id: 'toolu_H2',
        content: 'b',
      },
      {
        role: 'assistant',
        content: 'Done.',
      },
      {
        role: 'user',
        content: 'Thanks.',
      },
    ],
  },
  'tool-choice-any-one-at-a-time.openai.gpt-4o.expected.json': {
    model: 'gpt-4o',
    max_completion_tokens: 4096,
    tools: [
      {
        type: 'function',
        function: {
          name: 'Bash',
          description: 'Runs a command.',
          parameters: {
            type: 'object',
            properties: {
              command: {
                type: 'string',
              },
              timeout: {
                type: 'number',
              },
              run_in_background: {
                type: 'boolean',
              },
            },
            required: ['command'],
            additionalProperties: false,
          },
        },
      },
    ],
    tool_choice: 'required',
    parallel_tool_calls: false,
    messages: [
      {
        role: 'user',
        content: 'Go.',
      },
    ],
  },
  'tool-input-that-was-no-json.expected.json': {
    model: 'gpt-4o',
    max_completion_tokens: 4096,
    tools: [
      {
        type: 'function',
        function: {
          name: 'Bash',
          description: 'Runs a command.',
          parameters: {
            type: 'object',
            properties: {
              command: {
                type: 'string',
              },
              timeout: {
                type: 'number',
              },
              run_in_background: {
                type: 'boolean',
              },
            },
            required: ['command'],
            additionalProperties: false,
          },
        },
      },
    ],
    messages: [
      {
        role: 'user',
        content: 'Go.',
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'toolu_J1',
            type: 'function',
            function: {
              name: 'Bash',
              arguments: '{"__unparsedToolInput":{"raw":"{\\"command\\": \\"ls","len":15}}',
            },
          },
          {
            id: 'toolu_J2',
            type: 'function',
            function: {
              name: 'Bash',
              arguments: '{}',
            },
          },
        ],
      },
      {
        role: 'tool',
        tool_call_id: 'toolu_J1',
        content: '<tool_use_error>InputValidationError</tool_use_error>',
      },
      {
        role: 'tool',
        tool_call_id: 'toolu_J2',
        content: 'ok',
      },
    ],
  },
  'tool-result-follows-its-call.openai.gpt-4o.expected.json': {
    model: 'gpt-4o',
    max_completion_tokens: 16384,
    safety_identifier: '2303775f10d93d3d52313af48c4be10162150dfa92a5a9de70285f00edaf0108',
    prompt_cache_key: '11111111-2222-4333-8444-555555555555',
    stream: true,
    stream_options: {
      include_usage: true,
    },
    tools: [
      {
        type: 'function',
        function: {
          name: 'Read',
          description: 'Reads a file.',
          parameters: {
            type: 'object',
            properties: {
              file_path: {
                type: 'string',
                description: 'The absolute path.',
              },
              offset: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
              limit: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
            },
            required: ['file_path'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'Bash',
          description: 'Runs a command.',
          parameters: {
            type: 'object',
            properties: {
              command: {
                type: 'string',
              },
              timeout: {
                type: 'number',
              },
              run_in_background: {
                type: 'boolean',
              },
            },
            required: ['command'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'Edit',
          description: 'Replaces text in a file.',
          parameters: {
            type: 'object',
            properties: {
              file_path: {
                type: 'string',
              },
              old_string: {
                type: 'string',
              },
              new_string: {
                type: 'string',
              },
              replace_all: {
                type: 'boolean',
                default: false,
              },
            },
            required: ['file_path', 'old_string', 'new_string'],
            additionalProperties: false,
          },
        },
      },
    ],
    messages: [
      {
        role: 'system',
        content:
          'You are an agent under test.\n\nPlaceholder for the long instructions.\n\n# Environment\nWorking directory: /srv/example',
      },
      {
        role: 'user',
        content: 'Read /tmp/hello.py and explain it.',
      },
      {
        role: 'system',
        content: 'Placeholder for what the agent is told after the first prompt.',
      },
      {
        role: 'assistant',
        content: 'Let me read that file.',
        tool_calls: [
          {
            id: 'toolu_01AAAAAAAAAAAAAAAAAAAAAA',
            type: 'function',
            function: {
              name: 'Read',
              arguments: '{"file_path":"/tmp/hello.py"}',
            },
          },
        ],
      },
      {
        role: 'tool',
        tool_call_id: 'toolu_01AAAAAAAAAAAAAAAAAAAAAA',
        content: "1\tprint('hello world')",
      },
    ],
  },
  'tools-change-in-the-middle.expected.json': {
    model: 'gpt-4o',
    max_completion_tokens: 4096,
    tools: [
      {
        type: 'function',
        function: {
          name: 'Read',
          description: 'Reads a file.',
          parameters: {
            type: 'object',
            properties: {
              file_path: {
                type: 'string',
                description: 'The absolute path.',
              },
              offset: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
              limit: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
            },
            required: ['file_path'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'TaskList',
          description: 'Placeholder for TaskList.',
          parameters: {
            type: 'object',
            properties: {},
            required: [],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'Notify',
          description: 'Placeholder.',
          parameters: {
            type: 'object',
            properties: {},
          },
        },
      },
    ],
    messages: [
      {
        role: 'user',
        content: 'Go.',
      },
      {
        role: 'system',
        content: 'The tools have changed.',
      },
    ],
  },
  'tools-searched-by-the-server-are-all-offered.expected.json': {
    model: 'gpt-4o',
    max_completion_tokens: 4096,
    tools: [
      {
        type: 'function',
        function: {
          name: 'TaskCreate',
          description: 'Placeholder for TaskCreate.',
          parameters: {
            type: 'object',
            properties: {},
            required: [],
            additionalProperties: false,
          },
        },
      },
    ],
    messages: [
      {
        role: 'user',
        content: 'Make a task.',
      },
    ],
  },
  'tools-without-reasoning-on-new-models.openai.gpt-5.6.expected.json': {
    model: 'gpt-5.6',
    max_completion_tokens: 128000,
    safety_identifier: '2303775f10d93d3d52313af48c4be10162150dfa92a5a9de70285f00edaf0108',
    prompt_cache_key: '11111111-2222-4333-8444-555555555555',
    stream: true,
    stream_options: {
      include_usage: true,
    },
    reasoning_effort: 'none',
    tools: [
      {
        type: 'function',
        function: {
          name: 'Read',
          description: 'Reads a file.',
          parameters: {
            type: 'object',
            properties: {
              file_path: {
                type: 'string',
                description: 'The absolute path.',
              },
              offset: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
              limit: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
            },
            required: ['file_path'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'Bash',
          description: 'Runs a command.',
          parameters: {
            type: 'object',
            properties: {
              command: {
                type: 'string',
              },
              timeout: {
                type: 'number',
              },
              run_in_background: {
                type: 'boolean',
              },
            },
            required: ['command'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'Edit',
          description: 'Replaces text in a file.',
          parameters: {
            type: 'object',
            properties: {
              file_path: {
                type: 'string',
              },
              old_string: {
                type: 'string',
              },
              new_string: {
                type: 'string',
              },
              replace_all: {
                type: 'boolean',
                default: false,
              },
            },
            required: ['file_path', 'old_string', 'new_string'],
            additionalProperties: false,
          },
        },
      },
    ],
    messages: [
      {
        role: 'developer',
        content:
          'You are an agent under test.\n\nPlaceholder for the long instructions.\n\n# Environment\nWorking directory: /srv/example',
      },
      {
        role: 'user',
        content: 'Go.',
      },
    ],
  },
  'tools-without-reasoning-on-new-models.openai.gpt-5.2.expected.json': {
    model: 'gpt-5.2',
    max_completion_tokens: 128000,
    safety_identifier: '2303775f10d93d3d52313af48c4be10162150dfa92a5a9de70285f00edaf0108',
    prompt_cache_key: '11111111-2222-4333-8444-555555555555',
    stream: true,
    stream_options: {
      include_usage: true,
    },
    reasoning_effort: 'medium',
    tools: [
      {
        type: 'function',
        function: {
          name: 'Read',
          description: 'Reads a file.',
          parameters: {
            type: 'object',
            properties: {
              file_path: {
                type: 'string',
                description: 'The absolute path.',
              },
              offset: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
              limit: {
                type: 'integer',
                exclusiveMinimum: 0,
              },
            },
            required: ['file_path'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'Bash',
          description: 'Runs a command.',
          parameters: {
            type: 'object',
            properties: {
              command: {
                type: 'string',
              },
              timeout: {
                type: 'number',
              },
              run_in_background: {
                type: 'boolean',
              },
            },
            required: ['command'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'Edit',
          description: 'Replaces text in a file.',
          parameters: {
            type: 'object',
            properties: {
              file_path: {
                type: 'string',
              },
              old_string: {
                type: 'string',
              },
              new_string: {
                type: 'string',
              },
              replace_all: {
                type: 'boolean',
                default: false,
              },
            },
            required: ['file_path', 'old_string', 'new_string'],
            additionalProperties: false,
          },
        },
      },
    ],
    messages: [
      {
        role: 'developer',
        content:
          'You are an agent under test.\n\nPlaceholder for the long instructions.\n\n# Environment\nWorking directory: /srv/example',
      },
      {
        role: 'user',
        content: 'Go.',
      },
    ],
  },
  'turns-of-thinking-only-are-skipped.openai.gpt-4o.expected.json': {
    model: 'gpt-4o',
    max_completion_tokens: 4096,
    messages: [
      {
        role: 'user',
        content: 'Hm.',
      },
      {
        role: 'user',
        content: 'Go on.',
      },
      {
        role: 'user',
        content: 'Well?',
      },
    ],
  },
  'two-results-for-one-call.expected.json': {
    model: 'gpt-4o',
    max_completion_tokens: 4096,
    tools: [
      {
        type: 'function',
        function: {
          name: 'Bash',
          description: 'Runs a command.',
          parameters: {
            type: 'object',
            properties: {
              command: {
                type: 'string',
              },
              timeout: {
                type: 'number',
              },
              run_in_background: {
                type: 'boolean',
              },
            },
            required: ['command'],
            additionalProperties: false,
          },
        },
      },
    ],
    messages: [
      {
        role: 'user',
        content: 'Run.',
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'toolu_Y1',
            type: 'function',
            function: {
              name: 'Bash',
              arguments: '{"command":"date"}',
            },
          },
        ],
      },
      {
        role: 'tool',
        tool_call_id: 'toolu_Y1',
        content: 'Tuesday',
      },
    ],
  },
  'unpaired-surrogates.expected.json': {
    model: 'gpt-4o',
    max_completion_tokens: 4096,
    tools: [
      {
        type: 'function',
        function: {
          name: 'Bash',
          description: 'half �',
          parameters: {
            type: 'object',
            properties: {
              command: {
                type: 'string',
              },
              timeout: {
                type: 'number',
              },
              run_in_background: {
                type: 'boolean',
              },
            },
            required: ['command'],
            additionalProperties: false,
          },
        },
      },
    ],
    messages: [
      {
        role: 'system',
        content: 'broken �',
      },
      {
        role: 'user',
        content: 'half �\n\nhalf �\ns\nx',
      },
      {
        role: 'assistant',
        content: '� half',
        tool_calls: [
          {
            id: 'toolu_U1',
            type: 'function',
            function: {
              name: 'Bash',
              arguments: '{"command":"echo � \\\\ud800"}',
            },
          },
        ],
      },
      {
        role: 'tool',
        tool_call_id: 'toolu_U1',
        content: '�',
      },
    ],
  },
  'unusual-schemas.openai.gpt-4o.expected.json': {
    model: 'gpt-4o',
    max_completion_tokens: 4096,
    tools: [
      {
        type: 'function',
        function: {
          name: 'nothing',
          parameters: {
            type: 'object',
            properties: {},
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'union',
          description: 'Placeholder.',
          parameters: {
            type: 'object',
            properties: {
              a: {
                type: 'string',
              },
              c: {
                type: 'string',
              },
              b: {
                type: 'array',
                items: {},
              },
            },
            required: ['c'],
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'nested',
          parameters: {
            type: 'object',
            properties: {
              list: {
                type: 'array',
                items: {},
              },
              rows: {
                type: ['array', 'null'],
                items: {},
              },
              const: {
                const: 'x',
              },
              $schema: {
                type: 'string',
              },
              any: {
                anyOf: [
                  {
                    type: 'string',
                  },
                  {
                    type: 'array',
                    items: {},
                  },
                ],
              },
              map: {
                type: 'object',
                additionalProperties: {
                  type: 'number',
                  exclusiveMinimum: 0,
                },
              },
            },
            required: ['list'],
            $defs: {
              id: {
                $id: 'urn:x',
                type: 'string',
              },
            },
          },
        },
      },
    ],
    messages: [
      {
        role: 'user',
        content: 'Go.',
      },
    ],
  },
}
