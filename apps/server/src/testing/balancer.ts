import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, request, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@dropleaf/storage/testing/free-port'

const NGINX = '/usr/sbin/nginx'
const START_MS = 10_000

/** Leads requests to several servers in turns, and answers 502 where one of them is gone. */
export interface Balancer extends AsyncDisposable {
  readonly kind: 'nginx' | 'node'
  /** Without a slash at its end. */
  readonly url: string
}

/** A request that has reached a server is sent to no other one: it may have been done. */
const nginxConfig = (folder: string, port: number, servers: readonly number[]) => `
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events { worker_connections 512; }
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  upstream dropleaf {
    ${servers.map((server) => `server 127.0.0.1:${server} max_fails=1 fail_timeout=2s;`).join('\n    ')}
  }
  server {
    listen 127.0.0.1:${port};
    client_max_body_size 0;
    location / {
      proxy_pass http://dropleaf;
      proxy_http_version 1.1;
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_set_header X-Forwarded-Proto $scheme;
      proxy_request_buffering off;
      proxy_buffering off;
      proxy_read_timeout 300s;
      proxy_next_upstream off;
    }
  }
}
`

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

async function startNginx(servers: readonly number[]): Promise<Balancer> {
  const folder = await mkdtemp(join(tmpdir(), 'dropleaf-nginx-'))
  await mkdir(folder, { recursive: true })
  const port = await freePort()
  const file = join(folder, 'nginx.conf')
  await writeFile(file, nginxConfig(folder, port, servers))
  const nginx = spawn(NGINX, ['-p', folder, '-c', file, '-e', join(folder, 'error.log')], { stdio: 'ignore' })
  const gone = once(nginx, 'exit')
  for (const deadlineMs = Date.now() + START_MS; !(await listens(port)); await sleep(50))
    if (Date.now() > deadlineMs || nginx.exitCode !== null) throw new Error('nginx does not start.')
  return {
    kind: 'nginx',
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      nginx.kill('SIGTERM')
      await gone
      await rm(folder, { recursive: true })
    },
  }
}

function badGateway(response: ServerResponse): void {
  if (response.headersSent) response.destroy()
  else response.writeHead(502).end('Bad gateway')
}

async function startNode(servers: readonly number[]): Promise<Balancer> {
  let turn = 0
  const balancer = createServer((incoming, response) => {
    turn += 1
    const port = servers[turn % servers.length]
    const { method, url, headers } = incoming
    const onward = request({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.on('error', () => response.destroy())
      answer.pipe(response)
    })
    onward.on('error', () => badGateway(response))
    incoming.on('error', () => onward.destroy())
    incoming.pipe(onward)
  })
  balancer.listen(0, '127.0.0.1')
  await once(balancer, 'listening')
  const { port } = balancer.address() as { port: number }
  return {
    kind: 'node',
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      balancer.closeAllConnections()
      balancer.close()
      await once(balancer, 'close')
    },
  }
}

/** nginx where it is installed, else a few lines of our own. */
export const startBalancer = (servers: readonly number[]): Promise<Balancer> =>
  existsSync(NGINX) ? startNginx(servers) : startNode(servers)
