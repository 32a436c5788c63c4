import { lookup as systemLookup, type LookupAddress } from 'node:dns'
import { type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { urlErrors } from '@dropleaf/contract'
import { AppError } from '../lib/app-error.ts'
import { type AllowList, isPublicAddress, plainAddress } from './addresses.ts'

export interface FetchOptions {
  readonly method?: 'GET' | 'HEAD'
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
  /** Time limit until the response headers arrive, including redirects. */
  readonly timeoutMs?: number
}

export interface FetchAnswer {
  /** The final URL, after redirects. */
  readonly url: URL
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** The caller must read the body to its end or destroy it. */
  readonly body: IncomingMessage
}

export type Resolve = (host: string) => Promise<readonly LookupAddress[]>

export interface FetcherOptions {
  readonly allow: AllowList
  /** Replaces the system's resolver in tests. */
  readonly resolve?: Resolve | undefined
}

const MAX_REDIRECTS = 5
const HEADERS_TIMEOUT_MS = 20_000
/** Time without data after which a body counts as interrupted. */
const IDLE_TIMEOUT_MS = 60_000
const REDIRECTS = new Set([301, 302, 303, 307, 308])
const USER_AGENT = 'Dropleaf'

const resolveBySystem: Resolve = (host) =>
  new Promise((done, fail) => {
    systemLookup(host, { all: true, verbatim: true }, (error, addresses) =>
      error ? fail(error) : done(addresses),
    )
  })

/** Parses a URL that a user has entered. @throws {AppError} `url.invalid` */
export function parseAddress(address: string): URL {
  if (!URL.canParse(address)) throw new AppError(urlErrors.invalid)
  const url = new URL(address)
  // Rejects credentials, because in a URL they would appear in logs and task lists.
  const isPlain = url.username === '' && url.password === '' && url.hostname !== ''
  if (!/^https?:$/.test(url.protocol) || !isPlain) throw new AppError(urlErrors.invalid)
  return url
}

/** Sends one request to exactly the checked addresses; the name is not resolved again. */
function send(url: URL, addresses: readonly LookupAddress[], o: FetchOptions): Promise<IncomingMessage> {
  const lookup: LookupFunction = (_host, options, done) => {
    const [first] = addresses
    if (options.all) done(null, [...addresses])
    else done(null, first?.address ?? '', first?.family ?? 4)
  }
  const checked = new Set(addresses.map(({ address }) => plainAddress(address)))
  return new Promise((done, fail) => {
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
      method: o.method ?? 'GET',
      lookup,
      agent: false,
      timeout: IDLE_TIMEOUT_MS,
      ...(o.signal ? { signal: o.signal } : {}),
      headers: { 'user-agent': USER_AGENT, 'accept-encoding': 'identity', accept: '*/*', ...o.headers },
    })
    request.once('socket', (socket) =>
      socket.once('connect', () => {
        if (!checked.has(plainAddress(socket.remoteAddress ?? '')))
          request.destroy(new AppError(urlErrors.refused))
      }),
    )
    request.once('timeout', () => request.destroy(new AppError(urlErrors.timeout)))
    request.once('response', done)
    request.once('error', fail)
    request.end()
  })
}

/** Fetches URLs that users enter, from the public internet and from hosts that the configuration allows. */
export class Fetcher {
  readonly #allow: AllowList
  readonly #resolve: Resolve

  constructor({ allow, resolve = resolveBySystem }: FetcherOptions) {
    this.#allow = allow
    this.#resolve = resolve
  }

  /**
   * @throws {AppError} `url.invalid`; `url.refused` for a private, local or otherwise special target, even behind a
   * redirect; `url.unreachable`, `url.timeout`, `url.too_many_redirects`; `url.bad_source` for an invalid redirect
   * @throws the reason of `signal`
   */
  async fetch(address: string, o: FetchOptions = {}): Promise<FetchAnswer> {
    const timer = new AbortController()
    const expired = sleep(o.timeoutMs ?? HEADERS_TIMEOUT_MS, undefined, {
      signal: timer.signal,
      ref: false,
    }).then(() => {
      throw new AppError(urlErrors.timeout)
    })
    const headers = new AbortController()
    const signal = AbortSignal.any([headers.signal, ...(o.signal ? [o.signal] : [])])
    const answer = this.#follow(address, { ...o, signal })
    try {
      return await Promise.race([answer, expired])
    } catch (error) {
      headers.abort()
      answer.catch(() => undefined)
      o.signal?.throwIfAborted()
      throw error instanceof AppError ? error : new AppError(urlErrors.unreachable, { cause: error })
    } finally {
      timer.abort()
      expired.catch(() => undefined)
    }
  }

  async #follow(address: string, o: FetchOptions): Promise<FetchAnswer> {
    let url = parseAddress(address)
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const body = await send(url, await this.#addressesOf(url.hostname), o)
      const { location } = body.headers
      const status = body.statusCode ?? 0
      if (!REDIRECTS.has(status) || location === undefined)
        return { url, status, headers: body.headers, body }
      body.destroy()
      if (!URL.canParse(location, url)) throw new AppError(urlErrors.bad_source, { params: { status } })
      url = parseAddress(new URL(location, url).toString())
    }
    throw new AppError(urlErrors.too_many_redirects)
  }

  /**
   * Returns the addresses of a host. Unless the host itself is allowed, all of them must be public or allowed, because
   * the connection can use any of them.
   */
  async #addressesOf(host: string): Promise<readonly LookupAddress[]> {
    const literal = host.replace(/^\[|\]$/g, '')
    const family = isIP(literal)
    const addresses = family === 0 ? await this.#resolveName(host) : [{ address: literal, family }]
    const isAllowed =
      this.#allow.allowsHost(literal) || addresses.every(({ address }) => this.#mayConnect(address))
    if (!isAllowed || addresses.length === 0) throw new AppError(urlErrors.refused)
    return addresses
  }

  async #resolveName(host: string): Promise<readonly LookupAddress[]> {
    try {
      return await this.#resolve(host)
    } catch (error) {
      throw new AppError(urlErrors.unreachable, { cause: error })
    }
  }

  #mayConnect(address: string): boolean {
    return isPublicAddress(address) || this.#allow.allowsAddress(address)
  }
}
