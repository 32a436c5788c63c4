import type { Locale } from '../../zh-CN/index.ts'

export const environment: Locale['environment'] = {
  title: 'Environment',
  current: 'Server in use: {{origin}}',
  server: 'Server',
  own: 'The server of this page',
  development: 'A development server on this computer',
  custom: 'Another address',
  address: 'Address',
  addressHint: 'For example https://drop.example.com',
  invalid: 'Enter an address that starts with http:// or https://',
  unreachable: 'There is no response from this address, or it is not a Dropleaf server',
  apply: 'Switch',
  text: 'You will be logged out, and this browser will use that server from now on.',
  otherServer: 'This browser uses {{origin}}',
  back: 'Back to the server of this page',
  close: 'Close the environment switcher',
}
