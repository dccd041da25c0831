import { Agent, createServer, request } from 'node:http'

// The floor: takes a request, sends it on, and pipes back what comes, without looking at a byte.
const port = Number(process.argv[2])
const upstreamPort = Number(process.argv[3])
const agent = new Agent({ keepAlive: true })

createServer((incoming, outgoing) => {
  const call = request(
    {
      host: '127.0.0.1',
      port: upstreamPort,
      path: '/v1/chat/completions',
      method: 'POST',
      agent,
      headers: {
        'content-type': 'application/json',
        'content-length': incoming.headers['content-length'] ?? '0',
      },
    },
    (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, { 'content-type': answer.headers['content-type'] ?? '' })
      answer.pipe(outgoing)
    },
  )
  call.on('error', () => outgoing.destroy())
  incoming.pipe(call)
}).listen(port, '127.0.0.1')
