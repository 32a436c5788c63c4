/**
 * Link previewers, mail scanners and crawlers, with the `User-Agent` that each sends and what each does with a link.
 * For most names, the behaviour is based on reports of users. Scanners that disguise themselves send the user agent
 * of a browser.
 */

/** Behaviour of a program that does not run the page. */
export type HttpBehaviour = 'get' | 'head' | 'options' | 'range' | 'post' | 'prefetch' | 'prerender'

/**
 * Behaviour of a program that runs the page. `click` clicks each element with trusted mouse events. `submit` submits
 * each form. `script` calls `element.click()` on each button, immediately and again after ten seconds.
 */
export type BrowserBehaviour = 'render' | 'click' | 'submit' | 'script'

interface Previewer<Behaviour> {
  readonly name: string
  readonly agent: string
  readonly does: readonly Behaviour[]
  /** Whether the program sends received cookies back. */
  readonly hasCookies?: boolean
}

export type HttpPreviewer = Previewer<HttpBehaviour>
export type BrowserPreviewer = Previewer<BrowserBehaviour>

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'
const HEADLESS =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/142.0.0.0 Safari/537.36'
const EDGE = `${CHROME} Edg/142.0.0.0`
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1'
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0'

export const HTTP_PREVIEWERS: readonly HttpPreviewer[] = [
  {
    name: 'Slack',
    agent: 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
    does: ['range', 'get'],
  },
  { name: 'Slack images', agent: 'Slack-ImgProxy (+https://api.slack.com/robots)', does: ['head', 'get'] },
  {
    name: 'Facebook',
    agent: 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
    does: ['get', 'range'],
  },
  {
    name: 'Meta',
    agent: 'meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)',
    does: ['get', 'head'],
  },
  { name: 'X', agent: 'Twitterbot/1.0', does: ['head', 'get'] },
  {
    name: 'LinkedIn',
    agent: 'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)',
    does: ['get'],
    hasCookies: true,
  },
  { name: 'WhatsApp', agent: 'WhatsApp/2.23.20.0', does: ['get', 'range'] },
  { name: 'Signal', agent: 'WhatsApp/2', does: ['get', 'range'] },
  { name: 'Telegram', agent: 'TelegramBot (like TwitterBot)', does: ['get', 'range'] },
  {
    name: 'Discord',
    agent: 'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
    does: ['get', 'range'],
  },
  {
    name: 'Skype and Teams',
    agent: 'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com',
    does: ['head', 'get'],
    hasCookies: true,
  },
  {
    name: 'iMessage',
    agent:
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
    does: ['get'],
  },
  { name: 'Viber', agent: 'Viber/20.3.0.5', does: ['get'] },
  { name: 'LINE', agent: 'facebookexternalhit/1.1;line-poker/1.0', does: ['get', 'range'] },
  {
    name: 'KakaoTalk',
    agent: 'facebookexternalhit/1.1; kakaotalk-scrap/1.0; +https://devtalk.kakao.com/t/scrap/33984',
    does: ['get'],
  },
  { name: 'Synapse', agent: 'Synapse (bot; +https://github.com/matrix-org/synapse)', does: ['get'] },
  { name: 'Mattermost', agent: 'mattermost-bot/1.1', does: ['get'] },
  { name: 'Rocket.Chat', agent: 'Mozilla/5.0 (compatible; Rocket.Chat/6.5.0)', does: ['get', 'head'] },
  { name: 'Zulip', agent: 'ZulipURLPreview/8.0 (+https://zulip.com)', does: ['get'] },
  {
    name: 'Mastodon',
    agent: 'Mastodon/4.2.1 (http.rb/5.1.1; +https://mastodon.social/) Bot',
    does: ['head', 'get'],
  },
  {
    name: 'Pinterest',
    agent: 'Mozilla/5.0 (compatible; Pinterestbot/1.0; +https://www.pinterest.com/bot.html)',
    does: ['get'],
  },
  {
    name: 'Reddit',
    agent: 'Mozilla/5.0 (compatible; redditbot/1.0; +http://www.reddit.com/feedback)',
    does: ['get', 'range'],
  },
  {
    name: 'Embedly',
    agent: 'Mozilla/5.0 (compatible; Embedly/0.2; +http://support.embed.ly/)',
    does: ['head', 'get'],
  },
  { name: 'Iframely', agent: 'Iframely/1.3.1 (+https://iframely.com/docs/about)', does: ['get'] },
  {
    name: 'Gmail images',
    agent: 'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
    does: ['get', 'range'],
  },
  {
    name: 'Yahoo Mail',
    agent: 'YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html',
    does: ['get'],
  },
  {
    name: 'Outlook',
    agent: 'Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.5095; Pro)',
    does: ['options', 'head', 'get'],
    hasCookies: true,
  },
  {
    name: 'Office discovery',
    agent: 'Microsoft Office Protocol Discovery',
    does: ['options', 'head'],
  },
  { name: 'Barracuda', agent: 'Barracuda Sentinel (EE)', does: ['head', 'get', 'post'] },
  { name: 'SpamAssassin', agent: 'Mail-SpamAssassin/4.0', does: ['head', 'get'] },
  { name: 'a scanner that posts', agent: CHROME, does: ['get', 'post'], hasCookies: true },
  {
    name: 'ChatGPT',
    agent: `${CHROME}; compatible; ChatGPT-User/1.0; +https://openai.com/bot`,
    does: ['get'],
  },
  {
    name: 'Claude',
    agent: 'Mozilla/5.0 (compatible; ClaudeBot/1.0; +claudebot@anthropic.com)',
    does: ['get', 'head'],
  },
  { name: 'curl', agent: 'curl/8.5.0', does: ['get', 'head', 'range', 'post'] },
  { name: 'Wget', agent: 'Wget/1.21.4', does: ['head', 'get', 'range'] },
  { name: 'Python', agent: 'python-requests/2.32.3', does: ['get', 'post'], hasCookies: true },
  { name: 'Go', agent: 'Go-http-client/2.0', does: ['head', 'get'] },
  { name: 'Chrome prefetching', agent: CHROME, does: ['prefetch', 'prerender'], hasCookies: true },
  { name: 'Edge prefetching', agent: EDGE, does: ['prefetch', 'prerender'] },
  { name: 'Safari previewing', agent: SAFARI, does: ['prefetch', 'range'], hasCookies: true },
  { name: 'Firefox prefetching', agent: FIREFOX, does: ['prefetch'] },
]

export const BROWSER_PREVIEWERS: readonly BrowserPreviewer[] = [
  {
    name: 'Googlebot',
    agent: `Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Googlebot/2.1; +http://www.google.com/bot.html) Chrome/142.0.0.0 Safari/537.36`,
    does: ['render'],
  },
  {
    name: 'Bing',
    agent: `Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/116.0.1938.76 Safari/537.36`,
    does: ['render'],
  },
  {
    name: 'Apple',
    agent:
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.1.1 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)',
    does: ['render'],
  },
  {
    name: 'Yandex',
    agent:
      'Mozilla/5.0 (compatible; YandexRenderResourcesBot/1.0; +http://yandex.com/bots) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/108.0.0.0',
    does: ['render'],
  },
  {
    name: 'Baidu',
    agent: 'Mozilla/5.0 (compatible; Baiduspider-render/2.0; +http://www.baidu.com/search/spider.html)',
    does: ['render'],
  },
  {
    name: 'Prerender',
    agent: `${HEADLESS} Prerender (+https://github.com/prerender/prerender)`,
    does: ['render', 'script'],
  },
  { name: 'urlscan', agent: CHROME, does: ['render'] },
  { name: 'Chrome Lighthouse', agent: `${CHROME} Chrome-Lighthouse`, does: ['render'], hasCookies: true },
  { name: 'Microsoft Defender', agent: EDGE, does: ['render', 'click', 'submit'], hasCookies: true },
  { name: 'Safe Attachments', agent: CHROME, does: ['render', 'click'] },
  { name: 'Proofpoint', agent: CHROME, does: ['render', 'script', 'submit'] },
  { name: 'Mimecast', agent: CHROME, does: ['render', 'submit'], hasCookies: true },
  { name: 'Barracuda Link Protection', agent: HEADLESS, does: ['render', 'click'] },
  { name: 'Cisco Secure Email', agent: CHROME, does: ['render', 'submit'] },
  { name: 'Sophos', agent: `${CHROME} SophosLinkScanner`, does: ['render', 'script'], hasCookies: true },
  { name: 'Trend Micro', agent: CHROME, does: ['render', 'click', 'script'] },
  { name: 'FortiSandbox', agent: HEADLESS, does: ['render', 'click', 'submit', 'script'], hasCookies: true },
  { name: 'a crawler with Puppeteer', agent: HEADLESS, does: ['render', 'script'] },
  { name: 'a test with Playwright', agent: HEADLESS, does: ['render', 'click'], hasCookies: true },
]
