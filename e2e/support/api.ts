import { authRoutes, type InputOf, type Lenient, type ReplyOf, type RouteSpec } from '@dropleaf/contract'

type Input<Spec> = {
  readonly [
    Part in 'params' | 'query' | 'body' as InputOf<Spec, Part> extends undefined ? never : Part
  ]?: Lenient<InputOf<Spec, Part>>
}

/** Calls the routes of the contract with one identity. */
export class Api {
  readonly #origin: string
  readonly #authorization: string | undefined

  constructor(origin: string, authorization?: string) {
    this.#origin = origin
    this.#authorization = authorization
  }

  /** @throws {Error} with status and text unless the call succeeds */
  async call<Spec extends RouteSpec>(route: Spec, input: Input<Spec> = {}): Promise<ReplyOf<Spec>> {
    const { params, query, body } = input as Record<
      string,
      Record<string, string | number | null> | undefined
    >
    const url = new URL(fillPath(route.path, params), this.#origin)
    for (const [name, value] of Object.entries(query ?? {})) {
      if (value !== null) url.searchParams.set(name, String(value))
    }
    const headers = new Headers()
    if (this.#authorization !== undefined) headers.set('authorization', this.#authorization)
    if (body !== undefined) headers.set('content-type', 'application/json')
    const answer = await fetch(url, {
      method: route.method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!answer.ok)
      throw new Error(`${route.method} ${url.pathname}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as ReplyOf<Spec>
  }

  withKey(key: string) {
    return new Api(this.#origin, `ApiKey ${key}`)
  }

  withToken(token: string) {
    return new Api(this.#origin, `Bearer ${token}`)
  }
}

/** Logs in as the administrator. @returns the token */
export async function logIn(origin: string, password: string, username = 'admin'): Promise<string> {
  const reply = await new Api(origin).call(authRoutes.login, { body: { username, password } })
  return reply.data.token
}

function fillPath(path: string, params: Record<string, string | number | null> | undefined) {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params?.[name])))
}
