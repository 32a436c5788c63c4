import type { DashboardStats } from '../../features/dashboard/api/dashboard.queries.ts'
import { COUNTED, isUntouched } from '../../features/dashboard/models/counted.ts'
import dashboard from '../../features/dashboard/components/dashboard.module.css'
import { hrefOf } from '../../lib/base-path.ts'
import { addressParts, askEarlyData, type DrawEarly } from '../../lib/early-page.ts'
import { element, fillWords } from '../../lib/element.ts'
import { formatDateTime, formatNumber } from '../../lib/format.ts'
import { detectLanguage, loadGroup } from '../../lib/i18n/languages.ts'
import { paths } from '../../lib/paths.ts'
import { routeUrl } from '../../lib/route-url.ts'
import { readSession } from '../../lib/stored-session.ts'
import message from '../../ui/message.module.css'
import header from '../../ui/module-header.module.css'
import admin from './admin.module.css'
import early from './early-dashboard.module.css'

type Words = Awaited<ReturnType<typeof loadGroup<'admin'>>>

function drawHeader({ manage, table }: Words, language: string): HTMLElement {
  const updated = fillWords(table.updatedAt, { time: formatDateTime(Date.now(), language) })
  const words = element('div', header['words'] ?? '', [
    element('h1', header['title'] ?? '', [manage.modules.dashboard]),
    element('p', header['text'] ?? '', [updated]),
  ])
  const actions = element('div', header['actions'] ?? '', [element('span', early['action'] ?? '')])
  return element('header', header['header'] ?? '', [words, actions])
}

function drawResume({ welcome }: Words): HTMLElement {
  const link = element('a', early['button'] ?? '', [welcome.resume.action])
  link.setAttribute('href', hrefOf(paths.welcome))
  const banner = element('div', message['banner'] ?? '', [
    element('span', early['icon'] ?? ''),
    element('div', message['bannerText'] ?? '', [welcome.resume.text]),
    element('div', message['bannerActions'] ?? '', [link]),
  ])
  banner.dataset['tone'] = 'info'
  return banner
}

function drawCounters(stats: DashboardStats, { dashboard: words }: Words, language: string): HTMLElement {
  const items = COUNTED.map(({ word, module, count }) => {
    const counter = element('a', dashboard['counter'] ?? '', [
      element('span', `${dashboard['counterWord'] ?? ''} ${early['word'] ?? ''}`, [words.counters[word]]),
      element('span', dashboard['number'] ?? '', [formatNumber(count(stats), language)]),
    ])
    counter.setAttribute('href', hrefOf(`${paths.admin}/${module}`))
    return element('li', '', [counter])
  })
  return element('ul', dashboard['counters'] ?? '', items)
}

/** Where the name of the module is on a telephone, beside the button of the menu. */
const drawBar = ({ manage }: Words) =>
  element('div', admin['bar'] ?? '', [
    element('span', early['menu'] ?? ''),
    element('span', '', [manage.modules.dashboard]),
  ])

/** The first lines of the dashboard: what is to be done, and how many there are of each. */
export const drawEarly: DrawEarly = async () => {
  const [, module] = addressParts() ?? []
  if (module || readSession().kind !== 'admin') return null
  const language = detectLanguage()
  // That of `operationRoutes.dashboard`, whose rules nobody needs here.
  const query = { utc_offset: -new Date().getTimezoneOffset() }
  const url = routeUrl('/api/admin/dashboard/stats', { query })
  const [stats, words] = await Promise.all([askEarlyData<DashboardStats>(url), loadGroup(language, 'admin')])
  // What comes first then is the app's to show.
  if (!stats || stats.restored) return null
  const parts = [drawHeader(words, language)]
  if (stats.guide !== 'done') parts.push(drawResume(words))
  if (!isUntouched(stats)) parts.push(drawCounters(stats, words, language))
  return element('div', admin['panel'] ?? '', [
    drawBar(words),
    element('aside', admin['sidebar'] ?? ''),
    element('section', admin['module'] ?? '', parts),
  ])
}
