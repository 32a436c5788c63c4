import { authRoutes } from '@dropleaf/contract'
import { ask } from '../ask.ts'
import { call } from '../client.ts'
import { usageError } from '../errors.ts'
import { parseServer } from '../links.ts'
import type { Run } from '../run.ts'
import { forgetLogin, keepLogin } from '../settings.ts'
import { translate } from '../texts/index.ts'

/** Asks for the API key, and for the server unless it is given. Checks them and stores them. */
export async function login(run: Run): Promise<void> {
  const { environment, options, language } = run
  const { variables } = environment
  const named = options.server ?? (variables['DROPLEAF_SERVER'] || undefined)
  const answers = await ask(environment, [
    ...(named === undefined ? [{ text: translate(language, 'ask.server'), isSecret: false }] : []),
    { text: translate(language, 'ask.key'), isSecret: true },
  ])
  const key = answers.pop() ?? ''
  const server = parseServer(named ?? answers[0] ?? '')
  if (key === '') throw usageError('usage.no_key')
  const { data } = await call({ server, key, language }, authRoutes.testApiKey)
  const file = await keepLogin(variables, { server, key })
  run.note('login.done', { file, name: data.name })
}

export async function logout(run: Run): Promise<void> {
  await forgetLogin(run.environment.variables)
  run.note('logout.done')
}
